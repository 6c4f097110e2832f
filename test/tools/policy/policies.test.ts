import * as pulumi from "@pulumi/pulumi";
import { IpAccessList } from "../../../src";
import type { IpAccessListArgs } from "../../../src";
import { accessTests, openFamily, policies, policiesWith } from "../../../src/tools/policy";
import type { Silence, StackResource } from "../../../src/tools/policy";
import { unknown } from "../../../src/schema/unknown";
import { makeCertificate } from "../../support/x509";

const prefix = "pulumi-nodejs:dynamic/tunnel-gateway:";
const day = 24 * 3600 * 1000;
/** What a pack sees of every resource of a dynamic provider. */
const provider = { urn: "urn:pulumi:dev::p::pulumi:providers:pulumi-nodejs::default", props: {} };

/** Arguments as a pack of Pulumi gives them: it throws where a value is read that is not known yet. */
function unreadable(props: Readonly<Record<string, unknown>>, ...names: string[]): StackResource["props"] {
  const read = (name: string): PropertyDescriptor => ({
    enumerable: true,
    get: () => {
      throw new Error(`${name} can't be known during preview`);
    },
  });
  return Object.defineProperties({ ...props }, Object.fromEntries(names.map((name) => [name, read(name)])));
}

const urnOf = (type: string, name: string): string => `urn:pulumi:dev::p::${prefix}${type}::${name}`;

/** What a pack sees of a resource among all others; `from` names the policies that arguments come from. */
const inStack = (
  type: string,
  name: string,
  props: StackResource["props"],
  from: Readonly<Record<string, string>> = {},
): StackResource => ({
  ...{ type: `${prefix}${type}`, name, urn: urnOf(type, name), provider, props },
  propertyDependencies: Object.fromEntries(
    Object.entries(from).map(([argument, policy]) => [argument, [{ urn: urnOf("IpPolicy", policy) }]]),
  ),
});

/** The violations that the policies of the pack report for a resource. */
function said(type: string, props: Record<string, unknown>): string[] {
  const found: string[] = [];
  for (const policy of policies) {
    const args = {
      type: `${prefix}${type}`,
      name: "it",
      props,
      provider,
    };
    if ("validateResource" in policy) {
      policy.validateResource(args, (message) => found.push(`${policy.name}: ${message}`));
    }
  }
  return found;
}

describe("the policies of the pack", () => {
  it.each(["0.0.0.0/0", "::/0", "0:0::0/0", "0000:0000::/0", "::0.0.0.0/0"])(
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

  describe("about all rules of one policy", () => {
    const typed = (type: string, name: string): string => `urn:pulumi:dev::p::${prefix}${type}::${name}`;
    const rule = (name: string, policy: string, cidr: string, action = "allow"): StackResource => ({
      ...{ type: `${prefix}IpPolicyRule`, name, urn: typed("IpPolicyRule", name), provider },
      props: { cidr, action, ipPolicyId: unknown },
      propertyDependencies: { ipPolicyId: [{ urn: `urn:${policy}` }] },
    });
    const set = (name: string, policy: string, rules: object): StackResource => ({
      ...rule(name, policy, ""),
      ...{
        type: `${prefix}IpPolicyRuleSet`,
        urn: typed("IpPolicyRuleSet", name),
        props: { ipPolicyId: unknown, rules },
      },
    });
    const violations = (...resources: StackResource[]): [string, string?][] => {
      const found: [string, string?][] = [];
      openFamily.validateStack({ resources }, (...violation) => found.push(violation));
      return found;
    };
    const [low, high] = [rule("low", "office", "::/1"), rule("high", "office", "8000::/1")];

    it("refuse rules that allow a whole family together", () => {
      expect(violations(low, rule("lan", "office", "10.0.0.0/8"), high)).toEqual([
        [
          'IpPolicyRule "low", IpPolicyRule "high": together they allow every IPv6 address.',
          typed("IpPolicyRule", "low"),
        ],
      ]);
    });

    it("refuse a rule and rule sets that do", () => {
      const rest = set("rest", "office", { "8000::/2": "allow", "10.0.0.0/8": "allow" });
      const last = set("last", "office", { "c000::/2": { action: "allow" }, "d000::/4": "deny" });
      expect(violations(rest, low, last)).toEqual([
        [
          'IpPolicyRuleSet "rest", IpPolicyRule "low", IpPolicyRuleSet "last": together they allow every IPv6 address.',
          typed("IpPolicyRuleSet", "rest"),
        ],
      ]);
    });

    it("refuse rules whose policy comes from the policy itself and from a set of it", () => {
      const office: StackResource = {
        ...{ type: `${prefix}IpPolicy`, name: "office", urn: typed("IpPolicy", "office"), provider },
        ...{ props: {}, propertyDependencies: {} },
      };
      const rules = set("rules", "", { "::/1": "allow" });
      const fromPolicy = { ...rules, propertyDependencies: { ipPolicyId: [{ urn: office.urn }] } };
      const fromSet = { ...high, propertyDependencies: { ipPolicyId: [{ urn: rules.urn }] } };
      expect(violations(office, fromPolicy, fromSet)).toEqual([
        ['IpPolicyRuleSet "rules", IpPolicyRule "high": together they allow every IPv6 address.', rules.urn],
      ]);
    });

    it("accept rules of several policies, and rules that deny a part", () => {
      expect(violations(low, rule("high", "other", "8000::/1"))).toEqual([]);
      expect(violations(low, set("high", "other", { "8000::/1": "allow" }))).toEqual([]);
      expect(violations(low, rule("high", "office", "8000::/1", "deny"))).toEqual([]);
      expect(violations(low, set("high", "office", { "8000::/1": "deny" }))).toEqual([]);
    });

    it("refuse rules that do beside one whose range a pack cannot read yet", () => {
      const later = rule("later", "office", "");
      const all = violations({ ...later, props: unreadable(later.props, "cidr", "ipPolicyId") }, low, high);
      expect(all).toEqual([
        [expect.stringContaining("together they allow every IPv6 address"), typed("IpPolicyRule", "low")],
      ]);
    });

    it("leave to the policy about single resources what it reports", () => {
      expect(violations(low, high, rule("all", "office", "::/0"))).toEqual([]);
      const all = set("all", "office", { "::/1": "allow", "8000::/1": "allow", "0.0.0.0/1": "allow" });
      expect(violations(low, high, all)).toEqual([]);
      const all4 = set("all4", "office", {
        "0.0.0.0/1": "allow",
        "128.0.0.0/1": "allow",
        "8000::/1": "allow",
      });
      expect(violations(all4, low)).toEqual([
        [
          'IpPolicyRuleSet "all4", IpPolicyRule "low": together they allow every IPv6 address.',
          typed("IpPolicyRuleSet", "all4"),
        ],
      ]);
    });
  });

  describe("about an IpAccessList", () => {
    /** The violations of all policies for the resources that a list registers. */
    async function violationsOf(args: IpAccessListArgs): Promise<string[]> {
      const resources: StackResource[] = [];
      await pulumi.runtime.setMocks({
        newResource: ({ type, name, inputs }) => {
          const props = inputs as StackResource["props"];
          const worker = type.startsWith(prefix) ? { provider } : {};
          resources.push({ type, name, props, urn: `urn:${name}`, propertyDependencies: {}, ...worker });
          return { id: name, state: inputs as object };
        },
        call: () => ({}),
      });
      await pulumi.runtime.runInPulumiStack(() => {
        new IpAccessList("list", args);
        return Promise.resolve(undefined);
      });
      await pulumi.runtime.disconnect(); // waits for the registrations
      const found: string[] = [];
      for (const policy of policies) {
        const report = (message: string): void => void found.push(`${policy.name}: ${message}`);
        if ("validateStack" in policy) policy.validateStack({ resources }, report);
        else for (const resource of resources) policy.validateResource(resource, report);
      }
      return found;
    }

    it.each([
      [["0.0.0.0/0"], 4],
      [["0.0.0.0/1", "128.0.0.0/1"], 4],
      [["8000::/1", "0::/2", "4000:0::/2"], 6],
    ])("refuse one that allows %j", async (allow, family) => {
      const found = await violationsOf({ allow });
      expect(found).toEqual([
        expect.stringMatching(
          new RegExp(`^tunnel-gateway-open-(cidr|family): .* every IPv${family} address\\.$`),
        ),
      ]);
    });

    it("accept one that allows a part", async () => {
      expect(await violationsOf({ allow: ["0.0.0.0/1"], deny: ["128.0.0.0/1"] })).toEqual([]);
    });
  });

  it("refuse an endpoint without a traffic policy", () => {
    const url = "https://api.example.com";
    const rules = JSON.stringify({ on_http_request: [{ actions: [{ type: "deny" }] }] });
    expect(said("CloudEndpoint", { url, bindings: ["public"] })).toEqual([
      'tunnel-gateway-unguarded: CloudEndpoint "it": it has no traffic policy, so nothing restricts who gets in.',
    ]);
    const log = JSON.stringify({ on_http_request: [{ actions: [{ type: "log" }] }] });
    for (const trafficPolicy of ["", "{}", log])
      expect(said("CloudEndpoint", { url, bindings: ["internal"], trafficPolicy })).toHaveLength(1);
    for (const trafficPolicy of [rules, unknown])
      expect(said("CloudEndpoint", { url, bindings: ["public"], trafficPolicy })).toEqual([]);
  });

  it("accept a rule with an unknown range or action", () => {
    expect(said("IpPolicyRule", { cidr: unknown, action: "allow" })).toEqual([]);
    expect(said("IpPolicyRule", { cidr: "0.0.0.0/0", action: unknown })).toEqual([]);
  });

  it("ignore values that a pack cannot read yet", () => {
    expect(said("ApiKey", unreadable({}, "ownerId"))).toEqual([]);
    expect(said("IpPolicyRule", unreadable({ action: "allow" }, "cidr"))).toEqual([]);
    expect(said("SshUserCertificate", unreadable({}, "principals", "validUntil"))).toEqual([]);
    expect(said("CloudEndpoint", unreadable({ bindings: ["public"] }, "trafficPolicy"))).toEqual([]);
    expect(said("IpPolicyRule", unreadable({ cidr: "::/0", action: "allow" }, "description"))).toHaveLength(
      1,
    );
  });

  it("refuse an edge or IP restriction that restricts nobody", () => {
    const [off, none] = ["is disabled, so", "has no IP policies, so"];
    const found = (type: string, props: Record<string, unknown>, what: string): void =>
      expect(said(type, props)).toEqual([
        expect.stringContaining(`IP restriction${what === "" ? "" : ` ${what}`}`),
      ]);
    const ids = { ipPolicyIds: ["ipp_1"] };
    found("TlsEdgeIpRestriction", { edgeId: "e", ...ids, enabled: false }, off);
    found("TlsEdgeIpRestriction", { edgeId: "e" }, none);
    found("TcpEdge", { ipRestriction: { enabled: false } }, off);
    found("TcpEdge", { ipRestriction: { ipPolicyIds: [] }, backend: { enabled: false } }, none);
    found("TcpEdge", {}, "");
    for (const ipRestriction of [ids, unknown, { ...ids, enabled: unknown }, { ipPolicyIds: unknown }])
      expect(said("TcpEdge", { ipRestriction })).toEqual([]);
    expect(said("HttpsEdgeRouteOidc", { enabled: false })).toEqual([]);
  });

  describe("about what guards together", () => {
    const violations = (...resources: StackResource[]): string[] => {
      const found: string[] = [];
      for (const policy of policies) {
        const report = (message: string): void => void found.push(`${policy.name}: ${message}`);
        if ("validateStack" in policy) policy.validateStack({ resources }, report);
      }
      return found;
    };
    const office = inStack("IpPolicy", "office", {});
    const rule = (action: string): StackResource =>
      inStack(
        "IpPolicyRule",
        "lan",
        { ipPolicyId: unknown, cidr: "203.0.113.0/24", action },
        { ipPolicyId: "office" },
      );
    const edge = inStack(
      "TcpEdge",
      "db",
      { ipRestriction: { ipPolicyIds: [unknown] } },
      { ipRestriction: "office" },
    );
    const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
    const [oidc, oauth] = ["HttpsEdgeRouteOidc", "HttpsEdgeRouteOauth"] as const;

    it("refuse policies without rules, and policies that only deny", () => {
      expect(violations(office, rule("allow"), edge)).toEqual([]);
      expect(violations(office, edge)).toEqual([
        'tunnel-gateway-unguarded-together: TcpEdge "db": "office" has no rules, so nothing restricts who gets in.',
      ]);
      expect(violations(office, rule("deny"), edge)).toEqual([
        'tunnel-gateway-deny-only: TcpEdge "db": its policies "office" have deny rules only: everybody else may get in.',
      ]);
      expect(violations(office, rule("deny"))).toEqual([
        'tunnel-gateway-deny-only: IpPolicy "office": it has deny rules only: everybody else may get in.',
      ]);
    });

    // The engine hands a pack no resource that the program only reads, such as that of IpPolicy.get.
    it.each(["ipp_1", unknown])(
      "do not take a policy that the program reads for one without rules, by id %s",
      (id) => {
        const guarded = inStack(
          "TcpEdge",
          "db",
          { ipRestriction: { ipPolicyIds: [id] } },
          { ipRestriction: "read" },
        );
        expect(violations(guarded)).toEqual([]);
        const deny = { ipPolicyId: id, cidr: "203.0.113.0/24", action: "deny" };
        expect(violations(guarded, inStack("IpPolicyRule", "lan", deny, { ipPolicyId: "read" }))).toEqual([]);
      },
    );

    it("refuse a disabled sign-in, unless another one guards the route", () => {
      const off = inStack(oidc, "staff", { ...route, enabled: false });
      expect(violations(off)).toEqual([
        expect.stringContaining('"staff": its sign-in by OIDC is disabled, so nothing'),
      ]);
      expect(violations(off, inStack(oauth, "partners", route))).toEqual([]);
      expect(violations(off, inStack(oauth, "partners", { ...route, enabled: false }))).toHaveLength(2);
    });

    it("refuse a disabled sign-in that only a module of another account stands beside", () => {
      const at = (name: string, baseUrl: unknown): Required<StackResource>["provider"] => ({
        urn: `urn:pulumi:dev::p::pulumi:providers:pulumi-nodejs::${name}`,
        props: unreadable({ "tunnel-gateway:baseUrl": baseUrl }, "other"),
      });
      const off = {
        ...inStack(oidc, "staff", { ...route, enabled: false }),
        provider: at("a", "https://a.test"),
      };
      const on = inStack(oauth, "partners", route);
      const isOpen = [expect.stringContaining('"staff": its sign-in by OIDC is disabled, so nothing')];
      expect(violations(off, { ...on, provider: at("b", "https://b.test") })).toEqual(isOpen);
      expect(violations(off, on)).toEqual(isOpen);
      expect(violations(off, { ...on, provider: off.provider })).toEqual([]);
    });

    it("leave to the policy about single resources what it reports", () => {
      expect(violations(inStack("TcpEdge", "db", {}))).toEqual([]);
    });
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
    const [, open, , , disabled] = policiesWith({ "tunnel-gateway-open-cidr": "disabled" });
    expect([open!.enforcementLevel, disabled!.enforcementLevel]).toEqual(["disabled", "mandatory"]);
  });
});

describe("the policy about access tests", () => {
  const stack = (ipPolicyId: string, cidr = "203.0.113.0/24"): StackResource[] => [
    inStack("IpPolicy", "office", {}),
    inStack("IpPolicyRule", "lan", { ipPolicyId, cidr, action: "allow" }, { ipPolicyId: "office" }),
    inStack("TcpEdge", "db", { ipRestriction: { ipPolicyIds: [ipPolicyId] } }, { ipRestriction: "office" }),
  ];
  const violations = (resources: readonly StackResource[]): [string, string?][] => {
    const found: [string, string?][] = [];
    const policy = accessTests([
      { resource: "TcpEdge db", allowed: ["203.0.113.7"], onlyFrom: ["203.0.113.0/24"] },
    ]);
    policy.validateStack({ resources }, (...violation) => found.push(violation));
    return found;
  };

  it.each([
    ["known", "ipp_1"],
    ["not known yet", unknown],
  ])("holds and fails by what the stack's program says, with ids that are %s", (_, id) => {
    expect(violations(stack(id))).toEqual([]);
    expect(violations(stack(id, "203.0.112.0/22"))).toEqual([
      [
        expect.stringMatching(/^TcpEdge "db": 203\.0\.112\.0\/24 .*\(IpPolicyRule lan\)\.$/),
        urnOf("TcpEdge", "db"),
      ],
    ]);
  });

  it("fails for a range that a pack cannot read yet", () => {
    const [policy, rule, edge] = stack("ipp_1") as [StackResource, StackResource, StackResource];
    const props = unreadable(rule.props, "cidr");
    const [[message] = [""]] = violations([policy, { ...rule, props }, edge]);
    expect(message).toContain("this is known only after the deployment (IpPolicyRule lan)");
  });

  it("does not believe that a policy outside of the stack allows or denies anything", () => {
    const edge = inStack("TcpEdge", "db", { ipRestriction: { ipPolicyIds: ["ipp_9"] } });
    expect(violations([...stack("ipp_1").slice(0, 2), edge])[0]![0]).toContain("(IpPolicy ipp_9)");
  });

  it("fails for an edge that is not there, and refuses a test that is none", () => {
    expect(violations([])).toEqual([[expect.stringContaining('has the name "TcpEdge db"'), undefined]]);
    expect(() => accessTests([{ resource: "db" }])).toThrow("one or more of allowed");
  });
});

describe("silences of a pack", () => {
  const type = `${prefix}TcpEdge`;
  const edge = (name: string): StackResource => ({
    ...{
      type,
      name,
      urn: `urn:pulumi:dev::p::${type}::${name}`,
      provider,
      props: {},
      propertyDependencies: {},
    },
  });
  const deny: StackResource = {
    ...{
      type: `${prefix}IpPolicyRule`,
      name: "no",
      urn: `urn:pulumi:dev::p::${prefix}IpPolicyRule::no`,
      provider,
    },
    props: { cidr: "10.0.0.0/8", action: "deny", ipPolicyId: "ipp_1" },
    propertyDependencies: {},
  };
  const violations = (resources: StackResource[], ...silences: Silence[]): string[] => {
    const found: string[] = [];
    for (const policy of policiesWith({}, silences)) {
      const report = (message: string): number => found.push(message.split(":")[0]!);
      if ("validateStack" in policy) policy.validateStack({ resources }, report);
      else for (const each of resources) policy.validateResource(each, report);
    }
    return found;
  };
  const status = { rule: "tunnel-gateway-unguarded*", resource: "TcpEdge status", reason: "a public page" };

  it("silence by the name of a resource, with its type, and by that of a policy", () => {
    const edges = [edge("status"), edge("db")];
    expect(violations(edges)).toEqual(['TcpEdge "status"', 'TcpEdge "db"']);
    expect(violations(edges, status)).toEqual(['TcpEdge "db"']);
    expect(violations(edges, { ...status, resource: "*" })).toEqual([]);
    expect(violations(edges, { ...status, resource: "urn:*::status" })).toEqual(['TcpEdge "db"']);
    for (const other of [{ resource: "CloudEndpoint status" }, { rule: "tunnel-gateway-open-*" }])
      expect(violations(edges, { ...status, ...other })).toHaveLength(2);
  });

  it("silence policies about all resources too", () => {
    const guarded: StackResource = {
      ...edge("status"),
      props: { ipRestriction: { ipPolicyIds: [unknown] } },
    };
    const empty = {
      type: `${prefix}IpPolicy`,
      name: "p",
      urn: `urn:pulumi:dev::p::${prefix}IpPolicy::p`,
      provider,
    };
    const resources: StackResource[] = [
      { ...empty, props: {}, propertyDependencies: {} },
      { ...guarded, propertyDependencies: { ipRestriction: [{ urn: empty.urn }] } },
    ];
    expect(violations(resources)).toEqual(['TcpEdge "status"']);
    expect(violations(resources, status)).toEqual([]);
    expect(violations([deny], status)).toEqual([]);
  });

  it.each<[object, string]>([
    [{ rule: "tunnel-gateway-open-cdir" }, "matches no rule; the rules are tunnel-gateway-identity, "],
    [{ reason: " " }, "needs a reason"],
    [
      { resources: "x" },
      "silence[0].resources is not known: did you mean resource? silence[0] may have rule, resource, reason",
    ],
  ])("are refused with %j", (other, message) => {
    expect(() => policiesWith({}, [{ ...status, ...other }])).toThrow(message);
  });
});
