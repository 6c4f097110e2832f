/** pulumi-tunnel-gateway: the Tunnel Gateway Management API as Pulumi resources. */
export { ApiKey } from "./resources/api-key";
export type { ApiKeyArgs } from "./resources/api-key";
export { IpPolicy } from "./resources/ip-policy";
export type { IpPolicyArgs } from "./resources/ip-policy";
export { IpPolicyRule, IpPolicyRuleAction } from "./resources/ip-policy-rule";
export type { IpPolicyRuleArgs } from "./resources/ip-policy-rule";
export { Provider } from "./resources/provider";
export type { ProviderArgs } from "./resources/provider";
export type { Ref } from "./declaration/kinds";
