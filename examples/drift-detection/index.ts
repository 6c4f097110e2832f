import { IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";

const office = new IpPolicy("office", { description: "office networks" });

new IpPolicyRule("berlin", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
new IpPolicyRule("guests", { ipPolicyId: office.id, cidr: "203.0.113.128/25", action: "deny" });

export const policyId = office.id;
