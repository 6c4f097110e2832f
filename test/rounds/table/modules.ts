/** The modules of edges. Each has a route of its own. */
import { remove, replace, snake, update } from "../subject";
import type { Json, Subject } from "../subject";

const route = (edge: string, name: string): Json => ({ edgeId: edge, routeId: `route_${name}` });

const session = {
  optionsPassthrough: true,
  cookiePrefix: "one.",
  inactivityTimeout: 60,
  maximumDuration: 60,
};
const driftedSession = {
  enabled: false,
  options_passthrough: false,
  cookie_prefix: "by-hand.",
  inactivity_timeout: 1,
  maximum_duration: 2,
};
const sessionChanges = [
  update("enabled", false),
  update("optionsPassthrough", false),
  update("cookiePrefix", "two."),
  update("inactivityTimeout", 0),
  update("maximumDuration", 4_294_967_295),
];
/** What an answer fills in is sent no more, and where it was that already it is only recorded. */
const sessionRemovals = [
  remove("enabled"),
  remove("optionsPassthrough"),
  remove("cookiePrefix"),
  remove("inactivityTimeout"),
  remove("maximumDuration"),
];
const oidc = {
  issuer: "https://one.example.com",
  clientId: "one",
  clientSecret: "SECRET-oidc",
  scopes: ["openid", "email"],
};

export const oidcModules: Subject[] = [
  {
    name: "oidc",
    type: "HttpsEdgeRouteOidc",
    args: { ...route("edge_one", "oidc"), enabled: true, ...session, ...oidc },
    changes: [
      ...sessionChanges,
      replace({ routeId: "route_oidc-moved" }),
      replace({ edgeId: "edge_two", routeId: "route_oidc-away" }),
    ],
    drift: {
      ...driftedSession,
      issuer: "https://by-hand.example.com",
      client_id: "by hand",
      client_secret: "SECRET-by-hand",
      scopes: ["openid"],
    },
  },
  {
    name: "oidc-provider",
    type: "HttpsEdgeRouteOidc",
    args: { ...route("edge_one", "oidc-provider"), ...session, ...oidc, enabled: false },
    changes: [
      update("issuer", "https://two.example.com"),
      update("clientId", "another"),
      update("clientSecret", "SECRET-another-oidc"),
      update("scopes", ["openid"]),
      remove("scopes"),
      ...sessionRemovals.slice(0, 4),
    ],
  },
  {
    name: "oidc-removed",
    type: "HttpsEdgeRouteOidc",
    args: { ...route("edge_one", "oidc-removed"), ...session, ...oidc },
    changes: [remove("maximumDuration")],
  },
];

const providers = [
  "codeHost",
  "social",
  "softwareVendor",
  "searchVendor",
  "professional",
  "sourceControl",
  "streaming",
  "retail",
];
const members = {
  clientId: ["one", "another"],
  clientSecret: ["SECRET-oauth", "SECRET-another-oauth"],
  scopes: [["one"], ["one", "two"]],
  emailAddresses: [["one@example.com"], ["two@example.com"]],
  emailDomains: [["one.example.com"], ["two.example.com"]],
};
const ownMembers = { teams: [["one/one"], ["two/two"]], organizations: [["one"], ["two"]] };
const firstOf = (pairs: Readonly<Record<string, unknown[]>>): Json =>
  Object.fromEntries(Object.entries(pairs).map(([name, [first]]) => [name, first]));

/** An OAuth module with one of the providers: each member changes, and then it is taken out. */
function oauth(kind: string): Subject {
  const at = (name: string) => `provider.${kind}.${name}`;
  const all = kind === "codeHost" ? { ...members, ...ownMembers } : members;
  const drifted = {
    client_id: "by hand",
    client_secret: "SECRET-by-hand",
    scopes: ["by-hand"],
    email_addresses: ["by-hand@example.com"],
    email_domains: ["by-hand.example.com"],
    ...(kind === "codeHost" ? { teams: ["by/hand"], organizations: ["by-hand"] } : {}),
  };
  return {
    name: `oauth-${kind}`,
    type: "HttpsEdgeRouteOauth",
    args: { ...route("edge_one", `oauth-${kind}`), provider: { [kind]: firstOf(all) } },
    changes: [
      ...Object.entries(members).map(([name, [, second]]) => update(at(name), second)),
      remove(at("emailAddresses")),
      remove(at("emailDomains")),
      remove(at("scopes")),
      // Neither may stand without the other.
      { set: { [at("clientId")]: undefined, [at("clientSecret")]: undefined }, op: "update" },
    ],
    drift: { provider: { [snake(kind)]: drifted } },
  };
}

export const oauthModules: Subject[] = [
  ...providers.map(oauth),
  {
    name: "oauth",
    type: "HttpsEdgeRouteOauth",
    args: {
      ...route("edge_one", "oauth"),
      enabled: true,
      ...session,
      authCheckInterval: 60,
      provider: { codeHost: firstOf({ ...members, ...ownMembers }) },
    },
    changes: [
      ...sessionChanges,
      update("authCheckInterval", 0),
      update("authCheckInterval", 30),
      replace({ routeId: "route_oauth-moved" }),
      replace({ edgeId: "edge_two", routeId: "route_oauth-away" }),
    ],
    drift: { ...driftedSession, auth_check_interval: 3 },
  },
  {
    name: "oauth-removed",
    type: "HttpsEdgeRouteOauth",
    args: {
      ...route("edge_one", "oauth-removed"),
      ...session,
      authCheckInterval: 60,
      provider: { codeHost: firstOf({ ...members, ...ownMembers }) },
      enabled: false,
    },
    changes: [
      ...sessionRemovals.slice(1),
      remove("authCheckInterval"),
      update("provider.codeHost.teams", ["two/two"]),
      update("provider.codeHost.organizations", ["two"]),
      remove("provider.codeHost.teams"),
      remove("provider.codeHost.organizations"),
    ],
  },
  {
    name: "oauth-kinds",
    type: "HttpsEdgeRouteOauth",
    args: { ...route("edge_one", "oauth-kinds"), enabled: false },
    changes: [
      ...providers.map((kind) => update("provider", { [kind]: {} })),
      { set: { enabled: undefined, provider: { codeHost: {} } }, op: "update" },
    ],
  },
  {
    name: "oauth-off",
    type: "HttpsEdgeRouteOauth",
    args: { ...route("edge_one", "oauth-off"), enabled: false, provider: { retail: {} } },
    changes: [remove("provider")],
  },
];

export const otherModules: Subject[] = [
  {
    name: "webhook",
    type: "HttpsEdgeRouteWebhookVerification",
    args: { ...route("edge_one", "webhook"), enabled: true, provider: "ONE", secret: "SECRET-webhook" },
    changes: [
      update("enabled", false),
      remove("enabled"),
      update("provider", "TWO"),
      update("secret", "SECRET-another-webhook"),
      { set: { provider: "CLOUD_NOTIFICATION", secret: undefined }, op: "update" },
      replace({ routeId: "route_webhook-moved" }),
      replace({ edgeId: "edge_two", routeId: "route_webhook-away" }),
    ],
    drift: { enabled: false, provider: "BY_HAND", secret: "SECRET-by-hand" },
  },
  {
    name: "restriction",
    type: "TlsEdgeIpRestriction",
    args: { edgeId: "tls_one", enabled: true, ipPolicyIds: ["@policy", "ipp_one"] },
    changes: [
      update("enabled", false),
      remove("enabled"),
      update("ipPolicyIds", ["ipp_two"]),
      remove("ipPolicyIds"),
      replace({ edgeId: "tls_two" }),
    ],
    drift: { enabled: false, ip_policy_ids: [] },
  },
];
