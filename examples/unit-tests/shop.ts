/** The parts of the program as functions, so that a test can create each of them with its own arguments. */
import {
  ApiKey,
  getIpPolicyOutput,
  IpPolicy,
  IpPolicyRule,
  KubernetesOperator,
  TcpEdge,
  TunnelGroupBackend,
} from "pulumi-tunnel-gateway";

/** A database that the office can reach, and its guests cannot. */
export function database(office: string, guests: string) {
  const policy = new IpPolicy("office");
  const rules = [
    new IpPolicyRule("office", { ipPolicyId: policy.id, cidr: office, action: "allow" }),
    new IpPolicyRule("guests", { ipPolicyId: policy.id, cidr: guests, action: "deny" }),
  ];
  const backend = new TunnelGroupBackend("database", { labels: { service: "database" } });
  const edge = new TcpEdge(
    "database",
    {
      hostports: ["1.tcp.example.com:5432"],
      backend: { backendId: backend.id },
      ipRestriction: { ipPolicyIds: [policy.id] },
    },
    { dependsOn: rules },
  );
  return { policy, edge };
}

/** Reports for partners. Another team manages their policy, so the program looks it up in the account. */
export function reports(): TcpEdge {
  const partners = getIpPolicyOutput({ description: "partners" });
  return new TcpEdge("reports", {
    hostports: ["1.tcp.example.com:5433"],
    ipRestriction: { ipPolicyIds: [partners.id] },
  });
}

/** The cluster's operator, and the key that it uses. */
export function cluster(selector: string) {
  const key = new ApiKey("cluster", { description: "the cluster's own key" });
  const operator = new KubernetesOperator("cluster", {
    enabledFeatures: ["bindings"],
    binding: { endpointSelectors: [selector] },
  });
  return { key, operator };
}
