/** Traffic restriction: what the account holds of them. */
import { ipPolicy } from "../resources/ip-policy";
import type { IpPolicy } from "../resources/ip-policy";
import { ipPolicyRule } from "../resources/ip-policy-rule";
import type { IpPolicyRule } from "../resources/ip-policy-rule";
import { functionsOf } from "../account/readers";
import type { ResultOf } from "../account/readers";

export const ipPolicies = functionsOf<ResultOf<IpPolicy>>(ipPolicy);
/** An IP policy by its id, or the only one that a filter means. Specification: IP policy. */
export const getIpPolicy = ipPolicies.get;
/** {@link getIpPolicy} with Outputs as arguments and as result. */
export const getIpPolicyOutput = ipPolicies.getOutput;
/** All IP policies. Specification: IP policy. */
export const listIpPolicies = ipPolicies.list;
/** {@link listIpPolicies} with Outputs as arguments and as result. */
export const listIpPoliciesOutput = ipPolicies.listOutput;

export const ipPolicyRules = functionsOf<ResultOf<IpPolicyRule>>(ipPolicyRule);
/** An IP policy rule by its id, or the only one that a filter means. Specification: IP policy rule. */
export const getIpPolicyRule = ipPolicyRules.get;
/** {@link getIpPolicyRule} with Outputs as arguments and as result. */
export const getIpPolicyRuleOutput = ipPolicyRules.getOutput;
/** All IP policy rules, such as those of one policy with `filter: { ipPolicyId }`. Specification: IP policy rule. */
export const listIpPolicyRules = ipPolicyRules.list;
/** {@link listIpPolicyRules} with Outputs as arguments and as result. */
export const listIpPolicyRulesOutput = ipPolicyRules.listOutput;
