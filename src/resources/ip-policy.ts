import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import { GatewayResource } from "../runtime/gateway-resource";
import { policies } from "./groups";
import { described, recorded } from "./shared-fields";

/** The arguments of an {@link IpPolicy}. Specification: Create and update parameters, /ip_policies. */
export interface IpPolicyArgs {
  /** What the source addresses of the policy are. At most 255 bytes. Default: none. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. */
  metadata?: pulumi.Input<string>;
}

export const ipPolicy = collection<IpPolicyArgs, IpPolicy>({
  type: "IpPolicy",
  noun: "IP policy",
  plural: "IP policies",
  group: policies,
  path: "/ip_policies",
  idPrefix: "ipp_",
  listKey: "ip_policies",
  columns: ["description", "createdAt"],
  fields: {
    ...described(),
    ...recorded(),
  },
});

/**
 * An IP policy (`ipp_…`): a named set of {@link IpPolicyRule}s that edges and endpoints use to restrict
 * traffic. It has no effect until one of them refers to it. After it is deleted, what referred to it
 * behaves as if the policy had no rules.
 *
 * ## Example: a policy with one rule
 *
 * ```typescript
 * import { IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";
 *
 * const office = new IpPolicy("office", { description: "office networks" });
 * new IpPolicyRule("office-lan", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
 * ```
 *
 * Specification: IP policy.
 */
export class IpPolicy extends GatewayResource {
  /** Looks up an existing policy by its id; it is read, not managed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): IpPolicy {
    return new IpPolicy(name, undefined, { ...opts, id });
  }

  /** Whether the value is an IpPolicy, of whatever copy of this package. */
  static override isInstance(value: unknown): value is IpPolicy {
    return GatewayResource.isOfType(value, ipPolicy);
  }

  /** What the source addresses of the policy are. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the policy was made, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's name in the program.
   * @param args the policy's arguments.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args?: IpPolicyArgs, opts?: pulumi.CustomResourceOptions) {
    super(ipPolicy, name, args, opts);
  }
}
