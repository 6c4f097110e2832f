import * as pulumi from "@pulumi/pulumi";
import { TcpEdge, TunnelGroupBackend, getIpPolicyOutput } from "pulumi-tunnel-gateway";

const config = new pulumi.Config();

// Another team manages the policy. This program knows only its description.
const office = getIpPolicyOutput({ description: config.get("policy") ?? "office networks" });

const database = new TunnelGroupBackend("database", { labels: { service: "database" } });
const edge = new TcpEdge("database", {
  description: "the database, for the office alone",
  hostports: ["1.tcp.example.com:12345"],
  backend: { backendId: database.id },
  ipRestriction: { ipPolicyIds: [office.id] },
});

export const policyId = office.id;
export const edgeId = edge.id;
