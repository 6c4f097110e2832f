import * as pulumi from "@pulumi/pulumi";
import { IpAccessList, TcpEdge } from "pulumi-tunnel-gateway";

const config = new pulumi.Config();

const staff = new IpAccessList("staff", {
  description: "office, and the contractor as long as the contract lasts",
  allow: [
    "203.0.113.0/24",
    { cidr: "198.51.100.7", description: "contractor", until: config.require("contractUntil") },
  ],
});

new TcpEdge("database", {
  hostports: ["database.example.com:5432"],
  ipRestriction: { ipPolicyIds: [staff.policyId] },
});
