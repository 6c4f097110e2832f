import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { ipPolicies } from "./groups";
import { described, recorded } from "./shared-fields";

/** The arguments of an {@link IpPolicy}. Specification: Create and update parameters, /ip_policies. */
export interface IpPolicyArgs {
  /** What the source addresses of the policy are. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const ipPolicy: Declaration = collection<IpPolicyArgs, IpPolicy>({
  type: "IpPolicy",
  noun: "IP policy",
  group: ipPolicies,
  path: "/ip_policies",
  idPrefix: "ipp_",
  columns: ["description", "createdAt"],
  fields: {
    ...described(),
    ...recorded(),
  },
});

/**
 * An IP policy (`ipp_…`): a named set of {@link IpPolicyRule}s that edges and endpoints use to restrict
 * traffic. It has no effect until one of them refers to it. After it is deleted, the objects that refer to it behave as if
 * the policy had no rules. docs/faq.md#who-gets-in says what the
 * specification leaves open.
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
export class IpPolicy extends resource<IpPolicy, IpPolicyArgs>(ipPolicy) {
  /** What the source addresses of the policy are. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the policy was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<IpPolicy>>(ipPolicy);
/** Reads an IP policy by its id, or the only one that a filter matches. Specification: IP policy. */
export const getIpPolicy = readers.get;
/** {@link getIpPolicy} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getIpPolicyOutput = readers.getOutput;
/** Lists all IP policies. Specification: IP policy. */
export const listIpPolicies = readers.list;
/** {@link listIpPolicies} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listIpPoliciesOutput = readers.listOutput;
