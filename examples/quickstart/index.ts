import * as pulumi from "@pulumi/pulumi";
import { ApiKey, IpPolicy, IpPolicyRule } from "pulumi-tunnel-gateway";

const config = new pulumi.Config();

const office = new IpPolicy("office", { description: config.get("description") ?? "offices" });

new IpPolicyRule("berlin", { ipPolicyId: office.id, cidr: "203.0.113.0/24", action: "allow" });
new IpPolicyRule("guests", {
  ipPolicyId: office.id,
  cidr: "203.0.113.128/25",
  action: config.get("action") === "deny" ? "deny" : "allow",
});
new IpPolicyRule("berlin-ipv6", { ipPolicyId: office.id, cidr: "2001:db8::/32", action: "allow" });

const pipeline = new ApiKey("pipeline", { description: "used by the release pipeline" });

if (config.getBoolean("mistakes")) {
  new IpPolicyRule("host-bits", { ipPolicyId: office.id, cidr: "203.0.113.7/24", action: "allow" });
  // Data from outside may have the wrong type, which the compiler cannot detect.
  const action = "alow" as "allow";
  new IpPolicyRule("typing-error", { ipPolicyId: office.id, cidr: "198.51.100.0/24", action });
  new IpPolicy("too-long", { description: "é".repeat(128) });
}

export const policyId = office.id;
export const token = pipeline.token;
