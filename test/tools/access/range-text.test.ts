import fc from "../../support/fast-check";
import { AddressSet } from "../../../src/schema/addresses/address-set";
import { rangeList, rangesText, termsOf } from "../../../src/tools/access/range-text";
import { blocksOf, ranges } from "./support";
import { cases } from "../../support/cases";

const setOf = (cidrs: readonly string[]): AddressSet => AddressSet.ofBlocks(blocksOf(cidrs));
const without = (cidrs: readonly string[], removed: readonly string[]): string =>
  rangesText(rangeList(setOf(cidrs).difference(setOf(removed))));

describe("the sum of ranges", () => {
  it.each<[string, string[], string[], string]>([
    [
      "one hole",
      ["198.51.0.0/16"],
      ["198.51.100.0/24"],
      "198.51.0.0/16 except 198.51.100.0/24 (65,280 addresses)",
    ],
    ["no hole", ["198.51.0.0/16"], [], "198.51.0.0/16 (65,536 addresses)"],
    ["a half", ["198.51.0.0/16"], ["198.51.0.0/17"], "198.51.128.0/17 (32,768 addresses)"],
    [
      "several holes",
      ["10.0.0.0/8"],
      ["10.1.0.0/16", "10.77.3.0/24"],
      "10.0.0.0/8 except 10.1.0.0/16 and 10.77.3.0/24 (16,711,424 addresses)",
    ],
    [
      "a hole beside other ranges",
      ["10.0.0.0/8", "192.0.2.0/24"],
      ["10.1.0.0/16"],
      "10.0.0.0/8 (except 10.1.0.0/16) and 192.0.2.0/24 (16,711,936 addresses)",
    ],
    [
      "all but one address",
      ["::/0"],
      ["2001:db8::1"],
      "::/0 except 2001:db8::1/128 (more than 2^127 addresses)",
    ],
    ["two ranges", ["10.0.0.0/8", "192.0.2.0/24"], [], "10.0.0.0/8 and 192.0.2.0/24 (16,777,472 addresses)"],
    ["nothing", ["10.0.0.0/8"], ["10.0.0.0/8"], "no address"],
  ])("is written with %s", (_, cidrs, removed, text) => {
    expect(without(cidrs, removed)).toBe(text);
  });

  it("has exactly the addresses of the ranges, and never more names", () => {
    fc.assert(
      fc.property(ranges, ranges, (some, others) => {
        const set = setOf(some).difference(setOf(others));
        const terms = termsOf(set.cidrs());
        const sum = AddressSet.empty.union(
          ...terms.map(({ range, except }) => setOf([range]).difference(setOf(except))),
        );
        expect(sum.cidrs()).toEqual(set.cidrs());
        const names = terms.reduce((count, { except }) => count + 1 + except.length, 0);
        expect(names).toBeLessThanOrEqual(set.cidrs().length);
      }),
      { numRuns: cases(200, 2000) },
    );
  });
});
