/** Which rules clients used, against an oracle that goes through addresses and rules one by one. */
import fc from "../../../support/fast-check";
import { logUse, unusedEntries } from "../../../../src/tools/access/usage";
import { cases, seedOf } from "../../../support/cases";
import { addresses, covers, guarded, guardOf, logOf, stackOf, verdictAt } from "./guarded";
import type { Guarded, GuardedPolicy, GuardedRule } from "./guarded";

const opposite = { allow: "denied", deny: "allowed" } as const;

/** The requests of the clients that a rule covers, and of those that use it, by what the page says. */
function expected({ policies, answers, requests }: Guarded, policy: GuardedPolicy, rule: GuardedRule) {
  const [place, alone] = [guardOf({ policies }), guardOf({ policies: [policy] })];
  const counts = { covered: { clients: 0, requests: 0 }, used: { clients: 0, requests: 0 } };
  addresses.forEach((address, i) => {
    if (requests[i] === 0 || !covers(rule, address)) return;
    const isOpposed = [place, alone].some(
      (guard) => verdictAt(guard, answers, address) === opposite[rule.action],
    );
    for (const count of isOpposed ? [counts.covered] : [counts.covered, counts.used]) {
      count.clients += 1;
      count.requests += requests[i]!;
    }
  });
  return counts;
}

const useOf = (world: Guarded) =>
  logUse(stackOf(world), [{ log: logOf(world), resource: undefined }], world.answers);

it("counts the clients under each rule, and those that use it, whatever the specification leaves open", () => {
  const seen = { used: 0, opposed: 0, unused: 0 };
  fc.assert(
    fc.property(guarded, (world) => {
      const [place] = useOf(world).places;
      for (const { policy, entries } of place!.policies) {
        const own = world.policies[Number(policy.name.slice(1))]!;
        expect(entries).toHaveLength(own.rules.length);
        for (const { entry, covered, used } of entries) {
          const rule = own.rules.find(({ cidr }) => cidr === entry.cidr)!;
          expect({ cidr: entry.cidr, covered, used }).toEqual({
            cidr: entry.cidr,
            ...expected(world, own, rule),
          });
          seen[used.clients > 0 ? "used" : covered.clients > 0 ? "opposed" : "unused"] += 1;
        }
      }
    }),
    { numRuns: cases(100, 2000), seed: seedOf(42) },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});

it("calls no rule unused whose removal changes the verdict on a client, alone or with all other unused ones", () => {
  let removed = 0;
  fc.assert(
    fc.property(guarded, (world) => {
      const unused = unusedEntries(useOf(world)).map(({ policy, entry }) => `${policy.name} ${entry.cidr}`);
      const without = (gone: readonly string[]): readonly GuardedPolicy[] =>
        world.policies.map((policy, i) => ({
          ...policy,
          rules: policy.rules.filter(({ cidr }) => !gone.includes(`p${i} ${cidr}`)),
        }));
      for (const gone of [unused, ...unused.map((each) => [each])]) {
        const policies = without(gone);
        // A policy that loses its last rule says something else of every address; a rule of the review reports that.
        if (policies.some(({ rules }, i) => rules.length === 0 && world.policies[i]!.rules.length > 0))
          continue;
        removed += gone.length;
        addresses.forEach((address, i) => {
          if (world.requests[i] === 0) return;
          const verdicts = [world.policies, policies].map((some) =>
            verdictAt(guardOf({ policies: some }), world.answers, address),
          );
          // Where a verdict is not known, what is not known may be anything before and after.
          if (verdicts[0] !== "unknown") expect([gone, verdicts[1]]).toEqual([gone, verdicts[0]]);
        });
      }
    }),
    { numRuns: cases(100, 2000), seed: seedOf(43) },
  );
  expect(removed).toBeGreaterThan(60);
});

it("calls a rule shadowed only if the same verdicts hold without it", () => {
  let shadowed = 0;
  fc.assert(
    fc.property(guarded, (world) => {
      const [place] = useOf(world).places;
      for (const { policy, entries } of place!.policies)
        for (const { entry, shadow } of entries) {
          if (!shadow) continue;
          shadowed += 1;
          const policies = world.policies.map((each, i) => ({
            ...each,
            rules: each.rules.filter(({ cidr }) => `p${i}` !== policy.name || cidr !== entry.cidr),
          }));
          for (const address of addresses)
            expect(verdictAt(guardOf({ policies }), world.answers, address)).toBe(
              verdictAt(guardOf(world), world.answers, address),
            );
        }
    }),
    { numRuns: cases(60, 1000), seed: seedOf(44) },
  );
  expect(shadowed).toBeGreaterThan(10);
});

it("says that no client used a policy only where all of its rules are known and no client used one", () => {
  fc.assert(
    fc.property(guarded, (world) => {
      for (const { policy, isUsed, entries } of useOf(world).places[0]!.policies) {
        const { isSet, isShared } = world.policies[Number(policy.name.slice(1))]!;
        const isAny = entries.some(({ used }) => used.clients > 0);
        expect(isUsed).toBe(isAny || (isSet && isShared ? "unknown" : false));
      }
    }),
    { numRuns: 200, seed: 45 },
  );
});
