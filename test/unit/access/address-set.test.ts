import fc from "fast-check";
import { AddressSet } from "../../../src/access/address-set";
import { blockOf } from "../../../src/access/block";
import { blocksOf, edges, holds, ranges } from "./support";

const setOf = (cidrs: readonly string[]): AddressSet => AddressSet.ofBlocks(blocksOf(cidrs));
const sorted = (cidrs: readonly string[]): string[] => [...setOf(cidrs).cidrs()].sort();

describe("a set of addresses", () => {
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
      { numRuns: 300 },
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
      { numRuns: 300 },
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

  it.each(["", "10.0.0", "10.0.0.1/8", "010.0.0.0/8", "::/129", "fe80::%eth0/64"])(
    "has no block for %j",
    (text) => expect(blockOf(text)).toBeUndefined(),
  );
});
