import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import * as cidr from "../schema/formats/cidr";
import { id, oneOf, ref, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { comparedByOwnRule } from "../schema/meaning";
import { ipPolicies } from "./groups";
import { described, recorded } from "./shared-fields";

/** What a rule does with traffic from its range. Specification: IP policy rule. */
export const IpPolicyRuleAction = { Allow: "allow", Deny: "deny" } as const;
export type IpPolicyRuleAction = "allow" | "deny";

/** The arguments of an {@link IpPolicyRule}. Specification: Create and update parameters, /ip_policy_rules. */
export interface IpPolicyRuleArgs {
  /**
   * An IPv4 or IPv6 address such as `198.51.100.7`, or a range as a network address with its mask, such as `10.0.0.0/8`
   * or `2001:db8::/32`. An address is the same as its range of one, `198.51.100.7/32`, and is sent as that.
   */
  cidr: pulumi.Input<string>;
  /** The policy that the rule belongs to (`ipp_…`). Changing it replaces the rule. */
  ipPolicyId: pulumi.Input<string>;
  /**
   * `allow` or `deny`. Changing it replaces the rule; while range and policy stay, the old rule is deleted
   * first, because a range can exist only once in a policy.
   */
  action: pulumi.Input<IpPolicyRuleAction>;
  /** What the range is. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const ipPolicyRule: Declaration = collection<IpPolicyRuleArgs, IpPolicyRule>({
  type: "IpPolicyRule",
  noun: "IP policy rule",
  group: ipPolicies,
  path: "/ip_policy_rules",
  idPrefix: "ipr_",
  columns: ["cidr", "action", "ipPolicyId", "description"],
  fields: {
    cidr: text(cidr).required().means("who gets in", comparedByOwnRule),
    ipPolicyId: id("ipp_").required().replace().means("who gets in", comparedByOwnRule).fromRef("ip_policy"),
    action: oneOf("allow", "deny").required().replace().means("who gets in", comparedByOwnRule),
    ...described(),
    ...recorded(),
    ipPolicy: ref("ip_policy"),
  },
  parentId: "ipPolicyId",
  unique: ["cidr", "ipPolicyId"],
  notes: flip,
});

/** A range can exist only once in a policy, and the rule does not know the others of its policy. */
function flip(state: Json, args: Json): string[] {
  const [old, next] = [state, args].map((values) =>
    [values.ipPolicyId, cidr.canonical(String(values.cidr))].join(),
  );
  const isKnown = [state.action, args.action].every((action) => action === "allow" || action === "deny");
  if (old !== next || !isKnown || state.action === args.action) return [];
  return [
    `${String(args.cidr)} changes from ${String(state.action)} to ${String(args.action)}: the old rule is deleted before ` +
      `the new one is created. If it is the last rule of the IP policy ${String(state.ipPolicyId)}, that policy has no ` +
      "rule for a moment",
  ];
}

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
export class IpPolicyRule extends resource<IpPolicyRule, IpPolicyRuleArgs>(ipPolicyRule) {
  /** The range, as the program wrote it. */
  declare readonly cidr: pulumi.Output<string>;
  /** The id of the policy that the rule belongs to. */
  declare readonly ipPolicyId: pulumi.Output<string>;
  /** `allow` or `deny`. */
  declare readonly action: pulumi.Output<IpPolicyRuleAction>;
  /** What the range is. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the rule was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The policy that the rule belongs to. */
  declare readonly ipPolicy: pulumi.Output<Ref>;
}

const readers = readersOf<ResultOf<IpPolicyRule>>(ipPolicyRule);
/** Reads an IP policy rule by its id, or the only one that a filter matches. Specification: IP policy rule. */
export const getIpPolicyRule = readers.get;
/** {@link getIpPolicyRule} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getIpPolicyRuleOutput = readers.getOutput;
/** Lists all IP policy rules, such as those of one policy with `filter: { ipPolicyId }`. Specification: IP policy rule. */
export const listIpPolicyRules = readers.list;
/** {@link listIpPolicyRules} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listIpPolicyRulesOutput = readers.listOutput;
