import { z } from "zod";
import type { FaultKind, FaultPlan, FaultRule } from "./types";

/** Whether the work is done before the fault, where a rule does not say. */
const AFTER_WORK: Record<FaultKind, boolean> = {
  status: false,
  html: false,
  redirect: false,
  dropBefore: false,
  hang: false,
  dropAfter: true,
  truncate: true,
  garbage: true,
  slow: true,
  huge: true,
};

const count = z.int().min(0);

const schema = z.strictObject({
  rules: z.array(
    z
      .strictObject({
        kind: z.enum(Object.keys(AFTER_WORK) as [FaultKind, ...FaultKind[]]),
        method: z.string().optional(),
        path: z.string().optional(),
        exact: z.boolean().optional(),
        times: count.optional(),
        after: count.optional(),
        probability: z.number().min(0).max(1).optional(),
        seed: z.int().optional(),
        afterWork: z.boolean().optional(),
        status: z.int().min(200).max(599).optional(),
        retryAfter: z.union([z.number(), z.string()]).optional(),
        delayMs: z.number().min(0).optional(),
        body: z.unknown().optional(),
        location: z.string().optional(),
        sizeBytes: count.optional(),
      })
      .refine((rule) => rule.kind !== "redirect" || rule.location !== undefined, {
        error: "a redirect needs a location",
        path: ["location"],
      }),
  ),
});

export interface Fault extends FaultRule {
  afterWork: boolean;
}

interface Armed {
  rule: FaultRule;
  meets(method: string, path: string): boolean;
  chance(): number;
  seen: number;
  struck: number;
}

/** The plan in force, with its counters. */
export class Faults {
  private armed: Armed[] = [];

  constructor(plan?: FaultPlan) {
    this.set(plan);
  }

  set(plan?: FaultPlan): void {
    const checked = schema.safeParse(plan ?? { rules: [] });
    if (!checked.success) throw new Error(`the fault plan is wrong: ${z.prettifyError(checked.error)}`);
    this.armed = checked.data.rules.map((rule) => ({
      rule,
      meets: matcher(rule),
      chance: generator(rule.seed ?? 1),
      seen: 0,
      struck: 0,
    }));
  }

  /** The fault that meets this request, if any strikes. */
  strike(method: string, path: string): Fault | undefined {
    for (const armed of this.armed) {
      if (!armed.meets(method, path)) continue;
      const { rule } = armed;
      if (++armed.seen <= (rule.after ?? 0) || armed.struck >= (rule.times ?? Infinity)) continue;
      if (rule.probability !== undefined && armed.chance() >= rule.probability) continue;
      armed.struck++;
      return { ...rule, afterWork: rule.afterWork ?? AFTER_WORK[rule.kind] };
    }
    return undefined;
  }
}

function matcher(rule: FaultRule): (method: string, path: string) => boolean {
  const method = rule.method?.toUpperCase();
  const meetsPath = pathMatcher(rule);
  return (asked, path) => (method === undefined || method === asked) && meetsPath(path);
}

function pathMatcher({ path, exact }: FaultRule): (path: string) => boolean {
  if (path === undefined) return () => true;
  if (path.includes("*")) {
    const pattern = path
      .split(/(\*\*|\*)/)
      .map((part) =>
        part === "**" ? ".*" : part === "*" ? "[^/]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"),
      )
      .join("");
    const expression = new RegExp(`^${pattern}$`);
    return (asked) => expression.test(asked);
  }
  const prefix = path.endsWith("/") ? path : `${path}/`;
  return (asked) => asked === path || (!exact && asked.startsWith(prefix));
}

/** Mulberry32: small, and the same everywhere, so that a seed names a run. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
