/** The ranges of an access list: which are wrong, which stand twice and which lie inside of another. */
import { canonical, parse, problem } from "../schema/formats/cidr";
import type { Range } from "../schema/formats/cidr";
import type { Problem } from "../schema/validate";

export type Action = "allow" | "deny";

/** One range as the program wrote it. */
export interface Entry<T> {
  readonly action: Action;
  /** Where it stands: `allow[3]` or `deny[0].cidr`. */
  readonly path: string;
  readonly cidr: string;
  /** What the caller knows of it beside. */
  readonly entry: T;
}

/** One range in its one spelling. */
export interface Placed<T> extends Entry<T> {
  readonly canonical: string;
  readonly range: Range;
}

/** A range inside of another one. */
export interface Overlap<T> {
  readonly inner: Placed<T>;
  /** The narrowest range around it. */
  readonly outer: Placed<T>;
}

/** The ranges that can be used, in the program's order, and what is wrong with the others. */
export function place<T>(entries: readonly Entry<T>[]): { placed: Placed<T>[]; problems: Problem[] } {
  const problems: Problem[] = [];
  const first = new Map<string, Placed<T>>();
  for (const entry of entries) {
    const { path, cidr, action } = entry;
    const range = parse(cidr);
    if (range === undefined) {
      problems.push({ path, clause: `must be a network address in CIDR notation; ${problem(cidr) ?? ""}` });
      continue;
    }
    const spelling = canonical(cidr);
    const twin = first.get(spelling);
    if (twin === undefined) first.set(spelling, { ...entry, canonical: spelling, range });
    else problems.push({ path, clause: doubled(action, spelling, twin) });
  }
  return { placed: [...first.values()], problems };
}

function doubled(action: Action, spelling: string, twin: Entry<unknown>): string {
  return twin.action === action
    ? `${spelling} stands already at ${twin.path}`
    : `${spelling} stands at ${twin.path} too, and a range is either allowed or denied`;
}

/** Every range that lies inside of another, by one walk over the sorted ranges. */
export function overlaps<T>(placed: readonly Placed<T>[]): Overlap<T>[] {
  const found: Overlap<T>[] = [];
  // Sorted, a range follows what it lies in, so those around the present one are a stack.
  const around: Placed<T>[] = [];
  for (const inner of [...placed].sort((a, b) => inOrder(a.range, b.range))) {
    while (around.length > 0 && !holds(around[around.length - 1]!.range, inner.range)) around.pop();
    const outer = around[around.length - 1];
    if (outer) found.push({ inner, outer });
    around.push(inner);
  }
  return found;
}

function inOrder(a: Range, b: Range): number {
  if (a.family !== b.family) return a.family - b.family;
  for (let i = 0; i < a.bytes.length; i++) {
    if (a.bytes[i] !== b.bytes[i]) return a.bytes[i]! - b.bytes[i]!;
  }
  return a.prefix - b.prefix;
}

function holds(outer: Range, inner: Range): boolean {
  if (outer.family !== inner.family || outer.prefix > inner.prefix) return false;
  return outer.bytes.every((byte, i) => {
    const bits = Math.min(8, Math.max(0, outer.prefix - i * 8));
    return byte === (inner.bytes[i]! & (0xff << (8 - bits)) & 0xff);
  });
}
