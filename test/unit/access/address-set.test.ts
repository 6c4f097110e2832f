import fc from "fast-check";
import { AddressSet } from "../../../src/access/address-set";
import { blocksOf, edges, holds, ranges } from "./support";

const sorted = (cidrs: readonly string[]): string[] => [...AddressSet.of(cidrs).cidrs()].sort();

describe("a set of addresses", () => {
  it("has the union, difference and containment that a naive check of each address has", () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const union = AddressSet.of(a).union(AddressSet.of(b));
        const difference = AddressSet.of(a).difference(AddressSet.of(b));
        const [inUnion, inDifference] = [blocksOf(union.cidrs()), blocksOf(difference.cidrs())];
        const [blocksA, blocksB] = [blocksOf(a), blocksOf(b)];
        for (const address of edges([...blocksA, ...blocksB])) {
          const [isInA, isInB] = [holds(blocksA, address), holds(blocksB, address)];
          const found = [union.overlaps(address), holds(inUnion, address)];
          const left = [difference.overlaps(address), holds(inDifference, address)];
          const isLeft = isInA && !isInB;
          expect([...found, ...left]).toEqual([isInA || isInB, isInA || isInB, isLeft, isLeft]);
        }
        expect(AddressSet.of(union.cidrs()).equals(union)).toBe(true);
        expect(AddressSet.of(difference.cidrs()).equals(difference)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("has the same ranges as cidr-tools", async () => {
    const { excludeCidr, mergeCidr } = await import("cidr-tools");
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const set = AddressSet.of(a);
        expect([...set.cidrs()].sort()).toEqual(sorted(mergeCidr(a)));
        expect(set.cidrs()).toHaveLength(mergeCidr(a).length);
        const difference = set.difference(AddressSet.of(b));
        const expected = excludeCidr(a, b);
        expect([...difference.cidrs()].sort()).toEqual(sorted(expected));
        expect(difference.cidrs()).toHaveLength(expected.length);
      }),
      { numRuns: 300 },
    );
  });

  it("counts addresses, and knows when it covers a whole family in whatever parts", () => {
    const halves = AddressSet.of(["128.0.0.0/1", "0.0.0.0/1", "2001:db8::/32"]);
    expect(halves.cidrs()).toEqual(["0.0.0.0/0", "2001:db8::/32"]);
    expect([halves.size(4), halves.size(6)]).toEqual([2n ** 32n, 2n ** 96n]);
    expect([halves.coversFamily(4), halves.coversFamily(6)]).toEqual([true, false]);
    expect(AddressSet.of(["::/1", "8000::/1"]).coversFamily(6)).toBe(true);
    const allButOne = AddressSet.of(["0.0.0.0/0"]).difference(AddressSet.of(["203.0.113.9/32"]));
    expect([allButOne.coversFamily(4), allButOne.size(4), allButOne.cidrs().length]).toEqual([
      false,
      2n ** 32n - 1n,
      32,
    ]);
    expect(AddressSet.empty.isEmpty()).toBe(true);
    expect(AddressSet.empty.cidrs()).toEqual([]);
  });

  it("keeps an IPv4 range apart from its IPv4-mapped IPv6 form", () => {
    const set = AddressSet.of(["192.0.2.0/24"]);
    expect(set.difference(AddressSet.of(["::ffff:192.0.2.0/120"])).equals(set)).toBe(true);
    expect(AddressSet.of(["::ffff:192.0.2.0/120"]).cidrs()).toEqual(["::ffff:192.0.2.0/120"]);
  });

  it.each(["", "10.0.0", "10.0.0.1/8", "010.0.0.0/8", "::/129", "fe80::%eth0/64"])("refuses %j", (text) => {
    expect(() => AddressSet.of([text])).toThrow("is not a network address in CIDR notation");
  });
});
