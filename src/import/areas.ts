/** The files of a generated program, and what stands in which. A file refers to those before it only. */

export interface Area {
  /** The file's name, without its ending. */
  readonly file: string;
  /** What it holds, in words. */
  readonly title: string;
  /** The classes, in the order in which they stand. */
  readonly types: readonly string[];
}

export const areas: readonly Area[] = [
  {
    file: "credentials",
    title: "Bot users, API keys and SSH credentials",
    types: ["BotUser", "ApiKey", "SshCredential"],
  },
  {
    file: "certificates",
    title: "Certificates",
    types: ["CertificateAuthority", "TlsCertificate", "SshUserCertificate", "SshHostCertificate"],
  },
  { file: "policies", title: "IP policies and their rules", types: ["IpPolicy", "IpPolicyRule"] },
  {
    file: "backends",
    title: "Routing backends",
    types: ["TunnelGroupBackend", "HttpResponseBackend", "WeightedBackend", "FailoverBackend"],
  },
  {
    file: "edges",
    title: "Edges and their modules",
    types: [
      "TcpEdge",
      "HttpsEdgeRouteOidc",
      "HttpsEdgeRouteOauth",
      "HttpsEdgeRouteWebhookVerification",
      "TlsEdgeIpRestriction",
    ],
  },
  { file: "endpoints", title: "Cloud endpoints", types: ["CloudEndpoint"] },
  {
    file: "events",
    title: "Event delivery",
    types: ["EventDestination", "EventSubscription", "EventSource"],
  },
  { file: "operators", title: "Kubernetes operators", types: ["KubernetesOperator"] },
];

/** The place of a class among the areas and within its own. */
export function placeOf(type: string): { readonly area: number; readonly rank: number } {
  const area = areas.findIndex(({ types }) => types.includes(type));
  if (area < 0) throw new Error(`no area of the generated program holds ${type}`);
  return { area, rank: areas[area]!.types.indexOf(type) };
}
