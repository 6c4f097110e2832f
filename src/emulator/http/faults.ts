import { z } from "zod";
import type { FaultKind, FaultPlan, FaultRule } from "../types";
import { parse } from "./validation";

/** Default of `afterWork`: whether the request is processed before the fault. */
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

interface ActiveRule {
  rule: FaultRule;
  matches(method: string, path: string): boolean;
  chance(): number;
  matched: number;
  injected: number;
}

/** The current fault plan with its counters. */
export class Faults {
  private rules: ActiveRule[] = [];

  constructor(plan?: FaultPlan) {
    this.set(plan);
  }

  /** Throws an HttpError that names the place in the plan and what is allowed. */
  set(plan?: FaultPlan): void {
    const { rules } = parse(schema, plan ?? { rules: [] });
    this.rules = rules.map((rule) => ({
      rule,
      matches: matcher(rule),
      chance: generator(rule.seed ?? 1),
      matched: 0,
      injected: 0,
    }));
  }

  /** The fault to inject into this request, if any. */
  next(method: string, path: string): Fault | undefined {
    for (const active of this.rules) {
      if (!active.matches(method, path)) continue;
      const { rule } = active;
      if (++active.matched <= (rule.after ?? 0) || active.injected >= (rule.times ?? Infinity)) continue;
      if (rule.probability !== undefined && active.chance() >= rule.probability) continue;
      active.injected++;
      return { ...rule, afterWork: rule.afterWork ?? AFTER_WORK[rule.kind] };
    }
    return undefined;
  }
}

function matcher(rule: FaultRule): (method: string, path: string) => boolean {
  const method = rule.method?.toUpperCase();
  const matchesPath = pathMatcher(rule);
  return (requested, path) => (method === undefined || method === requested) && matchesPath(path);
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
    return (requested) => expression.test(requested);
  }
  const prefix = path.endsWith("/") ? path : `${path}/`;
  return (requested) => requested === path || (!exact && requested.startsWith(prefix));
}

/** Mulberry32: a small random number generator that gives the same numbers on every platform. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
