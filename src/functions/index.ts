/** What reads the account and commands agents. */
export {
  getApiKey,
  getApiKeyOutput,
  listApiKeys,
  listApiKeysOutput,
  getSshCredential,
  getSshCredentialOutput,
  listSshCredentials,
  listSshCredentialsOutput,
  getBotUser,
  getBotUserOutput,
  listBotUsers,
  listBotUsersOutput,
} from "./principals";
export {
  getIpPolicy,
  getIpPolicyOutput,
  listIpPolicies,
  listIpPoliciesOutput,
  getIpPolicyRule,
  getIpPolicyRuleOutput,
  listIpPolicyRules,
  listIpPolicyRulesOutput,
} from "./ip-policies";
export {
  getTunnelGroupBackend,
  getTunnelGroupBackendOutput,
  listTunnelGroupBackends,
  listTunnelGroupBackendsOutput,
  getHttpResponseBackend,
  getHttpResponseBackendOutput,
  listHttpResponseBackends,
  listHttpResponseBackendsOutput,
  getWeightedBackend,
  getWeightedBackendOutput,
  listWeightedBackends,
  listWeightedBackendsOutput,
  getFailoverBackend,
  getFailoverBackendOutput,
  listFailoverBackends,
  listFailoverBackendsOutput,
} from "./backends";
export {
  getTcpEdge,
  getTcpEdgeOutput,
  listTcpEdges,
  listTcpEdgesOutput,
  getHttpsEdgeRouteOidc,
  getHttpsEdgeRouteOidcOutput,
  getHttpsEdgeRouteWebhookVerification,
  getHttpsEdgeRouteWebhookVerificationOutput,
  getHttpsEdgeRouteOauth,
  getHttpsEdgeRouteOauthOutput,
  getTlsEdgeIpRestriction,
  getTlsEdgeIpRestrictionOutput,
} from "./edges";
export {
  getSshUserCertificate,
  getSshUserCertificateOutput,
  listSshUserCertificates,
  listSshUserCertificatesOutput,
  getSshHostCertificate,
  getSshHostCertificateOutput,
  listSshHostCertificates,
  listSshHostCertificatesOutput,
  getCertificateAuthority,
  getCertificateAuthorityOutput,
  listCertificateAuthorities,
  listCertificateAuthoritiesOutput,
  getTlsCertificate,
  getTlsCertificateOutput,
  listTlsCertificates,
  listTlsCertificatesOutput,
} from "./certificates";
export {
  getKubernetesOperator,
  getKubernetesOperatorOutput,
  listKubernetesOperators,
  listKubernetesOperatorsOutput,
} from "./operators";
export {
  EndpointType,
  getEndpoint,
  getEndpointOutput,
  listEndpoints,
  listEndpointsOutput,
  listBoundEndpoints,
  listBoundEndpointsOutput,
  getCloudEndpoint,
  getCloudEndpointOutput,
  listCloudEndpoints,
  listCloudEndpointsOutput,
} from "./endpoints";
export type { Endpoint } from "./endpoints";
export {
  getEventSubscription,
  getEventSubscriptionOutput,
  listEventSubscriptions,
  listEventSubscriptionsOutput,
  getEventDestination,
  getEventDestinationOutput,
  listEventDestinations,
  listEventDestinationsOutput,
  getEventSource,
  getEventSourceOutput,
  listEventSources,
  listEventSourcesOutput,
} from "./events";
export {
  TunnelSessionTransport,
  getTunnelSession,
  getTunnelSessionOutput,
  listTunnelSessions,
  listTunnelSessionsOutput,
} from "./tunnel-sessions";
export type { TunnelSession } from "./tunnel-sessions";
export { restartTunnelSession, stopTunnelSession, updateTunnelSession } from "../agents/commands";
export { RollOutOutcome, RollOutStep, rollOut } from "../agents/roll-out";
export type { RollOutEntry, RollOutOptions, RollOutProgress, RollOutReport } from "../agents/roll-out";
export type {
  FilterInput,
  Get,
  GetByPath,
  GetByPathOutput,
  GetOutput,
  List,
  ListOptions,
  ListOutput,
  ListOutputOptions,
  ListWithin,
  ListWithinOutput,
  Listing,
  ResultOf,
} from "../account/readers";
export type { Filter, Match } from "../account/filter";
export type { AccountOptions } from "../account/settings";
