/** One object of each kind that is addressed by path, and the account around them. */
import type { WorldResource } from "../rounds/world";

export const route = (name: string) => ({ edgeId: "edge", routeId: name });
const oidc = { issuer: "https://login.example.com", clientId: "app", clientSecret: "oidc secret" };
export const oauth = { provider: { codeHost: { organizations: ["example"] } } };

export const modules: Readonly<Record<string, WorldResource>> = {
  oidc: { name: "oidc", type: "HttpsEdgeRouteOidc", args: { ...route("one"), ...oidc } },
  oauth: { name: "oauth", type: "HttpsEdgeRouteOauth", args: { ...route("two"), ...oauth } },
  webhook: {
    name: "webhook",
    type: "HttpsEdgeRouteWebhookVerification",
    args: { ...route("one"), provider: "PAYMENTS", secret: "webhook secret" },
  },
  restriction: {
    name: "restriction",
    type: "TlsEdgeIpRestriction",
    args: { edgeId: "tls", ipPolicyIds: ["ipp_office"] },
  },
  source: {
    name: "source",
    type: "EventSource",
    args: { subscriptionId: "esb_all", type: "ip_policy_created.v0" },
  },
};

/** Their paths, in the same order. */
export const modulePaths = [
  "/edges/https/edge/routes/one/oidc",
  "/edges/https/edge/routes/two/oauth",
  "/edges/https/edge/routes/one/webhook_verification",
  "/edges/tls/tls/ip_restriction",
  "/event_subscriptions/esb_all/sources/ip_policy_created.v0",
];

export const moduleSeed = {
  ip_policies: [{ id: "ipp_office" }],
  event_subscriptions: [{ id: "esb_all" }],
  https_edges: [{ id: "edge", routes: ["one", "two", "three", "four"].map((id) => ({ id })) }],
  tls_edges: [{ id: "tls" }, { id: "tls2" }],
};
