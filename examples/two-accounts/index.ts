/** Two accounts in one program, each with a policy that allows the office. */
import * as pulumi from "@pulumi/pulumi";
import { IpPolicy, IpPolicyRule, Provider } from "pulumi-tunnel-gateway";

const config = new pulumi.Config();
const office = { lan: "203.0.113.0/24", vpn: "2001:db8:1::/48" };

const policyIds: Record<string, pulumi.Output<string>> = {};
for (const region of ["europe", "america"]) {
  // A key from secret configuration is known in every preview, so Pulumi checks and shows the provider's resources.
  const provider = new Provider(region, {
    apiKey: config.requireSecret(`${region}ApiKey`),
    baseUrl: config.require(`${region}BaseUrl`),
  });
  const policy = new IpPolicy(`office-${region}`, { description: "the office and its VPN" }, { provider });
  for (const [name, cidr] of Object.entries(office)) {
    // A resource with a parent inherits the parent's provider.
    new IpPolicyRule(
      `${name}-${region}`,
      { ipPolicyId: policy.id, cidr, action: "allow" },
      { parent: policy },
    );
  }
  policyIds[region] = policy.id;
}

export { policyIds };
