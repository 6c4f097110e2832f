/** What must not pass a review unseen. */
import { unknown } from "../../../src/schema/unknown";
import { makeCertificate } from "../../support/x509";
import {
  rehearsedReview,
  reviewText,
  saidBy,
  saidOf,
  tcpEdge,
  urnOf,
  writtenPreview,
  type Written,
} from "./support";

const policy: Written = {
  ...{ type: "IpPolicy", name: "office", id: "ipp_office" },
  before: { description: "offices" },
  after: { description: "offices" },
};
const lan: Written = {
  ...{ type: "IpPolicyRule", name: "lan", id: "ipr_lan" },
  before: { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
  after: { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
};
const expiring = makeCertificate({
  ...{ notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2026-11-30T00:00:00Z") },
}).pem;
const restricted = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };

describe("the guard of an edge", () => {
  const off = { ipRestriction: { enabled: false, ipPolicyIds: ["ipp_office"] } };

  it("is not the IP restriction of another edge", () => {
    const resources = [policy, lan, tcpEdge("db", restricted, off), tcpEdge("shop", restricted, restricted)];
    expect(saidBy("access/", resources)).toEqual([
      "error access/unguarded TcpEdge db: its IP restriction is disabled, so nothing restricts who gets in",
    ]);
  });

  it("of a TLS edge is not that of another TLS edge", () => {
    const module = (name: string, after: object): Written => ({
      ...{ type: "TlsEdgeIpRestriction", name, id: `edgtls_${name}` },
      before: { edgeId: `edgtls_${name}`, ipPolicyIds: ["ipp_office"] },
      after: { edgeId: `edgtls_${name}`, ipPolicyIds: ["ipp_office"], ...after },
    });
    const resources = [policy, lan, module("one", { enabled: false }), module("two", {})];
    expect(saidBy("access/", resources)).toHaveLength(1);
  });

  it.each([
    ["TlsEdgeIpRestriction", { edgeId: "edgtls_1", ipPolicyIds: ["ipp_office"] }, "IP restriction"],
    [
      "HttpsEdgeRouteOidc",
      { edgeId: "edghts_1", routeId: "edghtsrt_1", issuer: "https://id.example.com", clientId: "c" },
      "sign-in by OIDC",
    ],
  ])("is switched off by its own module, whatever a second %s of the place says", (type, inputs, what) => {
    const off: Written = { type, name: "own", before: inputs, after: { ...inputs, enabled: false } };
    const disabled = `error access/unguarded ${type} own: its ${what} is disabled, so nothing restricts who gets in`;
    for (const second of [
      { type, name: "second", after: inputs },
      { type, name: "second", before: inputs, after: inputs },
    ])
      expect(saidBy("access/(module|unguarded)", [policy, lan, off, second])).toEqual([disabled]);
  });

  it.each([
    [
      "HttpsEdgeRouteOidc",
      { edgeId: "edghts_1", routeId: "edghtsrt_1" },
      "sign-in by OIDC",
      "edghts_1/edghtsrt_1",
    ],
    [
      "TlsEdgeIpRestriction",
      { edgeId: "edgtls_1", ipPolicyIds: ["ipp_office"] },
      "IP restriction",
      "edgtls_1",
    ],
  ])(
    "moves away when the provider of a %s changes: its edge in the old account has none",
    (type, inputs, what, at) => {
      const moved: Written = { type, name: "own", op: "replace", before: inputs, after: inputs };
      const text = writtenPreview([policy, lan, moved]);
      const provider = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::europe::id";
      const elsewhere = text.replace(/("newState":\{)("id":"id_own")/, `$1"provider":"${provider}",$2`);
      expect(elsewhere).not.toBe(text);
      const found = (each: string): string[] =>
        reviewText(each)
          .findings.filter(({ rule }) => rule === "access/module-moved")
          .map(({ message }) => message);
      // In one account, the create of the new provider meets the module, and the deletion of the old one takes it.
      const state = { type: "pulumi:providers:pulumi-nodejs", custom: true, id: "id", outputs: {} };
      const newState = { ...state, inputs: { "tunnel-gateway:baseUrl": "https://api.example.com" } };
      const { steps, ...more } = JSON.parse(elsewhere) as { steps: object[] };
      const known = { op: "create", urn: provider.replace(/::id$/, ""), newState };
      const config = { "tunnel-gateway:baseUrl": "https://api.example.com" };
      const inOne = JSON.stringify({ ...more, config, steps: [known, ...steps] });
      const away = [`${what} moves away from ${at}`];
      expect([text, elsewhere, inOne].map(found)).toEqual([[], away, away]);
    },
  );

  it("that is off before and after opens nothing, whatever an edge with the same policies gains", () => {
    const vpn = { ...policy, name: "vpn", id: "ipp_vpn" };
    const wide = {
      ...lan,
      ...{ name: "wide", id: "ipr_wide" },
      before: { ipPolicyId: "ipp_vpn", cidr: "198.51.100.0/24", action: "allow" },
      after: { ipPolicyId: "ipp_vpn", cidr: "198.51.100.0/24", action: "allow" },
    };
    const both = (enabled: boolean) => ({
      ipRestriction: { enabled, ipPolicyIds: ["ipp_office", "ipp_vpn"] },
    });
    const one = (enabled: boolean) => ({ ipRestriction: { enabled, ipPolicyIds: ["ipp_office"] } });
    const resources = [
      ...[policy, vpn, lan, wide],
      tcpEdge("on", one(true), both(true)),
      tcpEdge("off", one(false), both(false)),
    ];
    expect(saidBy("access/newly-allowed", resources)).toEqual([
      expect.stringContaining("access/newly-allowed TcpEdge on: 198.51.100.0/24"),
    ]);
  });
});

describe("a rule whose policy is not known", () => {
  const everyone = { cidr: "0.0.0.0/0", action: "allow" };

  it("is reported when it allows every address", () => {
    const rule = { type: "IpPolicyRule", name: "all", after: { ...everyone, ipPolicyId: unknown } };
    expect(saidBy("open-cidr", [policy, rule])).toEqual([
      "error access/open-cidr IpPolicyRule all: it allows 0.0.0.0/0, which is every IPv4 address",
    ]);
    expect(saidBy("unknown-ranges", [policy, rule])).toEqual([
      "error access/unknown-ranges IpPolicyRule all: its policy is known only after the deployment",
    ]);
  });

  it("is reported when it belongs to an object that is no policy of the program", () => {
    const rule = { type: "IpPolicyRule", name: "all", after: { ...everyone, ipPolicyId: "other" } };
    expect(saidBy("open-cidr", [policy, rule])).toHaveLength(1);
  });

  it("belongs to the policy that its argument comes from", () => {
    const created: Written = { ...policy, before: undefined };
    const rule: Written = {
      ...{ type: "IpPolicyRule", name: "all" },
      after: { ...everyone, ipPolicyId: unknown },
      from: { ipPolicyId: [urnOf("IpPolicy", "office")] },
    };
    expect(saidBy("unknown-ranges", [created, rule])).toEqual([]);
    expect(saidBy("open-cidr", [created, rule])).toHaveLength(1);
  });
});

it("reports a range or an action that it cannot read", () => {
  for (const inputs of [
    { cidr: "office", action: "allow" },
    { cidr: "10.0.0.0/8", action: "permit" },
  ]) {
    const rule = { type: "IpPolicyRule", name: "odd", after: { ipPolicyId: "ipp_office", ...inputs } };
    expect(saidBy("unknown-ranges", [policy, lan, rule])).toEqual([
      "error access/unknown-ranges IpPolicyRule odd: its range or action cannot be read",
    ]);
  }
  const set = { ipPolicyId: "ipp_office", rules: { office: "allow" } };
  expect(saidBy("unknown-ranges", [policy, { type: "IpPolicyRuleSet", name: "odd", after: set }])).toEqual([
    "error access/unknown-ranges IpPolicyRuleSet odd: its range or action cannot be read: office",
  ]);
});

describe("a set with a range that is not known yet", () => {
  const rules = (range: object) => ({ "10.0.0.0/8": "allow", ...range });
  const set = (before: object, after: object): Written => ({
    ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_office" },
    before: { ipPolicyId: "ipp_office", rules: rules(before) },
    after: { ipPolicyId: "ipp_office", rules: rules(after) },
  });
  const open = { "unknown (rules[1])": { cidr: unknown, action: "allow" } };

  it("is an error that says which, also where nothing else changes", () => {
    for (const before of [{}, { "198.51.100.4/32": "allow" }]) {
      expect(saidBy("unknown-ranges", [policy, set(before, open)])).toEqual([
        "error access/unknown-ranges IpPolicyRuleSet set: its range or action is known only after the deployment: unknown (rules[1])",
      ]);
    }
  });

  it("may open anything, and removes none of the known ranges", () => {
    const resources = [
      policy,
      tcpEdge("db", restricted, restricted),
      set({ "198.51.100.4/32": "allow" }, open),
    ];
    const { access } = reviewText(writtenPreview(resources));
    expect(access!.guarded.map(({ name, after }) => [name, after?.allowed.cidrs, after?.unknown])).toEqual([
      ["db", ["10.0.0.0/8"], ["IpPolicyRuleSet set"]],
    ]);
    expect(saidOf(resources).filter((text) => text.includes("10.0.0.0"))).toEqual([]);
  });
});

describe("an ACL", () => {
  const credential = (before: unknown[] | undefined, after: unknown[] | undefined): Written => ({
    ...{ type: "SshCredential", name: "builder", id: "sshcr_1" },
    before: before === undefined ? {} : { acl: before },
    after: after === undefined ? {} : { acl: after },
  });

  it("that becomes an empty list is reported like one that is removed", () => {
    expect(saidBy("access/", [credential(["bind:app.example.com"], [])])).toEqual([
      "error access/acl-removed SshCredential builder: its ACL becomes an empty list, which services treat as no restriction: it may bind everything",
    ]);
  });

  it("that was an empty list and gets rules permits no more than before", () => {
    expect(saidBy("access/", [credential([], ["bind:app.example.com"])])).toEqual([]);
    expect(saidBy("access/", [credential([], undefined)])).toEqual([]);
  });

  it("reports the rules that are added beside one that is not known", () => {
    expect(saidBy("acl-widened", [credential(["bind:a.example.com"], ["bind:*", unknown])])).toEqual([
      "error access/acl-widened SshCredential builder: its ACL also permits bind:*",
    ]);
  });
});

describe("values beside one that is not known", () => {
  it("are principals that are reported", () => {
    const user: Written = {
      ...{ type: "SshUserCertificate", name: "operator", op: "replace" },
      before: { principals: ["operator"] },
      after: { principals: ["root", unknown] },
    };
    expect(saidBy("principals-widened", [user])).toEqual([
      "error access/principals-widened SshUserCertificate operator: principals are added: root",
    ]);
  });

  it("are allow-lists of an OAuth module that are emptied", () => {
    const oauth: Written = {
      ...{ type: "HttpsEdgeRouteOauth", name: "staff", id: "edghts_1/edghtsrt_1" },
      before: { edgeId: "e", routeId: "r", provider: { social: { emailDomains: ["example.com"] } } },
      after: { edgeId: "e", routeId: "r", provider: { social: { clientId: "a", clientSecret: unknown } } },
    };
    expect(saidBy("email-domains-emptied", [oauth])).toHaveLength(1);
  });
});

describe("findings that exist already", () => {
  // The state of an earlier version has the hint under its former name.
  it.each(["__secretsInPlaintext", "__clear"])("do not contain a second plaintext secret: %s", (former) => {
    const text = writtenPreview([
      {
        ...{ type: "HttpsEdgeRouteWebhookVerification", name: "hook", id: "e/r" },
        before: { edgeId: "e", routeId: "r", provider: "x", [former]: ["secret"] },
        after: { edgeId: "e", routeId: "r", provider: "x", __secretsInPlaintext: ["secret", "other"] },
      },
    ]);
    const { findings, existing } = reviewText(text);
    expect(findings.map(({ message }) => message)).toEqual([
      "a secret is plaintext, not from secret configuration: other",
    ]);
    expect(existing.map(({ message }) => message)).toEqual([
      "a secret is plaintext, not from secret configuration: secret",
    ]);
  });

  it("do not contain a second family that a set allows whole", () => {
    const set = (rules: object): object => ({ ipPolicyId: "ipp_office", rules });
    const resources: Written[] = [
      policy,
      {
        ...{ type: "IpPolicyRuleSet", name: "all", id: "ipp_office" },
        before: { ...set({ "0.0.0.0/0": "allow" }) },
        after: { ...set({ "0.0.0.0/0": "allow", "::/0": "allow" }) },
      },
    ];
    expect(saidBy("open-cidr", resources)).toEqual([
      "error access/open-cidr IpPolicyRuleSet all: it allows ::/0, which is every IPv6 address",
    ]);
  });
});

describe("a policy outside of the program", () => {
  it("does not explain an unknown one", () => {
    const resources = [
      policy,
      lan,
      tcpEdge("db", restricted, { ipRestriction: { ipPolicyIds: ["ipp_elsewhere", unknown] } }),
    ];
    expect(saidBy("unknown-ranges TcpEdge", resources)).toEqual(
      [
        "error access/unknown-ranges TcpEdge db: one of its policies is known only after the deployment",
        "error access/unknown-ranges TcpEdge db: it gains or loses ipp_elsewhere, whose ranges are not part of this program",
      ].sort(),
    );
  });
});

it("counts the two requests that the creation of an API key takes", async () => {
  const key: Written = { type: "ApiKey", name: "pipeline", after: { description: "a pipeline" } };
  const { cost } = await rehearsedReview(writtenPreview([key]));
  expect(cost).toMatchObject({ requests: 2, writes: { POST: 1, PATCH: 1 } });
});

describe("what is marked as secret", () => {
  const hidden = { ...lan.before, cidr: "[secret]" };
  const rule = (after: object): Written => ({ ...lan, before: { ...hidden }, after: { ...after } });

  it("exists already as long as its resource does not change", () => {
    const { findings, existing } = reviewText(writtenPreview([policy, rule(hidden)]));
    expect(findings).toEqual([]);
    expect(existing.map((each) => each.rule)).toEqual(["access/hidden", "hygiene/unused-policy"]);
  });

  it("is an error again when anything of its resource changes", () => {
    expect(saidBy("access/hidden", [policy, rule({ ...hidden, description: "x" })])).toHaveLength(1);
  });

  it("counts as all that is newly allowed when it is shown", () => {
    const shown = rule({ ...hidden, cidr: "198.51.100.0/24" });
    const resources = [policy, shown, tcpEdge("db", restricted, restricted)];
    expect(saidBy("access/", resources)).toEqual([
      expect.stringContaining("access/newly-allowed TcpEdge db: 198.51.100.0/24 (256 addresses)"),
    ]);
  });

  const deny = { ...hidden, action: "deny" };
  const kept = (inputs: object): Written => ({
    ...{ type: "IpPolicyRule", name: "kept", before: { ...lan.before, ...inputs } },
    after: { ...lan.before, ...inputs },
  });
  const set: Written = {
    ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_office" },
    before: { ipPolicyId: "ipp_office", rules: { "192.0.2.0/24": "[secret]" } },
  };
  const edge = tcpEdge("db", restricted, restricted);
  const losing = tcpEdge("db", { ipRestriction: { ipPolicyIds: ["ipp_office", "ipp_guests"] } }, restricted);
  const guests: Written = { ...policy, name: "guests", id: "ipp_guests" };

  it.each<[string, number, Written[]]>([
    ["a rule is deleted", 1, [{ ...lan, before: deny, after: undefined }, edge]],
    ["a rule is deleted that no edge uses", 1, [{ ...lan, before: deny, after: undefined }]],
    ["a rule is shown", 1, [{ ...lan, before: deny, after: { ...deny, cidr: "192.0.2.0/24" } }, edge]],
    ["a rule stays", 0, [kept(deny), edge]],
    ["an allow rule is deleted", 0, [{ ...lan, before: hidden, after: undefined }, edge]],
    ["a set is deleted", 1, [set, edge]],
    ["an edge loses a policy", 1, [guests, kept({ ...deny, ipPolicyId: "ipp_guests" }), losing]],
    ["an edge loses another policy", 0, [guests, kept(deny), losing]],
  ])("removes no range unseen that was denied, where %s", (_, count, resources) => {
    expect(saidBy("error access/deny-removed", [policy, ...resources])).toHaveLength(count);
  });

  it("frees no ACL and no bindings unseen when it is shown", () => {
    const credential = {
      ...{ type: "SshCredential", name: "builder", before: { acl: "[secret]" }, after: { acl: ["*"] } },
    };
    const endpoint = {
      ...{ type: "CloudEndpoint", name: "api" },
      before: { trafficPolicy: "{}", bindings: "[secret]" },
      after: { trafficPolicy: "{}", bindings: ["public"] },
    };
    expect(saidBy("acl-any", [credential])).toHaveLength(1);
    expect(saidBy("binding-public", [endpoint])).toHaveLength(1);
  });
});

it.each([
  ["2026-11-20T01:00:00Z", 1],
  ["2026-11-20T00:59:59Z", 0],
])("a new certificate until %s is valid for longer by an hour or more, or not", (validUntil, count) => {
  const until = (end: string): object => ({
    principals: ["ada"],
    validAfter: "2026-11-19T00:00:00Z",
    validUntil: end,
  });
  const [before, after] = [until("2026-11-20T00:00:00Z"), until(validUntil)] as Required<Written>["after"][];
  const replaced = { type: "SshUserCertificate", name: "ada", op: "replace", before, after };
  expect(saidBy("validity-extended", replaced as Written)).toHaveLength(count);
});

describe("a certificate that expires soon", () => {
  const soon = "2026-11-30T00:00:00Z";

  it.each([
    ["in 30 days", "2026-01-01T00:00:00Z", "2026-12-21T12:00:00Z", 1],
    ["a second later", "2026-01-01T00:00:00Z", "2026-12-21T12:00:01Z", 0],
    ["soon, after a validity of 30 days", "2026-10-31T00:00:00Z", soon, 0],
    ["soon, after a second more", "2026-10-30T23:59:59Z", soon, 1],
  ])("is one that ends %s: from %s until %s", (_, validAfter, validUntil, count) => {
    const inputs = { principals: ["ada"], validAfter, validUntil };
    const certificate = { type: "SshUserCertificate", name: "ada", before: inputs, after: inputs };
    expect(saidBy("expires-soon", certificate)).toHaveLength(count);
  });

  it("is not reported where the service issued it and renews it", () => {
    const inputs = { certificatePem: expiring };
    const certificate = (issuedAt: string | null): Written => ({
      ...{ type: "TlsCertificate", name: "site", before: inputs, after: inputs },
      outputs: { notBefore: "2026-01-01T00:00:00Z", notAfter: soon, issuedAt },
    });
    expect(saidBy("expires-soon", [certificate(null)])).toHaveLength(1);
    expect(saidBy("expires-soon", [certificate("2026-01-01T00:00:00Z")])).toEqual([]);
  });
});
