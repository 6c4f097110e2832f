/** Collection paths of the specification's Endpoints part, which also name the kinds that the store keeps. */
export const API_KEYS = "/api_keys";
export const SSH_CREDENTIALS = "/ssh_credentials";
export const IP_POLICIES = "/ip_policies";
export const IP_POLICY_RULES = "/ip_policy_rules";
export const SSH_HOST_CERTIFICATES = "/ssh_host_certificates";
export const SSH_USER_CERTIFICATES = "/ssh_user_certificates";
export const TUNNEL_GROUP_BACKENDS = "/backends/tunnel_group";
export const HTTP_RESPONSE_BACKENDS = "/backends/http_response";
export const WEIGHTED_BACKENDS = "/backends/weighted";
export const FAILOVER_BACKENDS = "/backends/failover";
export const BOT_USERS = "/bot_users";
export const TCP_EDGES = "/edges/tcp";
export const CERTIFICATE_AUTHORITIES = "/certificate_authorities";
export const TLS_CERTIFICATES = "/tls_certificates";
export const KUBERNETES_OPERATORS = "/kubernetes_operators";
export const ENDPOINTS = "/endpoints";
export const EVENT_SUBSCRIPTIONS = "/event_subscriptions";
export const EVENT_DESTINATIONS = "/event_destinations";
export const TUNNEL_SESSIONS = "/tunnel_sessions";

/** Kinds that the specification shows ids of, but no operations. */
export const USERS = "/users";
export const CREDENTIALS = "/credentials";
export const TUNNELS = "/tunnels";
export const SSH_AUTHORITIES = "/ssh_certificate_authorities";
export const HTTPS_EDGES = "/edges/https";
export const HTTPS_ROUTES = "/edges/https/routes";
export const TLS_EDGES = "/edges/tls";
