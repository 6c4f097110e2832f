/** What `list` and `get` can read, by the name that the command line gives it. */
import * as backends from "../functions/backends";
import * as certificates from "../functions/certificates";
import * as edges from "../functions/edges";
import * as endpoints from "../functions/endpoints";
import * as events from "../functions/events";
import type { Readable } from "../account/readers";
import * as policies from "../functions/ip-policies";
import * as operators from "../functions/operators";
import * as principals from "../functions/principals";
import * as sessions from "../functions/tunnel-sessions";
import { UsageError } from "./command";

export interface Collection {
  readonly name: string;
  readonly readable: Readable;
  /** The columns of its table, beside the id. */
  readonly columns: readonly string[];
  /** What its list belongs to. */
  readonly owner?: string;
  /** It can be listed; and read one by one. */
  readonly lists: boolean;
  readonly gets: boolean;
}

const both = { lists: true, gets: true };
const alone = { lists: false, gets: true, columns: [] };

function of(name: string, { readable }: { readable: Readable }, ...columns: string[]): Collection {
  return { name, readable, columns, ...both };
}

export const collections: readonly Collection[] = [
  of("api-keys", principals.apiKeys, "description", "ownerId", "createdAt"),
  of("ssh-credentials", principals.sshCredentials, "description", "ownerId", "acl", "createdAt"),
  of("bot-users", principals.botUsers, "name", "active", "createdAt"),
  of("ip-policies", policies.ipPolicies, "description", "createdAt"),
  of("ip-policy-rules", policies.ipPolicyRules, "cidr", "action", "ipPolicyId", "description"),
  of("tunnel-group-backends", backends.tunnelGroupBackends, "labels", "description"),
  of("http-response-backends", backends.httpResponseBackends, "statusCode", "description"),
  of("weighted-backends", backends.weightedBackends, "backends", "description"),
  of("failover-backends", backends.failoverBackends, "backends", "description"),
  of("ssh-user-certificates", certificates.sshUserCertificates, "principals", "validUntil", "description"),
  of("ssh-host-certificates", certificates.sshHostCertificates, "principals", "validUntil", "description"),
  of(
    "certificate-authorities",
    certificates.certificateAuthorities,
    "subjectCommonName",
    "notAfter",
    "description",
  ),
  of("tls-certificates", certificates.tlsCertificates, "subjectCommonName", "notAfter", "description"),
  of("tcp-edges", edges.tcpEdges, "hostports", "description"),
  of("kubernetes-operators", operators.kubernetesOperators, "region", "deployment.name", "description"),
  of("endpoints", endpoints.endpoints, "type", "publicUrl", "region", "description"),
  of("cloud-endpoints", endpoints.cloudEndpoints, "url", "description"),
  {
    ...of("bound-endpoints", endpoints.boundEndpoints, "type", "publicUrl", "region", "description"),
    gets: false,
    owner: "Kubernetes operator",
  },
  of("event-subscriptions", events.eventSubscriptions, "sources", "description"),
  { ...of("event-sources", events.eventSources, "type"), owner: "event subscription" },
  of("event-destinations", events.eventDestinations, "format", "description"),
  of(
    "tunnel-sessions",
    sessions.tunnelSessions,
    "os",
    "region",
    "agentVersion",
    "ip",
    "startedAt",
    "metadata",
  ),
  { name: "https-edge-route-oidc", ...edges.httpsEdgeRouteOidcModule, ...alone },
  {
    name: "https-edge-route-webhook-verification",
    ...edges.httpsEdgeRouteWebhookVerificationModule,
    ...alone,
  },
  { name: "https-edge-route-oauth", ...edges.httpsEdgeRouteOauthModule, ...alone },
  { name: "tls-edge-ip-restriction", ...edges.tlsEdgeIpRestrictionModule, ...alone },
];

/** The collection of a name: its own, its class's or its path's. */
export function collectionOf(text: string, can: "lists" | "gets"): Collection {
  const able = collections.filter((collection) => collection[can]);
  const wanted = kebab(text);
  const found = able.find(({ name, readable }) =>
    [name, kebab(readable.declaration.type), kebab(readable.declaration.path)].includes(wanted),
  );
  if (found) return found;
  const names = able.map(({ name }) => `  ${name}`).join("\n");
  throw new UsageError(`${JSON.stringify(text)} is none of:\n${names}`);
}

function kebab(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[_/]/g, "-")
    .replace(/^-+|-+$/g, "");
}
