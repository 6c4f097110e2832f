/** The fewest other addresses with a bounded number of ranges, against all sets of ranges of a small universe. */
import fc from "../../../support/fast-check";
import { fewRanges } from "../../../../src/tools/access/few-ranges";
import { blockOf } from "../../../../src/schema/addresses/block";
import type { Block } from "../../../../src/schema/addresses/block";
import { cidrOf } from "../../../../src/schema/addresses/address-set";
import { cases, seedOf } from "../../../support/cases";

interface Range {
  readonly cidr: string;
  /** A bit for each address. */
  readonly mask: number;
  readonly prefix: number;
}

/** Every range of 2^bits addresses. */
function rangesOf(bits: number): Range[] {
  return Array.from({ length: bits + 1 }, (_, free) =>
    Array.from({ length: 1 << (bits - free) }, (_, i) => ({
      cidr: `10.0.0.${i << free}/${32 - free}`,
      mask: ((1 << (1 << free)) - 1) << (i << free),
      prefix: 32 - free,
    })),
  ).flat();
}

const bitsIn = (mask: number): number => mask.toString(2).replaceAll("0", "").length;
const blockOfAddress = (i: number): Block => blockOf(`10.0.0.${i}`)!;

interface Best {
  readonly extra: number;
  readonly count: number;
}

/** For each union of ranges that may be used, the fewest of them that make it, by trying all sets of ranges; 255 for none. */
function fewestByUnion(ranges: readonly Range[], bits: number): Uint8Array {
  const fewest = new Uint8Array(2 ** (2 ** bits)).fill(255);
  fewest[0] = 0;
  for (const { mask } of ranges)
    for (let union = 0; union < fewest.length; union += 1) {
      const more = union | mask;
      if (fewest[union]! + 1 < fewest[more]!) fewest[more] = fewest[union]! + 1;
    }
  return fewest;
}

/** The best of all sets of at most so many ranges; the number that is needed where none holds all clients. */
function bestOf(fewest: Uint8Array, clients: number, most: number): Best | number {
  let [best, needed]: [Best | undefined, number] = [undefined, 255];
  fewest.forEach((count, union) => {
    if ((clients & ~union) !== 0 || count === 255) return;
    needed = Math.min(needed, count);
    if (count > most) return;
    const extra = bitsIn(union & ~clients);
    if (!best || extra < best.extra || (extra === best.extra && count < best.count)) best = { extra, count };
  });
  return best ?? needed;
}

/** What the package finds, as numbers; and that it uses only what may be used, and holds all clients. */
function foundOf(ranges: readonly Range[], clients: number, most: number, bits: number): Best | number {
  const blocks = Array.from({ length: 1 << bits }, (_, i) => i)
    .filter((i) => clients & (1 << i))
    .map(blockOfAddress);
  const free = new Map(ranges.map((each) => [each.cidr, each]));
  const found = fewRanges(blocks, most, (block) => free.has(cidrOf(block)));
  if ("needed" in found) return found.needed;
  const used = found.ranges.map((block) => free.get(cidrOf(block))!);
  const union = used.reduce((mask, each) => mask | each.mask, 0);
  expect(clients & ~union).toBe(0);
  return { extra: bitsIn(union & ~clients), count: used.length };
}

/** Everything that lies in an allowed address set and is not too wide may be used. */
const usable = (ranges: readonly Range[], allowed: number, minPrefix: number): Range[] =>
  ranges.filter(({ mask, prefix }) => prefix >= minPrefix && (mask & ~allowed) === 0);

function compare(ranges: readonly Range[], clients: number, most: number, bits: number): void {
  const best = bestOf(fewestByUnion(ranges, bits), clients, most);
  expect([clients.toString(2), most, foundOf(ranges, clients, most, bits)]).toEqual([
    clients.toString(2),
    most,
    best,
  ]);
}

it("is the best of all sets of ranges for all clients of a /29, and every bound", () => {
  const ranges = rangesOf(3);
  const fewest = fewestByUnion(ranges, 3);
  for (let clients = 1; clients < 256; clients += 1)
    for (let most = 1; most <= 8; most += 1)
      expect(foundOf(ranges, clients, most, 3)).toEqual(bestOf(fewest, clients, most));
});

it("is the best of all sets of ranges of a /28 that today's access and the narrowest prefix leave", () => {
  const ranges = rangesOf(4);
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 65_535 }),
      fc.integer({ min: 1, max: 65_535 }),
      fc.integer({ min: 28, max: 32 }),
      fc.integer({ min: 1, max: 9 }),
      (some, others, minPrefix, most) => {
        // Everything that a client has is allowed.
        compare(usable(ranges, some | others, minPrefix), some, most, 4);
        compare(usable(ranges, 65_535, minPrefix), some & others || some, most, 4);
      },
    ),
    { numRuns: cases(60, 2000), seed: seedOf(42) },
  );
});

it("weighs both families together, and says how many ranges are needed", () => {
  const blocks = ["192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"].map((each) => blockOf(each)!);
  const rangesFor = (most: number, isFree: (block: Block) => boolean = () => true) => {
    const found = fewRanges(blocks, most, isFree);
    return "needed" in found ? found.needed : found.ranges.map(cidrOf);
  };
  expect(rangesFor(4)).toEqual(["192.0.2.1/32", "192.0.2.2/32", "2001:db8::1/128", "2001:db8::2/128"]);
  expect(rangesFor(2)).toEqual(["192.0.2.0/30", "2001:db8::/126"]);
  expect(rangesFor(1)).toBe(2);
  expect(rangesFor(3, ({ family, first, last }) => family === 6 || first === last)).toEqual([
    "192.0.2.1/32",
    "192.0.2.2/32",
    "2001:db8::/126",
  ]);
  expect(rangesFor(2, ({ first, last }) => first === last)).toBe(4);
});
