import fc from "fast-check";
import { AddressSet } from "../../../src/access/address-set";
import { blockOf } from "../../../src/access/block";
import { accessAnswer } from "../../../src/access/report";
import type { ResourceAccess } from "../../../src/access/report";
import { addressesOf, inventoryOf, naiveVerdict, text, worlds } from "./worlds";
import type { World } from "./worlds";

const leastQuestions = 100_000;

const askedFor = (cidr: string): AddressSet => AddressSet.ofBlocks([blockOf(cidr)!]);

/** The guard's row in the answer; an account shows no module without a setting. */
function rowOf(
  resources: readonly ResourceAccess[],
  { guards }: World,
  index: number,
  account: number | undefined,
): ResourceAccess | undefined {
  const { type } = guards[index]!;
  return resources.find((each) =>
    account === undefined
      ? each.type === type && each.id?.endsWith(`_${index}`)
      : each.name === `guard-${index}-${account}`,
  );
}

describe("the verdict about an address", () => {
  it("is that of a naive computation, for random previews with unknown values, stacks and accounts", () => {
    let questions = 0;
    const seen = new Map<string, number>();
    const property = fc.property(worlds, worlds, ({ source, world }, other) => {
      // Under two providers objects have equal ids.
      const shown =
        source === "account" ? [world] : [world, ...(other.source === source ? [other.world] : [])];
      const inventory = inventoryOf(source, shown);
      shown.forEach((each, account) => {
        for (const address of addressesOf(each)) {
          const { resources } = accessAnswer(inventory, askedFor(text(address)));
          each.guards.forEach((guard, index) => {
            const row = rowOf(resources, each, index, source === "account" ? undefined : account);
            if (!row && source === "account" && guard.policies.length === 0) return;
            const [piece, ...more] = row!.pieces;
            const naive = naiveVerdict(source, each, guard, address);
            questions += 1;
            seen.set(naive, (seen.get(naive) ?? 0) + 1);
            if (piece!.verdict !== naive || more.length > 0) {
              throw new Error(`${text(address)} at guard ${index}: ${JSON.stringify(row)}, not ${naive}`);
            }
          });
        }
      });
    });
    for (let seed = 1; questions < leastQuestions; seed += 1) fc.assert(property, { seed, numRuns: 500 });
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
