import fc from "fast-check";
import { AddressSet } from "../../../src/access/address-set";
import { blockOf } from "../../../src/access/block";
import { accessAnswer } from "../../../src/access/report";
import { askedNaively } from "./naive";
import { inventoryOf, worlds } from "./worlds";

const askedFor = (cidr: string): AddressSet => AddressSet.ofBlocks([blockOf(cidr)!]);

const leastQuestions = 100_000;

describe("the verdict about an address", () => {
  it("is that of a naive computation, for random previews with unknown values, stacks and accounts", () => {
    const seen = askedNaively(leastQuestions);
    expect([...seen.keys()].sort()).toEqual([
      "allowed",
      "denied",
      "open",
      "undecided",
      "unknown",
      "unmatched",
    ]);
    // Every verdict is common enough to be wrong somewhere.
    expect(Math.min(...seen.values())).toBeGreaterThan(leastQuestions / 100);
  });

  it("is in exactly one piece, and the pieces are the query", () => {
    fc.assert(
      fc.property(
        worlds,
        fc.constantFrom("10.0.0.0/29", "0.0.0.0/0", "2001:db8::/124", "::/0"),
        ({ source, world }, cidr) => {
          const query = askedFor(cidr);
          const answers = [
            accessAnswer(inventoryOf(source, [world]), query),
            accessAnswer(inventoryOf(source, [world])),
          ];
          answers.forEach(({ resources }, isWhole) => {
            for (const { pieces } of resources) {
              const sets = pieces.map(({ ranges }) =>
                AddressSet.ofBlocks(ranges.map((each) => blockOf(each)!)),
              );
              const size = (family: 4 | 6): bigint => sets.reduce((sum, set) => sum + set.size(family), 0n);
              const all = isWhole ? AddressSet.everything : query;
              expect([size(4), size(6)]).toEqual([all.size(4), all.size(6)]);
              expect(AddressSet.empty.union(...sets).cidrs()).toEqual(all.cidrs());
              expect(new Set(pieces.map(({ verdict }) => verdict)).size).toBe(pieces.length);
            }
          });
        },
      ),
      { seed: 1, numRuns: 300 },
    );
  });
});
