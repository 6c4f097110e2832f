/** A range in CIDR notation as two numbers. Two blocks are either nested or disjoint. */
import { parse } from "../formats/cidr";

/** The version of IP. */
export type Family = 4 | 6;

export const families = [4, 6] as const;

/** The number of bits of an address. */
export const widths = { 4: 32, 6: 128 } as const;

/** Consecutive addresses of one family, both ends included. */
export interface Interval {
  readonly first: bigint;
  readonly last: bigint;
}

export interface Block extends Interval {
  readonly family: Family;
}

/** The number of its addresses. */
export function sizeOf({ first, last }: Interval): bigint {
  return last - first + 1n;
}

/** Reads an address or a range; undefined for a value that is neither. */
export function blockOf(cidr: unknown): Block | undefined {
  const range = typeof cidr === "string" ? parse(cidr) : undefined;
  if (!range) return undefined;
  const { family, bytes, prefix } = range;
  const first = numberOf(bytes);
  const size = 1n << BigInt(widths[family] - prefix);
  return { family, first, last: first + size - 1n };
}

/** The block that holds one address of four or sixteen bytes. */
export function blockOfAddress(bytes: readonly number[]): Block {
  const address = numberOf(bytes);
  return { family: bytes.length === 4 ? 4 : 6, first: address, last: address };
}

function numberOf(bytes: readonly number[]): bigint {
  if (bytes.length === 4) return BigInt(bytes.reduce((number, byte) => number * 256 + byte, 0));
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** The narrowest range around two ranges of one family. */
export function blockAround({ family, first }: Block, { last }: Interval): Block {
  const hostBits = first === last ? 0n : BigInt((first ^ last).toString(2).length);
  const start = (first >> hostBits) << hostBits;
  return { family, first: start, last: start + (1n << hostBits) - 1n };
}

/** A block inside another one, which may be the same range. */
export interface Nested<T> {
  readonly inner: T;
  /** The narrowest one around it; of two that are the same range, the one that comes first. */
  readonly outer: T;
}

/** Every item whose block lies inside another item's block. Sorts the items once: n log n. */
export function nested<T>(items: readonly T[], blockOf: (item: T) => Block): Nested<T>[] {
  const found: Nested<T>[] = [];
  const sorted = items
    .map((item) => ({ item, block: blockOf(item) }))
    .sort((a, b) => compareBlocks(a.block, b.block));
  // In this order a block follows all those around it, so the ones around the current block form a stack.
  const around: typeof sorted = [];
  for (const inner of sorted) {
    while (around.length > 0 && !contains(around.at(-1)!.block, inner.block)) around.pop();
    const outer = around.at(-1);
    if (outer) found.push({ inner: inner.item, outer: outer.item });
    around.push(inner);
  }
  return found;
}

/** The order by family and first address, the wider block first. */
export function compareBlocks(a: Block, b: Block): number {
  return a.family - b.family || Number(a.first - b.first) || Number(b.last - a.last);
}

/** Whether a block that does not begin later contains the other one. */
function contains(outer: Block, inner: Block): boolean {
  return outer.family === inner.family && outer.last >= inner.last;
}
