import { percent } from "../schema/formats/number";
import * as cidr from "../schema/formats/cidr";
import * as time from "../schema/formats/time";
import { defaultExtraPercent, mapOrList, shorthand } from "../schema/rule-set";
import { becomes, comparedByOwnRule, flag, id, number, object, oneOf, text, together } from "../schema/words";
import type { ArgsOf, ValueOf } from "../schema/words";
import { declarationBehind, ipPolicies, resource } from "./collection";
import { IpPolicyRule } from "./ip-policy-rule";
import type { IpPolicyRuleAction } from "./ip-policy-rule";
import { notesOnFlips, notesOnUnknownRanges } from "./rule-notes";
import { described } from "./shared-fields";

const ruleFields = together(
  {
    /** `allow` or `deny`. */
    action: oneOf<IpPolicyRuleAction>("allow", "deny").required(),
  },
  described,
  {
    /**
     * When the rule ends, RFC 3339. The first deployment from then on removes the rule, or `tunnel-gateway expire`, which
     * runs no program. Never sent: a change only reads the rules, or with `summarize` groups them anew. Default: never.
     */
    until: text(time.endOf("the rule is left out")).local(),
  },
);

/** One rule of an {@link IpPolicyRuleSet}, where it is more than its action. */
export interface IpPolicyRuleSetRuleArgs extends ArgsOf<typeof ruleFields> {}

const entryFields = together(
  {
    /** An IPv4 or IPv6 address, or a range as a network address with its mask. It may be an Output. */
    cidr: text(cidr).required(),
  },
  ruleFields,
);

/** One rule of an {@link IpPolicyRuleSet} whose rules are a list. */
export interface IpPolicyRuleSetEntryArgs extends ArgsOf<typeof entryFields> {}

/** One rule in the outputs of an {@link IpPolicyRuleSet}. */
export interface IpPolicyRuleSetRule extends ValueOf<typeof ruleFields> {}

const rule = shorthand<IpPolicyRuleSetRuleArgs, IpPolicyRuleSetRule, "action">("action", ruleFields);

const entry = object<IpPolicyRuleSetEntryArgs>(entryFields);

const fields = {
  /**
   * The policy that the rules belong to (`ipp_…`). Changing it replaces the set. Previews know the output as soon as
   * they know the policy's id, and whatever uses it changes after the rules.
   */
  ipPolicyId: id("ipp_").required().replace().means("who gets in", comparedByOwnRule).inPath(),
  /**
   * The rules by their range, in any order and spelling: `allow` or `deny`, or an object with a description. A key is
   * an IPv4 or IPv6 address, or a range as a network address with its mask, as plain text: an Output cannot be a key.
   * A list of entries takes ranges that are Outputs; two entries with the same range are an error. The output is a map,
   * without ends (`until`).
   */
  rules: mapOrList(rule, cidr, entry, "cidr", "entries").required().means("who gets in", comparedByOwnRule),
  /**
   * Whether the policy holds these rules and no others: any other rule of it is drift, which a refresh shows and an
   * update removes. With `false` the set manages its own ranges only. Default: true.
   */
  exclusive: flag().serverDefault(true).means("who gets in", becomes(true)).writeOnly().maybe(),
  /**
   * Whether the policy holds the fewest rules that allow and deny the same addresses as `rules`, instead of one for each
   * range. A rule with a description or metadata covers exactly the addresses of the ranges that have both; one with
   * neither may also reach over ranges of its action that have them. An entry that ends (`until`) removes no other
   * entry's addresses. Previews, reviews and outputs show `rules`. Default: false.
   */
  summarize: flag().serverDefault(false).means("none").writeOnly().maybe(),
  /**
   * How many percent more rules than the fewest the policy of a set with `summarize` may hold, a whole number from 0 to
   * 1000. A change leaves the rules that still fit and adds the fewest; where that would be more rules than this, it
   * replaces them by the fewest. Default: 25.
   */
  extraRulesPercent: number(percent).serverDefault(defaultExtraPercent).means("none").writeOnly().maybe(),
};

/** The arguments of an {@link IpPolicyRuleSet}. */
export interface IpPolicyRuleSetArgs extends ArgsOf<typeof fields> {}

/**
 * All rules of an {@link IpPolicy} as one resource (its id is the policy's): for lists of some dozens up to tens of
 * thousands of ranges. A preview shows just the entries that differ, and a change sends one request for each of
 * them, or two if its action changes.
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
 * An edge that takes the policy's id from the set, as `ipPolicyIds: [rules.ipPolicyId]`, waits for its rules. An exclusive
 * set removes the rules of an {@link IpPolicyRule} of its policy, and of a second set: do not combine them.
 *
 * Specification: IP policy rule.
 */
export class IpPolicyRuleSet extends resource<IpPolicyRuleSet, IpPolicyRuleSetArgs, typeof fields>({
  style: "ruleSet",
  type: "IpPolicyRuleSet",
  group: ipPolicies,
  path: "/ip_policies/{ipPolicyId}",
  setOf: declarationBehind(IpPolicyRule)!,
  fields,
  notes: (state, args) => [...notesOnUnknownRanges(state, args), ...notesOnFlips(state, args)],
}) {}
