/** Pairs of worlds about which the package and the oracle once disagreed, as small as they can be: each run asks about them first. */
import type { Answers } from "./oracle";
import type { Pair, PlaceSpec, PolicySpec, RuleSpec, World } from "./worlds";

const address = { family: 4, value: 0x0a000000n, prefix: 32 } as const;
const allow: RuleSpec = {
  ...{ action: "allow", range: address, actionIs: "known", rangeIs: "known", policyIs: "known" },
  end: Infinity,
};
const policy = (more: Partial<PolicySpec> = {}): PolicySpec => ({
  ...{ kind: "own", exists: true, rules: [], form: "rules", ...more },
});
const place = (...uses: readonly number[]): PlaceSpec => ({
  ...{ exists: true, enabled: "unset", uses, list: "known" },
});
const world = (uses: readonly number[], ...policies: readonly PolicySpec[]): World => ({
  policies: [...policies, policy(), policy(), policy()].slice(0, 3),
  places: [place(...uses), place(), place()],
  modules: ["none", "none", "none"],
  traffic: ["none", "none"],
});
const unknown: Answers = {
  ...{ overlap: "unknown", unmatched: "unknown", empty: "unknown", policies: "unknown" },
};
const pair = (before: World, after: World, answers: Partial<Answers> = {}): [Pair] => [
  {
    ...{ before, after, answers: { ...unknown, ...answers } },
    questions: [0, 1, 2].map(() => ({ place: 0, ranges: [address] })),
    isRespelled: false,
  },
];

const until = policy({ form: "set", rules: [{ ...allow, end: 2030 }] });
const always = policy({ form: "set", rules: [allow] });
const rule = (more: Partial<RuleSpec> = {}): PolicySpec => policy({ rules: [{ ...allow, ...more }] });

export const found: [Pair][] = [
  // An end of one policy, where all policies must allow.
  pair(world([0, 1], until, always), world([0, 1], always, always), { unmatched: "denied", policies: "all" }),
  // A policy that turns out to be without rules opens what another one allows until an end: seeds 11 and 33.
  pair(world([0, 1], policy({ form: "open set" }), until), world([0, 1], policy(), until), { empty: "open" }),
  // A rule that is not known is no reason to say what happens to its old range.
  pair(world([0], rule()), world([0], rule({ rangeIs: "unknown" })), { unmatched: "denied" }),
  pair(world([0], rule({ action: "deny" })), world([0], rule({ action: "deny", rangeIs: "unknown" })), {
    unmatched: "allowed",
  }),
  pair(world([0], rule()), world([0], rule({ policyIs: "lost" }))),
  // A rule in a policy that the program begins to read, and that nothing of the program uses.
  pair(
    world([1], policy({ kind: "read", exists: false })),
    world([1], policy({ kind: "read", rules: [allow] })),
  ),
];
