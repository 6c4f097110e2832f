/**
 * One program for all accounts, with a stack for each. What differs between them is in Pulumi.<stack>.yaml.
 */
import * as pulumi from "@pulumi/pulumi";
import { IpAccessList, TcpEdge, TunnelGroupBackend } from "pulumi-tunnel-gateway";

const config = new pulumi.Config();

const clients = new IpAccessList("clients", {
  description: `who may reach the database of ${pulumi.getStack()}`,
  allow: config.requireObject<string[]>("allow"),
});
const backend = new TunnelGroupBackend("database", { labels: { service: "database" } });
const edge = new TcpEdge("database", {
  hostports: [config.require("hostport")],
  backend: { backendId: backend.id },
  ipRestriction: { ipPolicyIds: [clients.policyId] },
});

export const edgeId = edge.id;
