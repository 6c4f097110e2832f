/** Sets of IPv4 and IPv6 addresses: union, difference, size and the fewest ranges in CIDR notation. */
import { formatAddress } from "../formats/cidr";
import { blockOf, families, widths } from "./block";
import type { Block, Family, Interval } from "./block";

/**
 * An immutable set of addresses. An IPv4 address and its IPv4-mapped IPv6 form (`::ffff:192.0.2.1`) are two
 * different addresses.
 */
export class AddressSet {
  static readonly empty = new AddressSet({ 4: [], 6: [] });
  /** Every address of both families. */
  static readonly everything = AddressSet.perFamily((family) => [
    { first: 0n, last: (1n << BigInt(widths[family])) - 1n },
  ]);

  private ranges: readonly string[] | undefined;

  /** Per family: sorted, disjoint and not adjacent. Equal sets have equal intervals. */
  private constructor(private readonly intervals: Readonly<Record<Family, readonly Interval[]>>) {}

  /** The addresses of blocks in any order, which may repeat and overlap. */
  static ofBlocks(blocks: readonly Block[]): AddressSet {
    return AddressSet.perFamily((each) => merged(blocks.filter(({ family }) => family === each)));
  }

  /** The addresses of texts. One that is not an address or range, as a service may answer it, has none. */
  static ofRanges(texts: readonly string[]): AddressSet {
    return AddressSet.ofBlocks(texts.flatMap((text) => blockOf(text) ?? []));
  }

  private static perFamily(intervals: (family: Family) => Interval[]): AddressSet {
    return new AddressSet({ 4: intervals(4), 6: intervals(6) });
  }

  /** The addresses that are in this set or in one of the others. */
  union(...others: readonly AddressSet[]): AddressSet {
    return AddressSet.unionOf([this, ...others]);
  }

  /** The addresses that are in one of the sets at least. */
  static unionOf(sets: readonly AddressSet[]): AddressSet {
    return AddressSet.perFamily((family) => merged(sets.flatMap((set) => set.intervals[family])));
  }

  /** The addresses of this set that are not in the other one. */
  difference(other: AddressSet): AddressSet {
    return AddressSet.perFamily((family) => without(this.intervals[family], other.intervals[family]));
  }

  /** The addresses that are in both sets. It takes the time of the smaller set, times the logarithm of the other. */
  intersection(other: AddressSet): AddressSet {
    return AddressSet.perFamily((family) => {
      const [a, b] = [this.intervals[family], other.intervals[family]];
      return a.length < b.length ? common(a, b) : common(b, a);
    });
  }

  isEmpty(): boolean {
    return families.every((family) => this.intervals[family].length === 0);
  }

  /** Whether every address of the family is in the set. */
  coversFamily(family: Family): boolean {
    return this.size(family) === 1n << BigInt(widths[family]);
  }

  /** Whether at least one address of the block is in the set. It takes logarithmic time. */
  overlaps({ family, first, last }: Block): boolean {
    const intervals = this.intervals[family];
    const next = firstEndingAt(intervals, first);
    return next < intervals.length && intervals[next]!.first <= last;
  }

  /** Whether every address of the block is in the set. It takes logarithmic time. */
  contains({ family, first, last }: Block): boolean {
    const intervals = this.intervals[family];
    const next = intervals[firstEndingAt(intervals, first)];
    return next !== undefined && next.first <= first && next.last >= last;
  }

  /** The number of addresses of a family, from 0 to 2^32 or 2^128. */
  size(family: Family): bigint {
    return this.intervals[family].reduce((sum, { first, last }) => sum + last - first + 1n, 0n);
  }

  /** The fewest ranges that hold exactly these addresses: ascending, IPv4 first. */
  blocks(): Block[] {
    return families.flatMap((family) => this.intervals[family].flatMap((each) => blocksOf(family, each)));
  }

  /** {@link blocks} in canonical form. */
  cidrs(): readonly string[] {
    this.ranges ??= this.blocks().map(cidrOf);
    return this.ranges;
  }
}

/** The same addresses as sorted intervals that neither overlap nor touch. */
function merged(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => Number(a.first - b.first));
  const found: Interval[] = [];
  for (const { first, last } of sorted) {
    const previous = found.at(-1);
    if (!previous || first > previous.last + 1n) found.push({ first, last });
    else if (last > previous.last) found[found.length - 1] = { first: previous.first, last };
  }
  return found;
}

/** The index of the first interval that does not end before an address. The intervals are merged. */
function firstEndingAt(intervals: readonly Interval[], address: bigint): number {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (intervals[middle]!.last < address) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Both are merged; so is the result. */
function common(few: readonly Interval[], many: readonly Interval[]): Interval[] {
  const found: Interval[] = [];
  for (const { first, last } of few) {
    for (let i = firstEndingAt(many, first); i < many.length && many[i]!.first <= last; i += 1) {
      const other = many[i]!;
      found.push({
        first: other.first > first ? other.first : first,
        last: other.last < last ? other.last : last,
      });
    }
  }
  return found;
}

/** Both are merged; so is the result. */
function without(intervals: readonly Interval[], removed: readonly Interval[]): Interval[] {
  const found: Interval[] = [];
  let next = 0;
  for (const { first, last } of intervals) {
    let start = first;
    while (next < removed.length && removed[next]!.last < start) next += 1;
    for (let i = next; i < removed.length && removed[i]!.first <= last; i += 1) {
      if (removed[i]!.first > start) found.push({ first: start, last: removed[i]!.first - 1n });
      start = removed[i]!.last + 1n;
    }
    if (start <= last) found.push({ first: start, last });
  }
  return found;
}

/** The interval as blocks: from its first address on, always the widest block that begins there and fits. */
function blocksOf(family: Family, { first, last }: Interval): Block[] {
  const found: Block[] = [];
  for (let start = first; start <= last;) {
    const aligned = start === 0n ? widths[family] : bitsOf(start & -start) - 1;
    const fits = bitsOf(last - start + 1n) - 1;
    const next = start + (1n << BigInt(Math.min(aligned, fits)));
    found.push({ family, first: start, last: next - 1n });
    start = next;
  }
  return found;
}

/** A block in canonical form. */
export function cidrOf({ family, first, last }: Block): string {
  const width = widths[family];
  return formatAddress(bytesOf(first, width), width - bitsOf(last - first + 1n) + 1);
}

/** The number of binary digits of a number above 0. */
function bitsOf(value: bigint): number {
  const digits = value.toString(16);
  const [first = ""] = digits;
  return 4 * digits.length - (first < "2" ? 3 : first < "4" ? 2 : first < "8" ? 1 : 0);
}

function bytesOf(address: bigint, width: number): number[] {
  if (width === 32) {
    const number = Number(address);
    return [number >>> 24, (number >>> 16) & 0xff, (number >>> 8) & 0xff, number & 0xff];
  }
  return [...Buffer.from(address.toString(16).padStart(width / 4, "0"), "hex")];
}
