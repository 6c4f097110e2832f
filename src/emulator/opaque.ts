/** Texts that stand for unknown values. Such a text may replace any value, and passes every check. */
import type { Context } from "./context";

/** The text of the first such value, at any depth. */
export function opaqueIn(context: Pick<Context, "isOpaque">, value: unknown): string | undefined {
  if (typeof value === "string") return context.isOpaque(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = context.isOpaque(key) ? key : opaqueIn(context, member);
    if (found !== undefined) return found;
  }
  return undefined;
}
