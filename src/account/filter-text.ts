/** Filters of the command line: `field=value`. */
import { GatewayError } from "../provider/errors";
import { isRecord, valueAt } from "../schema/unknown";
import { globPattern } from "../schema/text/glob";
import type { Glob } from "../schema/text/glob";

/**
 * Whether an object matches all of the texts; `*` matches any text, and a list matches where one of its items does. Throws a
 * GatewayError for another text, and with what `problemWith` says of a field.
 */
export function textFilter(
  texts: readonly string[],
  problemWith: (field: string) => string | undefined,
): (object: object) => boolean {
  const wanted = texts.map((text) => {
    const [path = "", ...value] = text.split("=");
    if (path === "" || value.length === 0)
      throw new GatewayError(
        `--filter takes field=value, such as description=office*; not ${JSON.stringify(text)}`,
      );
    const problem = problemWith(path.split(".")[0]!);
    if (problem !== undefined) throw new GatewayError(problem);
    return { path, pattern: globPattern(value.join("=")) };
  });
  return (object) => wanted.every(({ path, pattern }) => fits(valueAt(object, path), pattern));
}

function fits(value: unknown, pattern: Glob): boolean {
  return Array.isArray(value) ? value.some((item) => fits(item, pattern)) : pattern.test(inline(value));
}

/** Any value as one line. */
export function inline(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(inline).join(", ");
  if (isRecord(value)) {
    // The id of a reference is enough for a reader.
    if (typeof value.id === "string" && typeof value.uri === "string") return value.id;
    return Object.entries(value)
      .map(([name, member]) => `${name}=${inline(member)}`)
      .join(", ");
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
