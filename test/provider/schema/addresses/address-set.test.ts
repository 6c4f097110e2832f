import { isDeepStrictEqual } from "node:util";
import fc from "../../../support/fast-check";
import { AddressSet } from "../../../../src/schema/addresses/address-set";
import { blockOf, type Block } from "../../../../src/schema/addresses/block";
import { blocksOf, edges, holds, ranges } from "../../../tools/access/support";
import { cases } from "../../../support/cases";

const setOf = (cidrs: readonly string[]): AddressSet => AddressSet.ofBlocks(blocksOf(cidrs));
const sorted = (cidrs: readonly string[]): string[] => [...setOf(cidrs).cidrs()].sort();

/** Every set of five addresses in a row: the sets are the numbers from 0 to 31, an address is a binary digit. */
const inARow = 5;
const numbers = Array.from({ length: 2 ** inARow }, (_, number) => number);

function smallSets(first: string): { sets: AddressSet[]; single: (i: number) => Block } {
  const { family, first: begin } = blockOf(first)!;
  const single = (i: number): Block => ({ family, first: begin + BigInt(i), last: begin + BigInt(i) });
  const digits = [...Array(inARow).keys()];
  const sets = numbers.map((number) =>
    AddressSet.ofBlocks(digits.filter((i) => number & (1 << i)).map((i) => single(i))),
  );
  return { sets, single };
}

describe("a set of addresses", () => {
  it.each(["0.0.0.0", "10.0.0.3", "255.255.255.251", "::", "2001:db8::ffff", `${"ffff:".repeat(7)}fffb`])(
    "has the union, difference and intersection of any two sets of five addresses from %s on",
    (first) => {
      const { sets, single } = smallSets(first);
      const { family } = single(0);
      const wrong: [number, number][] = [];
      for (const a of numbers) {
        const set = sets[a]!;
        expect(set.size(family)).toBe(BigInt(a.toString(2).replaceAll("0", "").length));
        expect(set.isEmpty()).toBe(a === 0);
        for (let i = 0; i < inARow; i += 1) expect(set.overlaps(single(i))).toBe((a & (1 << i)) !== 0);
        for (const b of numbers) {
          const other = sets[b]!;
          // Equal sets are equal within: none holds an interval without addresses.
          const isRight =
            isDeepStrictEqual(set.union(other), sets[a | b]) &&
            isDeepStrictEqual(set.difference(other), sets[a & ~b]) &&
            isDeepStrictEqual(set.intersection(other), sets[a & b]);
          if (!isRight) wrong.push([a, b]);
        }
      }
      expect(wrong).toEqual([]);
    },
  );

  it("has the part that it shares with a range in its middle, and none with a range of the other family", () => {
    const set = setOf(["10.0.0.0/24", "10.0.2.0/24", "10.0.4.0/24"]);
    const shared = ["10.0.0.128/25", "10.0.2.0/24", "10.0.4.0/25"];
    const middle = setOf(["10.0.0.128/25", "10.0.1.0/24", "10.0.2.0/23", "10.0.4.0/25"]);
    expect(set.intersection(middle).cidrs()).toEqual(shared);
    expect(middle.intersection(set).cidrs()).toEqual(shared);
    expect(set.intersection(setOf(["::/0"])).isEmpty()).toBe(true);
  });

  it("of all addresses has every one of both families, and no more", () => {
    const all = setOf(["0.0.0.0/0", "::/0"]);
    expect(AddressSet.everything.cidrs()).toEqual(all.cidrs());
    expect(AddressSet.everything.difference(all).isEmpty()).toBe(true);
    expect([AddressSet.everything.size(4), AddressSet.everything.size(6)]).toEqual([1n << 32n, 1n << 128n]);
  });

  it("has the union, difference and containment that a naive check of each address has", () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const union = setOf(a).union(setOf(b));
        const difference = setOf(a).difference(setOf(b));
        const [inUnion, inDifference] = [blocksOf(union.cidrs()), blocksOf(difference.cidrs())];
        const [blocksA, blocksB] = [blocksOf(a), blocksOf(b)];
        for (const address of edges([...blocksA, ...blocksB])) {
          const [isInA, isInB] = [holds(blocksA, address), holds(blocksB, address)];
          const found = [union.overlaps(address), holds(inUnion, address)];
          const left = [difference.overlaps(address), holds(inDifference, address)];
          const isLeft = isInA && !isInB;
          expect([...found, ...left]).toEqual([isInA || isInB, isInA || isInB, isLeft, isLeft]);
        }
        expect(setOf(union.cidrs()).cidrs()).toEqual(union.cidrs());
        expect(setOf(difference.cidrs()).cidrs()).toEqual(difference.cidrs());
      }),
      { numRuns: cases(60, 600) },
    );
  });

  it("has the same ranges as cidr-tools", async () => {
    const { excludeCidr, mergeCidr } = await import("cidr-tools");
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const set = setOf(a);
        expect([...set.cidrs()].sort()).toEqual(sorted(mergeCidr(a)));
        expect(set.cidrs()).toHaveLength(mergeCidr(a).length);
        const difference = set.difference(setOf(b));
        const expected = excludeCidr(a, b);
        expect([...difference.cidrs()].sort()).toEqual(sorted(expected));
        expect(difference.cidrs()).toHaveLength(expected.length);
      }),
      { numRuns: cases(60, 600) },
    );
  });

  it("counts addresses, and knows when it covers a whole family in whatever parts", () => {
    const halves = setOf(["128.0.0.0/1", "0.0.0.0/1", "2001:db8::/32"]);
    expect(halves.cidrs()).toEqual(["0.0.0.0/0", "2001:db8::/32"]);
    expect([halves.size(4), halves.size(6)]).toEqual([2n ** 32n, 2n ** 96n]);
    expect([halves.coversFamily(4), halves.coversFamily(6)]).toEqual([true, false]);
    expect(setOf(["::/1", "8000::/1"]).coversFamily(6)).toBe(true);
    const allButOne = setOf(["0.0.0.0/0"]).difference(setOf(["203.0.113.9/32"]));
    expect([allButOne.coversFamily(4), allButOne.size(4), allButOne.cidrs().length]).toEqual([
      false,
      2n ** 32n - 1n,
      32,
    ]);
    expect(AddressSet.empty.isEmpty()).toBe(true);
    expect(AddressSet.empty.cidrs()).toEqual([]);
  });

  it("keeps an IPv4 range apart from its IPv4-mapped IPv6 form", () => {
    const set = setOf(["192.0.2.0/24"]);
    expect(set.difference(setOf(["::ffff:192.0.2.0/120"])).cidrs()).toEqual(set.cidrs());
    expect(setOf(["::ffff:192.0.2.0/120"]).cidrs()).toEqual(["::ffff:192.0.2.0/120"]);
  });
});
