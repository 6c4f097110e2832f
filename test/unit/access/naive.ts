/** Who gets in at random guards, held against a naive computation, address by address. */
import fc from "fast-check";
import { AddressSet } from "../../../src/access/address-set";
import { blockOf } from "../../../src/access/block";
import { accessAnswer } from "../../../src/access/report";
import type { ResourceAccess } from "../../../src/access/report";
import { addressesOf, inventoryOf, naiveVerdict, text, worlds } from "./worlds";
import type { World } from "./worlds";

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

/** Asks at least this many questions, and throws at the first wrong answer. Returns how often each verdict was the answer. */
export function askedNaively(least: number): ReadonlyMap<string, number> {
  let questions = 0;
  const seen = new Map<string, number>();
  const property = fc.property(worlds, worlds, ({ source, world }, other) => {
    // Under two providers objects have equal ids.
    const shown = source === "account" ? [world] : [world, ...(other.source === source ? [other.world] : [])];
    const inventory = inventoryOf(source, shown);
    shown.forEach((each, account) => {
      for (const address of addressesOf(each)) {
        const { resources } = accessAnswer(inventory, AddressSet.ofBlocks([blockOf(text(address))!]));
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
  for (let seed = 1; questions < least; seed += 1)
    fc.assert(property, { seed, numRuns: Math.min(500, least / 10) });
  return seen;
}
