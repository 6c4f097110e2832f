import * as cidr from "../schema/formats/cidr";
import { comparedByOwnRule, id, oneOf, ref, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { getOf, ipPolicies, listOf, resource } from "./collection";
import { notesOnFlip } from "./rule-notes";
import { described, recorded } from "./shared-fields";

/** What a rule does with traffic from its range. Specification: IP policy rule. */
export const IpPolicyRuleAction = { Allow: "allow", Deny: "deny" } as const;
export type IpPolicyRuleAction = "allow" | "deny";

const fields = together(
  {
    /**
     * An IPv4 or IPv6 address such as `198.51.100.7`, or a range as a network address with its mask, such as `10.0.0.0/8` or
     * `2001:db8::/32`. An address is the same as its range of one, `198.51.100.7/32`, and is sent as that.
     */
    cidr: text(cidr).required().means("who gets in", comparedByOwnRule),
    /** The policy that the rule belongs to (`ipp_…`). Changing it replaces the rule. */
    ipPolicyId: id("ipp_").required().replace().means("who gets in", comparedByOwnRule).fromRef("ip_policy"),
    /**
     * `allow` or `deny`. Changing it replaces the rule; while range and policy stay, the old rule is deleted first,
     * because a range can exist only once in a policy.
     */
    action: oneOf<IpPolicyRuleAction>("allow", "deny")
      .required()
      .replace()
      .means("who gets in", comparedByOwnRule),
  },
  described,
  recorded,
  {
    /** The policy that the rule belongs to. */
    ipPolicy: ref("ip_policy"),
  },
);

/** The arguments of an {@link IpPolicyRule}. Specification: Create and update parameters, /ip_policy_rules. */
export interface IpPolicyRuleArgs extends ArgsOf<typeof fields> {}

/**
 * A rule of an {@link IpPolicy} (`ipr_…`): one range, and whether its addresses are allowed or denied.
 *
 * ## Example: allow one network and deny one address in it
 *
 * ```typescript
 * import { IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";
 *
 * const office = new IpPolicy("office");
 * new IpPolicyRule("lan", { ipPolicyId: office.id, cidr: "198.51.100.0/24", action: "allow" });
 * new IpPolicyRule("guest", { ipPolicyId: office.id, cidr: "198.51.100.7/32", action: "deny" });
 * ```
 *
 * Specification: IP policy rule.
 */
export class IpPolicyRule extends resource<IpPolicyRule, IpPolicyRuleArgs, typeof fields>({
  type: "IpPolicyRule",
  group: ipPolicies,
  path: "/ip_policy_rules",
  idPrefix: "ipr_",
  columns: ["cidr", "action", "ipPolicyId", "description"],
  fields,
  unique: ["cidr", "ipPolicyId"],
  notes: notesOnFlip,
}) {}

export const [getIpPolicyRule, getIpPolicyRuleOutput] = getOf(IpPolicyRule);
export const [listIpPolicyRules, listIpPolicyRulesOutput] = listOf(IpPolicyRule);
