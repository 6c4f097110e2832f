import { IpAccessList, TcpEdge, TunnelGroupBackend } from "pulumi-tunnel-gateway";

/** A database that only these ranges may reach. The edge changes after the rules and goes before them. */
export function database(hostport: string, allow: string[]): TcpEdge {
  const clients = new IpAccessList("clients", { description: "who may reach the database", allow });
  const backend = new TunnelGroupBackend("database", { labels: { service: "database" } });
  return new TcpEdge("database", {
    hostports: [hostport],
    backend: { backendId: backend.id },
    ipRestriction: { ipPolicyIds: [clients.policyId] },
  });
}
