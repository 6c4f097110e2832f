import { openFamily, policies, policiesWith } from "../../../src/policy";
import { unknown } from "../../../src/schema/unknown";
import { makeCertificate } from "../../support/x509";

const day = 24 * 3600 * 1000;

/** The violations that the policies of the pack report for a resource. */
function said(type: string, props: Record<string, unknown>): string[] {
  const found: string[] = [];
  for (const policy of policies) {
    const args = { type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}`, name: "it", props };
    if ("validateResource" in policy) {
      policy.validateResource(args, (message) => found.push(`${policy.name}: ${message}`));
    }
  }
  return found;
}

describe("the policies of the pack", () => {
  it.each(["0.0.0.0/0", "::/0", "0:0::0/0"])(
    "refuse a rule that allows %s, and accept one that denies it",
    (cidr) => {
      expect(said("IpPolicyRule", { cidr, action: "allow", ipPolicyId: "ipp_1" })).toEqual([
        expect.stringMatching(
          /^tunnel-gateway-open-cidr: IpPolicyRule "it": it allows .*every IPv[46] address\.$/,
        ),
      ]);
      expect(said("IpPolicyRule", { cidr, action: "deny", ipPolicyId: "ipp_1" })).toEqual([]);
    },
  );

  it("refuse a rule set that allows a whole family, in whatever parts", () => {
    const set = (rules: object) => said("IpPolicyRuleSet", { ipPolicyId: "ipp_1", rules });
    expect(set({ "0.0.0.0/1": "allow", "128.0.0.0/1": { action: "allow", description: "rest" } })).toEqual([
      'tunnel-gateway-open-cidr: IpPolicyRuleSet "it": its rules together allow every IPv4 address.',
    ]);
    expect(set({ "0.0.0.0/1": "allow", "128.0.0.0/1": "deny" })).toEqual([]);
    expect(set({ "0.0.0.0/1": "allow", "128.0.0.0/1": unknown })).toEqual([]);
  });

  it("refuse rules of one policy that allow a whole family together", () => {
    const rule = (name: string, policy: string, cidr: string, action = "allow") => ({
      ...{ type: "pulumi-nodejs:dynamic/tunnel-gateway:IpPolicyRule", name, urn: `urn:${name}` },
      props: { cidr, action, ipPolicyId: unknown },
      propertyDependencies: { ipPolicyId: [{ urn: `urn:${policy}` }] },
    });
    const violations = (...resources: ReturnType<typeof rule>[]): [string, string?][] => {
      const found: [string, string?][] = [];
      openFamily.validateStack({ resources }, (...violation) => found.push(violation));
      return found;
    };
    const [low, high] = [rule("low", "office", "::/1"), rule("high", "office", "8000::/1")];
    expect(violations(low, rule("lan", "office", "10.0.0.0/8"), high)).toEqual([
      ['IpPolicyRules "low", "high": together they allow every IPv6 address.', "urn:low"],
    ]);
    expect(violations(low, rule("high", "other", "8000::/1"))).toEqual([]);
    expect(violations(low, rule("high", "office", "8000::/1", "deny"))).toEqual([]);
    // The policy about single rules reports these.
    expect(violations(low, high, rule("all", "office", "::/0"))).toEqual([]);
  });

  it("refuse a public endpoint without a traffic policy", () => {
    const url = "https://api.example.com";
    expect(said("CloudEndpoint", { url, bindings: ["public"] })).toEqual([
      'tunnel-gateway-public-endpoint: CloudEndpoint "it": it is public and has no traffic policy, so nothing restricts its traffic.',
    ]);
    expect(said("CloudEndpoint", { url, bindings: ["public"], trafficPolicy: "{}" })).toEqual([]);
    expect(said("CloudEndpoint", { url, bindings: ["internal"] })).toEqual([]);
    expect(said("CloudEndpoint", { url, bindings: ["public"], trafficPolicy: unknown })).toEqual([]);
  });

  it("accept a rule with an unknown range or action", () => {
    expect(said("IpPolicyRule", { cidr: unknown, action: "allow" })).toEqual([]);
    expect(said("IpPolicyRule", { cidr: "0.0.0.0/0", action: unknown })).toEqual([]);
  });

  it("refuse a disabled guard, as a resource or in an edge", () => {
    const off = "is disabled.";
    expect(said("TlsEdgeIpRestriction", { edgeId: "e", enabled: false })).toEqual([
      expect.stringContaining(off),
    ]);
    expect(said("HttpsEdgeRouteOidc", { enabled: false })).toEqual([expect.stringContaining("OIDC " + off)]);
    expect(said("TcpEdge", { ipRestriction: { enabled: false } })).toEqual([expect.stringContaining(off)]);
    expect(said("TcpEdge", { ipRestriction: { ipPolicyIds: [] }, backend: { enabled: false } })).toEqual([]);
    expect(said("TcpEdge", {})).toEqual([]);
  });

  it("refuse SSH certificates without principals, and accept unknown ones", () => {
    const until = { validUntil: new Date(Date.now() + 400 * day).toISOString() };
    expect(said("SshUserCertificate", until)).toEqual([expect.stringContaining("as any user.")]);
    expect(said("SshHostCertificate", { ...until, principals: [] })).toEqual([
      expect.stringContaining("for all hosts."),
    ]);
    expect(said("SshHostCertificate", { ...until, principals: unknown })).toEqual([]);
    expect(said("SshHostCertificate", { ...until, principals: ["a"] })).toEqual([]);
  });

  it("advise on keys without owner and description", () => {
    expect(said("ApiKey", {})).toEqual([expect.stringContaining("neither an owner nor a description")]);
    expect(said("SshCredential", { publicKey: "k", description: "" })).toHaveLength(1);
    expect(said("ApiKey", { ownerId: unknown })).toEqual([]);
    expect(said("ApiKey", { description: "for the pipeline" })).toEqual([]);
  });

  it("advise on the binding certificate of an operator, and not on one that does not exist yet", () => {
    const bound = (notBefore: string, notAfter: string) =>
      said("KubernetesOperator", {
        createdAt: "2020-01-01T00:00:00Z",
        bindingCert: { cert: "", notBefore, notAfter },
      });
    const inDays = (days: number): string => new Date(Date.now() + days * day).toISOString();
    expect(bound(inDays(-300), inDays(10))).toEqual([
      expect.stringMatching(/expires-soon: .*: its binding certificate expires at .*, in (9|10) days\.$/),
    ]);
    expect(bound(inDays(-300), inDays(40))).toEqual([]);
    expect(bound("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z")).toEqual([]);
  });

  it("advise on certificates that expire within 30 days, unless their validity is short", () => {
    const ending = (from: number, to: number) =>
      said("TlsCertificate", {
        certificatePem: makeCertificate({
          notBefore: new Date(Date.now() + from * day),
          notAfter: new Date(Date.now() + to * day),
        }).pem,
      });
    expect(ending(-300, 10)).toEqual([
      expect.stringMatching(/expires-soon: TlsCertificate "it": it expires at .*, in (9|10) days\.$/),
    ]);
    expect(ending(-300, -1)).toEqual([expect.stringContaining("it expired at")]);
    expect(ending(-300, 40)).toEqual([]);
    const short = {
      validAfter: new Date().toISOString(),
      validUntil: new Date(Date.now() + day).toISOString(),
    };
    expect(said("SshUserCertificate", { ...short, principals: ["a"] })).toEqual([]);
  });

  it("ignore resources of other packages, and accept values of any type", () => {
    const found: string[] = [];
    for (const policy of policies) {
      const vpc = { type: "aws:ec2:Vpc", name: "v", props: { action: "allow", cidr: "0.0.0.0/0" } };
      const resources = [{ ...vpc, urn: "u", propertyDependencies: {} }];
      if ("validateResource" in policy) policy.validateResource(vpc, (m) => found.push(m));
      else policy.validateStack({ resources }, (m) => found.push(m));
    }
    expect(found).toEqual([]);
    for (const odd of [null, 1, "x", [], {}]) {
      expect(() => said("TcpEdge", { ipRestriction: odd })).not.toThrow();
      expect(() => said("IpPolicyRule", { cidr: odd, action: "allow" })).not.toThrow();
      expect(() => said("TlsCertificate", { certificatePem: odd })).not.toThrow();
    }
  });

  it("can be given another enforcement level, all or by name", () => {
    expect(new Set(policiesWith("advisory").map(({ enforcementLevel }) => enforcementLevel))).toEqual(
      new Set(["advisory"]),
    );
    const [open, , , disabled] = policiesWith({ "tunnel-gateway-open-cidr": "disabled" });
    expect([open!.enforcementLevel, disabled!.enforcementLevel]).toEqual(["disabled", "mandatory"]);
  });
});
