/** The place of a rule, its policy and range: a policy has at most one rule for a range. */
import { canonical } from "../../schema/formats/cidr";
import { membersOf } from "../../schema/unknown";
import type { ApprovedRule } from "./approval";

/** The place of a rule in the service's answer. */
export function ruleIn(answer: unknown): ApprovedRule {
  const { ip_policy, cidr } = membersOf(answer);
  return { ipPolicyId: String(membersOf(ip_policy).id), cidr: canonical(String(cidr)) };
}

export function rulePlace({ ipPolicyId, cidr }: ApprovedRule): string {
  return `${ipPolicyId} ${cidr}`;
}
