/** Tests what the program declares, without an engine and a service. */
import * as pulumi from "@pulumi/pulumi";
import { IpPolicyRule, KubernetesOperator, TcpEdge } from "pulumi-tunnel-gateway";
import { mocks } from "pulumi-tunnel-gateway/testing";
import { cluster, database } from "./shop";

const gateway = mocks();

beforeEach(() => pulumi.runtime.setMocks(gateway));

describe("the database", () => {
  it("is for the office, and not for its guests", async () => {
    await gateway.run(() => database("203.0.113.0/24", "203.0.113.128/25"));

    const rules = gateway.of(IpPolicyRule).map(({ name, inputs }) => [name, inputs]);
    expect(Object.fromEntries(rules)).toEqual({
      office: { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
      guests: { ipPolicyId: "ipp_office", cidr: "203.0.113.128/25", action: "deny" },
    });
    const [edge] = gateway.of(TcpEdge);
    expect(edge?.inputs.ipRestriction).toEqual({ ipPolicyIds: ["ipp_office"] });
  });

  it("uses only what the program declares", async () => {
    await gateway.run(() => database("203.0.113.0/24", "203.0.113.128/25"));

    const types = gateway.resources.map(({ type }) => type).sort();
    expect(types).toEqual(["IpPolicy", "IpPolicyRule", "IpPolicyRule", "TcpEdge", "TunnelGroupBackend"]);
  });
});

describe("the cluster", () => {
  it("gets a key whose token stays a secret", async () => {
    const { key } = await gateway.run(() => cluster("true"));

    expect(await pulumi.isSecret(key.token)).toBe(true);
  });

  it("binds the endpoints that the selector names", async () => {
    await gateway.run(() => cluster("endpoint.metadata.name == 'shop'"));

    const [operator] = gateway.of(KubernetesOperator);
    expect(operator?.inputs.binding?.endpointSelectors).toEqual(["endpoint.metadata.name == 'shop'"]);
  });
});
