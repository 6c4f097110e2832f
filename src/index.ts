/** pulumi-tunnel-gateway: the Tunnel Gateway Management API as Pulumi resources. */
export { ApiKey } from "./resources/api-key";
export type { ApiKeyArgs } from "./resources/api-key";
export { BotUser } from "./resources/bot-user";
export type { BotUserArgs } from "./resources/bot-user";
export { CertificateAuthority } from "./resources/certificate-authority";
export type { CertificateAuthorityArgs } from "./resources/certificate-authority";
export { CloudEndpoint, CloudEndpointType, EndpointProto } from "./resources/cloud-endpoint";
export type { CloudEndpointArgs } from "./resources/cloud-endpoint";
export { EventDestination, EventDestinationFormat } from "./resources/event-destination";
export type { EventDestinationArgs } from "./resources/event-destination";
export { EventSource } from "./resources/event-source";
export type { EventSourceArgs } from "./resources/event-source";
export { EventSubscription } from "./resources/event-subscription";
export type {
  EventSourceRef,
  EventSubscriptionArgs,
  EventSubscriptionSourceArgs,
} from "./resources/event-subscription";
export type {
  CloudAuthArgs,
  CloudCredsArgs,
  CloudRoleArgs,
  DeliveryStreamTargetArgs,
  EventTarget,
  EventTargetArgs,
  LogGroupTargetArgs,
  LogsIngestionTargetArgs,
  MonitoringTargetArgs,
  StreamTargetArgs,
} from "./resources/event-target";
export { FailoverBackend } from "./resources/failover-backend";
export type { FailoverBackendArgs } from "./resources/failover-backend";
export { HttpResponseBackend } from "./resources/http-response-backend";
export type { HttpResponseBackendArgs } from "./resources/http-response-backend";
export { HttpsEdgeRouteOauth } from "./resources/https-edge-route-oauth";
export type { HttpsEdgeRouteOauthArgs } from "./resources/https-edge-route-oauth";
export { HttpsEdgeRouteOidc } from "./resources/https-edge-route-oidc";
export type { HttpsEdgeRouteOidcArgs } from "./resources/https-edge-route-oidc";
export { HttpsEdgeRouteWebhookVerification } from "./resources/https-edge-route-webhook-verification";
export type { HttpsEdgeRouteWebhookVerificationArgs } from "./resources/https-edge-route-webhook-verification";
export { IpPolicy } from "./resources/ip-policy";
export type { IpPolicyArgs } from "./resources/ip-policy";
export { IpPolicyRule, IpPolicyRuleAction } from "./resources/ip-policy-rule";
export type { IpPolicyRuleArgs } from "./resources/ip-policy-rule";
export { IpPolicyRuleSet } from "./resources/ip-policy-rule-set";
export type {
  IpPolicyRuleSetArgs,
  IpPolicyRuleSetRule,
  IpPolicyRuleSetRuleArgs,
} from "./resources/ip-policy-rule-set";
export { KubernetesOperator, KubernetesOperatorFeature } from "./resources/kubernetes-operator";
export type {
  KubernetesOperatorArgs,
  KubernetesOperatorBindingArgs,
  KubernetesOperatorBindingCert,
  KubernetesOperatorDeploymentArgs,
} from "./resources/kubernetes-operator";
export type { OauthAppArgs, OauthCodeHostArgs, OauthProviderArgs } from "./resources/oauth-provider";
export { Provider } from "./resources/provider";
export type { ProviderArgs } from "./resources/provider";
export { SshCredential } from "./resources/ssh-credential";
export type { SshCredentialArgs } from "./resources/ssh-credential";
export { SshHostCertificate } from "./resources/ssh-host-certificate";
export type { SshHostCertificateArgs } from "./resources/ssh-host-certificate";
export { SshCriticalOption, SshUserCertificate } from "./resources/ssh-user-certificate";
export type { SshUserCertificateArgs } from "./resources/ssh-user-certificate";
export { TcpEdge } from "./resources/tcp-edge";
export type {
  TcpEdgeArgs,
  TcpEdgeBackendArgs,
  TcpEdgeIpRestrictionArgs,
  TcpEdgeTrafficPolicyArgs,
} from "./resources/tcp-edge";
export { TlsCertificate } from "./resources/tls-certificate";
export type { SubjectAlternativeNames, TlsCertificateArgs } from "./resources/tls-certificate";
export { TlsEdgeIpRestriction } from "./resources/tls-edge-ip-restriction";
export type { TlsEdgeIpRestrictionArgs } from "./resources/tls-edge-ip-restriction";
export { TunnelGroupBackend } from "./resources/tunnel-group-backend";
export type { TunnelGroupBackendArgs } from "./resources/tunnel-group-backend";
export { WeightedBackend } from "./resources/weighted-backend";
export type { WeightedBackendArgs } from "./resources/weighted-backend";
export { KeyType } from "./resources/shared-fields";
export type { Ref } from "./schema/kinds";
export { notReturned } from "./schema/not-returned";
export { IpAccessList } from "./components/ip-access-list";
export type { IpAccessListArgs, IpAccessListEntry } from "./components/ip-access-list";
export * from "./functions";
export {
  AnswerError,
  ApiError,
  GatewayError,
  SettingsError,
  TransportError,
  UndecidedError,
} from "./provider/errors";
export type { Settings } from "./settings";
