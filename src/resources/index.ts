/**
 * The collections, one line each. The public surface and the registry derive from this list. Its order is that of
 * imported programs and of the tables in the documentation: a collection stands below those that it refers to, and
 * the collections of a group stand together.
 */
export * from "./bot-user";
export * from "./api-key";
export * from "./rotating-api-key";
export * from "./ssh-credential";
export * from "./certificate-authority";
export * from "./tls-certificate";
export * from "./ssh-user-certificate";
export * from "./ssh-host-certificate";
export * from "./ip-policy";
export * from "./ip-policy-rule";
export * from "./ip-policy-rule-set";
export * from "./tunnel-group-backend";
export * from "./http-response-backend";
export * from "./weighted-backend";
export * from "./failover-backend";
export * from "./tcp-edge";
export * from "./https-edge-route-oidc";
export * from "./https-edge-route-oauth";
export * from "./https-edge-route-webhook-verification";
export * from "./tls-edge-ip-restriction";
export * from "./cloud-endpoint";
export * from "./endpoint";
export * from "./event-destination";
export * from "./event-subscription";
export * from "./event-source";
export * from "./kubernetes-operator";
export * from "./tunnel-session";
export { EndpointProto, KeyType } from "./shared-fields";
// By name: `export type *` would publish their fields as values that the package does not have.
export type { OauthAppArgs, OauthCodeHostArgs, OauthProviderArgs } from "./oauth-provider";
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
} from "./event-target";
