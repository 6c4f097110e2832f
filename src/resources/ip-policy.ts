import { together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { getOf, ipPolicies, listOf, resource } from "./collection";
import { described, recorded } from "./shared-fields";

const fields = together(described, recorded);

/** The arguments of an {@link IpPolicy}. Specification: Create and update parameters, /ip_policies. */
export interface IpPolicyArgs extends ArgsOf<typeof fields> {}

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
export class IpPolicy extends resource<IpPolicy, IpPolicyArgs, typeof fields>({
  type: "IpPolicy",
  group: ipPolicies,
  path: "/ip_policies",
  idPrefix: "ipp_",
  columns: ["description", "createdAt"],
  fields,
}) {}

export const [getIpPolicy, getIpPolicyOutput] = getOf(IpPolicy);
export const [listIpPolicies, listIpPoliciesOutput] = listOf(IpPolicy);
