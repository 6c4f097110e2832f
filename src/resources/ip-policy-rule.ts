import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import * as cidr from "../schema/formats/cidr";
import { id, oneOf, ref, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { GatewayResource } from "../runtime/gateway-resource";
import { policies } from "./groups";
import { described, recorded } from "./shared-fields";

/** What a rule does with traffic from its range. Specification: IP policy rule. */
export const IpPolicyRuleAction = { Allow: "allow", Deny: "deny" } as const;
export type IpPolicyRuleAction = "allow" | "deny";

/** The arguments of an {@link IpPolicyRule}. Specification: Create and update parameters, /ip_policy_rules. */
export interface IpPolicyRuleArgs {
  /** The IPv4 or IPv6 range, as a network address with its mask, such as `10.0.0.0/8` or `2001:db8::/32`. */
  cidr: pulumi.Input<string>;
  /** The policy that the rule belongs to (`ipp_…`). Changing it replaces the rule. */
  ipPolicyId: pulumi.Input<string>;
  /**
   * `allow` or `deny`. Changing it replaces the rule; while range and policy stay, the old rule is deleted
   * first, because a range may stand only once in a policy.
   */
  action: pulumi.Input<IpPolicyRuleAction>;
  /** What the range is. At most 255 bytes. Default: none. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. */
  metadata?: pulumi.Input<string>;
}

export const ipPolicyRule = collection<IpPolicyRuleArgs, IpPolicyRule>({
  type: "IpPolicyRule",
  noun: "IP policy rule",
  plural: "IP policy rules",
  group: policies,
  path: "/ip_policy_rules",
  idPrefix: "ipr_",
  listKey: "ip_policy_rules",
  columns: ["cidr", "action", "ipPolicyId", "description"],
  fields: {
    cidr: text(cidr).required(),
    ipPolicyId: id("ipp_").required().replace().fromRef("ip_policy"),
    action: oneOf("allow", "deny").required().replace(),
    ...described(),
    ...recorded(),
    ipPolicy: ref("ip_policy"),
  },
  parentId: "ipPolicyId",
  unique: ["cidr", "ipPolicyId"],
});

/**
 * One range of an {@link IpPolicy}, with what to do with traffic from it (`ipr_…`).
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
export class IpPolicyRule extends GatewayResource {
  /** Looks up an existing rule by its id; it is read, not managed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpPolicyRule {
    return new IpPolicyRule(name, undefined as never, { ...opts, id });
  }

  /** Whether the value is an IpPolicyRule, of whatever copy of this package. */
  static override isInstance(value: unknown): value is IpPolicyRule {
    return GatewayResource.isOfType(value, ipPolicyRule);
  }

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
  /** When the rule was made, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The policy that the rule belongs to. */
  declare readonly ipPolicy: pulumi.Output<Ref>;

  /**
   * @param name the resource's name in the program.
   * @param args the rule's arguments.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: IpPolicyRuleArgs, opts?: pulumi.CustomResourceOptions) {
    super(ipPolicyRule, name, args, opts);
  }
}
