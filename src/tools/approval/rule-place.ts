/** The place of a rule: no policy has two rules of one range. */
import { canonical } from "../../schema/formats/cidr";
import { membersOf } from "../../schema/unknown";
import type { ApprovedRule } from "./approval";

/** The place of a rule as the service answers it. */
export function ruleIn(answer: unknown): ApprovedRule {
  const { ip_policy, cidr } = membersOf(answer);
  return { ipPolicyId: String(membersOf(ip_policy).id), cidr: canonical(String(cidr)) };
}

export function rulePlace({ ipPolicyId, cidr }: ApprovedRule): string {
  return `${ipPolicyId} ${cidr}`;
}
