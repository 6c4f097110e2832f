/** The fewest ranges that cover addresses, each up to a time of its own. */
import { blockAround, compareBlocks, families, widths, sizeOf } from "./block";
import type { Block, Family } from "./block";

/** A range, and until when its addresses are to be covered, or something else covers them, in any unit of time. */
export interface Share {
  readonly block: Block;
  /** Default: never. An address of several shares is to be covered until the last of their times. */
  readonly until?: number;
  /** Default: never. */
  readonly coveredUntil?: number;
}

/** A range that covers all its addresses up to a time. */
export interface Cover {
  readonly block: Block;
  /** The free ranges that may be used instead, from the range itself to the widest one. */
  readonly choices: readonly Block[];
}

/** The addresses up to the next segment. */
interface Segment {
  readonly first: bigint;
  readonly until: number;
  /** Whether nothing else covers the addresses that long. */
  readonly isOwed: boolean;
}

const never = -Infinity;

/**
 * At every time the ranges cover all addresses that something else does not cover though they are to be covered, and no
 * address that is not to be covered. There are the fewest of them: of the ranges whose addresses are all to be covered for
 * longer than those of the range around them, each is needed, or a part of it, if it has addresses that nothing else covers,
 * and no other is. It takes the time of sorting the shares, and of the length of an address for each.
 * @param isFree whether a range may be used; where it may not, its halves take its place.
 * @returns undefined where an address is left whose range may not be used.
 */
export function fewestCovers(
  shares: readonly Share[],
  isFree: (block: Block) => boolean,
): Cover[] | undefined {
  const found: Cover[] = [];
  const isCovered = families.every((family) => {
    const own = shares.filter(({ block }) => block.family === family);
    if (own.length === 0) return true;
    const segments = segmentsOf(own);
    const whole = { family, first: 0n, last: lastOf(family) };
    return coverIn(whole, segments, { low: 0, high: segments.length, since: never, isFree, found });
  });
  return isCovered ? found : undefined;
}

/** The first time at which one of these addresses, all of which must be covered, no longer is. */
export function endsWithin(shares: readonly Share[]): (block: Block) => number {
  const byFamily = Map.groupBy(shares, ({ block }) => block.family);
  const segmentsBy = new Map([...byFamily].map(([family, own]) => [family, segmentsOf(own)]));
  return ({ family, first, last }) => {
    const segments = segmentsBy.get(family) ?? [];
    const from = firstFrom(segments, 0, segments.length, first + 1n) - 1;
    const to = firstFrom(segments, 0, segments.length, last + 1n);
    return segments.slice(from, to).reduce((end, { until }) => Math.min(end, until), Infinity);
  };
}

function lastOf(family: Family): bigint {
  return (1n << BigInt(widths[family])) - 1n;
}

/** The segments of all addresses of the family of the shares. Shares are nested or disjoint, so the open ones are a stack. */
function segmentsOf(shares: readonly Share[]): Segment[] {
  const found: Segment[] = [];
  const outside = { last: -1n, until: never, covered: never };
  const around: (typeof outside)[] = [];
  const begin = (first: bigint): void => {
    const { until, covered } = around.at(-1) ?? outside;
    if (found.at(-1)?.first === first) found.pop();
    const isOwed = until > covered;
    const before = found.at(-1);
    if (before?.until !== until || before.isOwed !== isOwed) found.push({ first, until, isOwed });
  };
  const endBefore = (first: bigint): void => {
    for (let open = around.at(-1); open && open.last < first; open = around.at(-1)) {
      around.pop();
      begin(open.last + 1n);
    }
  };
  begin(0n);
  for (const { block, until = never, coveredUntil = never } of [...shares].sort((a, b) =>
    compareBlocks(a.block, b.block),
  )) {
    endBefore(block.first);
    const outer = around.at(-1) ?? outside;
    around.push({
      last: block.last,
      until: Math.max(outer.until, until),
      covered: Math.max(outer.covered, coveredUntil),
    });
    begin(block.first);
  }
  const end = lastOf(shares[0]!.block.family) + 1n;
  endBefore(end);
  return found.at(-1)!.first === end ? found.slice(0, -1) : found;
}

interface Scope {
  /** The segments that the range has addresses of: from this one on, before that one. */
  readonly low: number;
  readonly high: number;
  /** What is to be covered up to this time or a shorter one has a range around it. */
  readonly since: number;
  readonly isFree: (block: Block) => boolean;
  readonly found: Cover[];
}

/** Whether everything in the range could be covered. */
function coverIn(block: Block, segments: readonly Segment[], scope: Scope): boolean {
  const { low, high, since, isFree, found } = scope;
  const { until, own, all } = owedIn(segments, scope);
  if (!all) return true;
  const spanOf = (part: Part): Block => {
    const [start, next] = [segments[part.from]!.first, segments[part.to + 1]?.first];
    const first = start > block.first ? start : block.first;
    const last = next === undefined || next > block.last ? block.last : next - 1n;
    return blockAround({ ...block, first }, { first, last });
  };
  const inner = spanOf(all);
  // Nothing is owed outside of a narrower range.
  if (sizeOf(inner) < sizeOf(block)) {
    const from = firstFrom(segments, low, high, inner.first + 1n) - 1;
    const to = firstFrom(segments, from, high, inner.last + 1n);
    return coverIn(inner, segments, { ...scope, low: from, high: to });
  }
  const isNarrowest = own !== undefined && sizeOf(spanOf(own)) === sizeOf(block);
  const choices = isNarrowest ? rangesAround(block, until, segments).filter(isFree) : [];
  const [used] = choices;
  if (used) found.push({ block: used, choices });
  if (block.first === block.last) return used !== undefined;
  const middle = block.first + sizeOf(block) / 2n;
  const within = { ...scope, since: used ? until : since };
  const next = firstFrom(segments, low, high, middle);
  const straddles = next === high || segments[next]!.first !== middle;
  return (
    coverIn({ ...block, last: middle - 1n }, segments, { ...within, high: next }) &&
    coverIn({ ...block, first: middle }, segments, { ...within, low: straddles ? next - 1 : next })
  );
}

/** The range, and those around it whose addresses are all to be covered as long: they may be used instead. */
function rangesAround(block: Block, until: number, segments: readonly Segment[]): Block[] {
  const found: Block[] = [];
  for (let next = block; isOwedIn(next, until, segments);) {
    found.push(next);
    const size = 2n * sizeOf(next);
    if (size > lastOf(next.family) + 1n) break;
    const first = next.first - (next.first % size);
    next = { ...next, first, last: first + size - 1n };
  }
  return found;
}

/** Whether all addresses of the range are to be covered up to the time. */
function isOwedIn({ first, last }: Block, until: number, segments: readonly Segment[]): boolean {
  for (let i = firstFrom(segments, 0, segments.length, first + 1n) - 1; i < segments.length; i += 1) {
    if (segments[i]!.first > last) return true;
    if (segments[i]!.until < until) return false;
  }
  return true;
}

/** The first and the last of some segments. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** What is owed in a range: all of it, and its own, up to the time up to which all its addresses are to be covered. */
function owedIn(segments: readonly Segment[], { low, high, since }: Scope) {
  let until = Infinity;
  let own: Part | undefined;
  let all: Part | undefined;
  for (let i = low; i < high; i += 1) {
    const segment = segments[i]!;
    if (segment.until < until) {
      until = segment.until;
      own = undefined;
    }
    if (!segment.isOwed || segment.until <= since) continue;
    all = { from: all?.from ?? i, to: i };
    if (segment.until === until) own = { from: own?.from ?? i, to: i };
  }
  return { until, own, all };
}

/** The index of the first segment from `low` on that does not begin before the address; `high` where there is none. */
function firstFrom(segments: readonly Segment[], low: number, high: number, address: bigint): number {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (segments[middle]!.first < address) from = middle + 1;
    else to = middle;
  }
  return from;
}
