import { resource } from "../program/resource-class";
import { declarationBehind, entrySet } from "../schema/declaration";
import { together } from "../schema/inferred";
import type { ArgsOf, ValueOf } from "../schema/inferred";
import { expand } from "../schema/walk";
import * as cidr from "../schema/formats/cidr";
import * as time from "../schema/formats/time";
import { flag, id, map, oneOf, shorthand, text } from "../schema/kinds";
import { membersOf } from "../schema/unknown";
import { becomes, comparedByOwnRule } from "../schema/meaning";
import { ipPolicies } from "./groups";
import { IpPolicyRule } from "./ip-policy-rule";
import type { IpPolicyRuleAction } from "./ip-policy-rule";
import { described } from "./shared-fields";

const ruleFields = together(
  {
    /** `allow` or `deny`. */
    action: oneOf<IpPolicyRuleAction>("allow", "deny").required(),
  },
  described,
  {
    /**
     * When the rule ends, RFC 3339. The first deployment from that time on removes the rule; until then it stands, so
     * run deployments often enough. Never sent: a change of it is an update without a request. Default: it does not
     * end. If removed: it does not end.
     */
    until: text({
      ...time,
      example: time.exampleEnd,
      advise: time.adviseEnd("the rule is left out"),
    }).endsEntry(),
  },
);

/** One rule of an {@link IpPolicyRuleSet}, where it is more than its action. */
export interface IpPolicyRuleSetRuleArgs extends ArgsOf<typeof ruleFields> {}

/** One rule in the outputs of an {@link IpPolicyRuleSet}. */
export interface IpPolicyRuleSetRule extends ValueOf<typeof ruleFields> {}

const rule = shorthand<IpPolicyRuleSetRuleArgs, IpPolicyRuleSetRule, "action">("action", ruleFields);

const fields = {
  /**
   * The policy that the rules belong to (`ipp_…`). Changing it replaces the set. Previews know the output as soon as
   * they know the policy's id, and whatever uses it changes after the rules.
   */
  ipPolicyId: id("ipp_").required().replace().means("who gets in", comparedByOwnRule).inPath(),
  /**
   * The rules by their range, in any order and spelling: `allow` or `deny`, or an object with a description. A key is
   * an IPv4 or IPv6 address, or a range as a network address with its mask, as plain text: an Output cannot be a key.
   * The output has no ends (`until`).
   */
  rules: map(rule, cidr).required().means("who gets in", comparedByOwnRule),
  /**
   * Whether the policy holds these rules and no others: any other rule of it is drift, which a refresh shows and an
   * update removes. With `false` the set manages its own ranges only. Default: true. If removed: its default again.
   */
  exclusive: flag().serverDefault(true).means("who gets in", becomes(true)).writeOnly().maybe(),
};

/** The arguments of an {@link IpPolicyRuleSet}. */
export interface IpPolicyRuleSetArgs extends ArgsOf<typeof fields> {}

/**
 * All rules of an {@link IpPolicy} as one resource (its id is the policy's): for lists of some dozens up to tens of
 * thousands of ranges. A preview shows just the entries that differ, and a change sends one request per entry.
 *
 * ## Example: a policy that holds these rules and no others
 *
 * ```typescript
 * import { IpPolicy, IpPolicyRuleSet } from "pulumi-tunnel-gateway";
 *
 * const office = new IpPolicy("office");
 * const rules = new IpPolicyRuleSet("office", {
 *   ipPolicyId: office.id,
 *   rules: {
 *     "203.0.113.0/24": "allow",
 *     "198.51.100.7/32": { action: "deny", description: "guest" },
 *   },
 * });
 * ```
 *
 * An edge that takes the policy's id from the set, as `ipPolicyIds: [rules.ipPolicyId]`, waits for its rules, even if the
 * program declares them later.
 *
 * Do not combine an exclusive set with an {@link IpPolicyRule} of the same policy, or with a second set: each would
 * remove the rules of the other.
 *
 * Specification: IP policy rule.
 */
export class IpPolicyRuleSet extends resource<IpPolicyRuleSet, IpPolicyRuleSetArgs, typeof fields>(
  entrySet({
    type: "IpPolicyRuleSet",
    noun: "IP policy rule set",
    group: ipPolicies,
    path: "/ip_policies/{ipPolicyId}",
    entries: {
      of: declarationBehind(IpPolicyRule)!,
      ...{ entries: "rules", key: "cidr", exclusive: "exclusive" },
      precedence: {
        ...{ argument: "action", closing: "deny" },
        ...{ overlap: cidr.overlap, parts: cidr.halves },
        standIn: { metadata: "pulumi-tunnel-gateway stand-in" },
      },
    },
    fields,
    notes: flips,
  }),
) {}

/** The ranges whose action changes: the one change that has a moment without the rule. */
function flips(state: Readonly<Record<string, unknown>>, args: Readonly<Record<string, unknown>>): string[] {
  const [old, next] = [membersOf(state.rules), membersOf(args.rules)];
  // Most entries of a large set stay as they are, so only the others are spelled canonically.
  const changed = Object.keys(next).filter((range) => old[range] !== next[range]);
  if (changed.length === 0) return [];
  const before = actionsOf(old, Object.keys(old));
  return [...actionsOf(next, changed)].flatMap(([range, action]) => {
    const from = before.get(range);
    if (from === undefined || from === action) return [];
    return [
      `${range} changes from ${from} to ${action}. A range can exist only once in a policy: the old rule is deleted ` +
        `before the new one is created, and for a moment ${meanwhile(range, old, next)}`,
    ];
  });
}

/** What the policy holds between the old rule and the new one. */
function meanwhile(range: string, old: object, next: object): string {
  const isOnly = Object.keys(old).length === 1 && Object.keys(next).length === 1;
  if (!isOnly) return "the policy has no rule for the range";
  const [half] = cidr.halves(range);
  return half === undefined
    ? "the set has no rule at all, because a single address has no half that could stand in"
    : `a rule for ${half} alone stands in, so that the set is never without one`;
}

/** The known actions of the entries, by canonical range. */
function actionsOf(rules: Readonly<Record<string, unknown>>, ranges: readonly string[]): Map<string, string> {
  const known = ranges.map((range): [string, unknown] => [
    cidr.canonical(range),
    membersOf(expand(rule, rules[range])).action,
  ]);
  return new Map(known.filter((each): each is [string, string] => each[1] === "allow" || each[1] === "deny"));
}
