/** The rules about who gets in: what is a finding of a guard, a policy or a module, and what is none. */
import { rules } from "../../../src/tools/review/rules";
import { shimOf } from "../../../src/program/shim";
import { unknown } from "../../../src/schema/unknown";
import { keptPolicy, reviewText, saidBy, saidOf, urnOf, writtenPreview, type Written } from "./support";

type Values = Record<string, unknown>;

const moduleOf = (
  type: string,
  before: Values | undefined,
  after: Values | undefined,
  name = "own",
): Written => {
  const all = (given: Values | undefined): Values | undefined => given && { ...route, ...given };
  return { type, name, before: all(before), after: all(after) };
};
const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
const other = { routeId: "edghtsrt_2" };
const [oidc, oauth, webhook] = [
  "HttpsEdgeRouteOidc",
  "HttpsEdgeRouteOauth",
  "HttpsEdgeRouteWebhookVerification",
] as const;
const login = { issuer: "https://id.example.com", clientId: "c" };
const github = { provider: { codeHost: { clientId: "c" } } };

describe("a module that guards a route", () => {
  const deleted = `error access/module-deleted ${oidc} own: sign-in by OIDC of edghts_1/edghtsrt_1 is deleted`;
  const disabled = `error access/unguarded ${oidc} own: its sign-in by OIDC is disabled, so nothing restricts who gets in`;
  const moved = `error access/module-moved ${oidc} own: sign-in by OIDC moves away from edghts_1/edghtsrt_1`;
  const gone = moduleOf(oidc, login, undefined);
  const off = moduleOf(oidc, login, { ...login, enabled: false });
  const away = { ...moduleOf(oidc, login, { ...login, ...other }), op: "replace" };

  const replacements: [string, Written, boolean][] = [
    ["another way to sign in", moduleOf(oauth, undefined, github, "new"), true],
    ["one that exists already", moduleOf(oauth, github, github, "new"), true],
    ["one that may be off", moduleOf(oauth, undefined, { ...github, enabled: unknown }, "new"), true],
    ["one that is off", moduleOf(oauth, undefined, { ...github, enabled: false }, "new"), false],
    ["one of another route", moduleOf(oauth, undefined, { ...github, ...other }, "new"), false],
    ["one that is deleted too", moduleOf(oauth, github, undefined, "new"), false],
    ["one that guards in another way", moduleOf(webhook, undefined, { provider: "GITHUB" }, "new"), false],
  ];
  it.each(replacements)("may go where its route keeps %s", (_, replacement, keeps) => {
    const found = [gone, off, away].map((own) => saidBy("(module-|unguarded).* own:", own, replacement));
    expect(found).toEqual(keeps ? [[], [], []] : [[deleted], [disabled], [moved]]);
  });

  it("takes what a second resource of its type says of its route with it", () => {
    const shared = `, and with it that of ${oidc} "new": an edge or route has one sign-in by OIDC`;
    const seconds = [
      moduleOf(oidc, undefined, login, "new"),
      moduleOf(oidc, login, login, "new"),
      moduleOf(oidc, { ...login, enabled: false }, login, "new"),
    ];
    for (const second of seconds) {
      expect(saidBy("module-", gone, second)).toEqual([deleted + shared]);
      expect(saidBy("module-", away, second)).toEqual([moved + shared]);
      expect(saidBy("module-|unguarded", off, second)).toEqual([disabled]);
    }
    const wasOff = moduleOf(oidc, { ...login, enabled: false }, undefined);
    expect(saidBy("module-", wasOff, seconds[1]!)).toEqual([deleted + shared]);
    expect(saidBy("module-", moduleOf(oidc, login, login))).toEqual([]);
  });

  it("may be missing where an earlier deployment deleted it and did not create it again, which this one does", () => {
    const found = (own: Written, ...others: Written[]): string[] => {
      const text = writtenPreview([own, ...others]).replace('"oldState":{', '$&"pendingReplacement":true,');
      return reviewText(text)
        .findings.filter(({ rule }) => rule === "access/open-in-between")
        .map(({ name, severity, message }) => `${severity} ${name}: ${message}`);
    };
    const repaired = { ...moduleOf(oidc, login, login), op: "replace" };
    const missing =
      "warning own: sign-in by OIDC of edghts_1/edghtsrt_1 may be missing: an earlier deployment deleted it and did not create it again. This one creates it";
    expect(found(repaired)).toEqual([missing]);
    expect(found({ ...moduleOf(oidc, login, { ...login, scopes: ["email"] }), op: "replace" })).toEqual([
      missing,
    ]);
    expect(found(repaired, moduleOf(oauth, undefined, github, "new"))).toEqual([missing]);
    expect(found(repaired, moduleOf(oauth, github, undefined, "new"))).toEqual([]);
    expect(found(repaired, moduleOf(oauth, github, github, "new"))).toEqual([]);
    const wasOff = { ...moduleOf(oidc, { ...login, enabled: false }, login), op: "replace" };
    expect(found(wasOff)).toEqual([]);
    expect(saidBy("in-between", repaired)).toEqual([]);
  });

  it("is not open while a transform replaces it where it stands: the provider updates it there", () => {
    const forced = { ...moduleOf(oidc, login, { ...login, scopes: ["email"] }), op: "replace" };
    const text = writtenPreview([{ ...forced, reasons: ["scopes"] }]).replace(
      '"oldState":{',
      '$&"pendingReplacement":true,',
    );
    const { findings, changes } = reviewText(text);
    expect(findings.filter(({ rule }) => rule === "access/open-in-between")).toEqual([]);
    expect(changes.map(({ deletesFirst }) => deletesFirst)).toEqual([false]);
  });

  it("is no guard where it was off, and may be one where nobody knows", () => {
    const wasOff = (after: Values | undefined) => moduleOf(oidc, { ...login, enabled: false }, after);
    expect(saidBy("module-", wasOff(undefined))).toEqual([]);
    expect(saidBy("module-", wasOff({ ...login, enabled: false }))).toEqual([]);
    expect(saidBy("module-", moduleOf(oidc, login, { ...login, enabled: unknown }))).toEqual([]);
  });

  it("is not missed with the edge that it is a part of", () => {
    const guard = { ipRestriction: { ipPolicyIds: ["ipp_a"] } };
    const deleted = { type: "TcpEdge", name: "db", before: guard, after: undefined };
    expect(saidBy("module-|unguarded", deleted)).toEqual([]);
  });

  it("restricts nothing without its policies, whatever else its edge refers to", () => {
    const edge = (ipPolicyIds: unknown): Written => ({
      ...{
        type: "TcpEdge",
        name: "db",
        before: { ...backend, ipRestriction: { ipPolicyIds: ["ipp_a", "ipp_b"] } },
      },
      after: { ...backend, ipRestriction: { ipPolicyIds } },
    });
    const backend = { backend: { backendId: "bkdtg_1" } };
    expect(saidBy("unguarded", edge(["ipp_a"]))).toEqual([]);
    expect(saidBy("unguarded", edge(unknown))).toEqual([]);
    const { findings } = reviewText(writtenPreview([edge([])]));
    expect(findings.filter(({ rule }) => rule === "access/unguarded")).toMatchObject([
      {
        message: "its IP restriction has no IP policies, so nothing restricts who gets in",
        ...{ field: "ipRestriction", severity: "error" },
      },
    ]);
  });

  it("is disabled by the argument that the finding names", () => {
    const { findings } = reviewText(writtenPreview([off]));
    expect(findings.find(({ rule }) => rule === "access/unguarded")!.field).toBe("enabled");
  });
});

const rule = (name: string, before: Values | undefined, after: Values | undefined): Written => {
  const all = (given: Values | undefined): Values | undefined =>
    given && { ipPolicyId: "ipp_a", action: "allow", cidr: "203.0.113.0/24", ...given };
  return { type: "IpPolicyRule", name, before: all(before), after: all(after) };
};
const guard = (ipPolicyIds: unknown, more: object = {}) => ({ ipRestriction: { ipPolicyIds, ...more } });
const edge = (before: Values | undefined, after: Values | undefined): Written => ({
  ...{ type: "TcpEdge", name: "db", before, after },
});
const kept = edge(guard(["ipp_a"]), guard(["ipp_a"]));

describe("who gains and who loses access", () => {
  it("is a finding at the rule where the policy is not a part of the program", () => {
    expect(saidBy("newly-allowed", rule("r", undefined, { ipPolicyId: "ipp_x" }))).toEqual([
      `warning access/newly-allowed IpPolicyRule r: 203.0.113.0/24 (256 addresses) is newly allowed because IpPolicyRule "r" is created`,
    ]);
  });

  it.each([
    [2, 'because IpPolicyRule "r1" is created and IpPolicyRule "r2" is created'],
    [4, 'IpPolicyRule "r3" is created and 1 more rule changes'],
    [5, 'IpPolicyRule "r3" is created and 2 more rules change'],
  ])("names the reasons of a policy that no edge uses: %i rules", (count, text) => {
    const rules = Array.from({ length: count }, (_, i) =>
      rule(`r${i + 1}`, undefined, { ipPolicyId: "ipp_x", cidr: `203.0.${2 * i}.0/24` }),
    );
    const [message, ...more] = saidBy("newly-allowed", ...rules);
    expect(more).toEqual([]);
    expect(message!.endsWith(text)).toBe(true);
  });

  it("has the place of the policy that a guard gains", () => {
    const preview = writtenPreview([
      ...[keptPolicy("a"), keptPolicy("b"), rule("r", { ipPolicyId: "ipp_b" }, { ipPolicyId: "ipp_b" })],
      edge(guard(["ipp_a"]), guard(["ipp_a", "ipp_b"])),
    ]);
    const placed = preview.replace('"newState":{"id":"ipp_b"', '$&,"sourcePosition":"project:///net.ts#4,1"');
    const found = reviewText(placed).findings.find((each) => each.rule === "access/newly-allowed");
    expect(found).toMatchObject({ name: "db", place: { file: "net.ts", line: 4 } });
  });

  it("is one finding for all that a guard loses, and never an error", () => {
    const resources = [
      ...[keptPolicy("a"), rule("r", { cidr: "10.0.0.0/8" }, undefined), kept],
      rule("s", undefined, { cidr: "11.0.0.0/8", action: "deny" }),
    ];
    const [found, ...more] = saidBy("access-lost", ...resources);
    expect(more).toEqual([]);
    expect(found).toMatch(
      /^warning .* db: 10\.0\.0\.0\/8 .* is no longer allowed .*; 11\.0\.0\.0\/8 .* is newly denied/,
    );
  });

  it("is an error where every address of a family is allowed, however few are new", () => {
    const resources = [
      ...[keptPolicy("a"), rule("r", { cidr: "0.0.0.0/1" }, { cidr: "0.0.0.0/1" }), kept],
      rule("s", undefined, { cidr: "128.0.0.0/1" }),
    ];
    const severity = (...all: Written[]): (string | boolean)[] => {
      const { findings } = reviewText(writtenPreview(all), { errorFrom: { 4: 1n << 33n } });
      const found = findings.find((each) => each.rule === "access/newly-allowed")!;
      return [
        found.severity,
        found.message.endsWith("; with what was allowed before, its policies now allow every IPv4 address"),
      ];
    };
    expect(severity(...resources)).toEqual(["error", true]);
    expect(severity(...resources.slice(0, 3), rule("s", undefined, { cidr: "128.0.0.0/2" }))).toEqual([
      "warning",
      false,
    ]);
  });

  it("is said of a restriction that begins, and not of an edge that ends", () => {
    const resources = [keptPolicy("a"), rule("r", {}, {})];
    const off = guard(["ipp_a"], { enabled: false });
    expect(saidBy("access-lost", ...resources, edge(off, guard(["ipp_a"])))).toEqual([
      "warning interruption/access-lost TcpEdge db: its access was not restricted; now its policies allow " +
        "203.0.113.0/24 (256 addresses) and deny no address",
    ]);
    for (const ended of [edge(off, undefined), edge(undefined, guard(["ipp_a"])), edge(off, off)])
      expect(saidBy("access-lost", ...resources, ended)).toEqual([]);
  });
});

describe("what is not known before the deployment", () => {
  const said = (...resources: Written[]) => saidBy("unknown-ranges", keptPolicy("a"), ...resources);

  it("names the policies outside of the program that a guard gains or loses", () => {
    expect(said(edge(guard(["ipp_x"]), guard(["ipp_y"])))).toEqual([
      "error access/unknown-ranges TcpEdge db: it gains or loses ipp_y, ipp_x, whose ranges are not part of this program",
    ]);
  });

  it("is a policy of a guard", () => {
    expect(said(edge(guard(["ipp_a"]), guard(["ipp_a", unknown])))).toEqual([
      "error access/unknown-ranges TcpEdge db: one of its policies is known only after the deployment",
    ]);
  });

  it("is nothing of a set that declares no range, and of a value that is hidden: a rule of its own reports it", () => {
    const placeless = { ipPolicyId: unknown };
    const set = (rules: object): Written => ({
      ...{ type: "IpPolicyRuleSet", name: "s", after: { ...placeless, rules } },
    });
    expect(said(set({}))).toEqual([]);
    expect(said(set({ office: "allow" }))).toHaveLength(1);
    expect(said(rule("r", undefined, { ...placeless, cidr: "[secret]" }))).toEqual([]);
    expect(said(rule("r", undefined, { cidr: "[secret]" }))).toEqual([]);
    expect(said(edge(guard(["ipp_a"]), guard("[secret]")))).toEqual([]);
  });
});

describe("a policy that allows every address", () => {
  const open = (...resources: Written[]) => saidBy("open-cidr", keptPolicy("a"), ...resources);
  const halves = [rule("r", undefined, { cidr: "0.0.0.0/1" }), rule("s", undefined, { cidr: "128.0.0.0/1" })];

  it("is found at the rule that does, with its argument", () => {
    const { findings } = reviewText(
      writtenPreview([keptPolicy("a"), rule("r", undefined, { cidr: "0.0.0.0/0" })]),
    );
    expect(findings.find((each) => each.rule === "access/open-cidr")).toMatchObject({
      ...{ name: "r", field: "cidr", message: "it allows 0.0.0.0/0, which is every IPv4 address" },
    });
  });

  it("is found at the policy whose rules do together, also where a rule denies every address", () => {
    const together = "error access/open-cidr IpPolicy a: its rules together allow every IPv4 address";
    expect(open(...halves)).toEqual([together]);
    expect(open(...halves, rule("t", undefined, { cidr: "0.0.0.0/0", action: "deny" }))).toEqual([together]);
    expect(open(...halves.slice(1))).toEqual([]);
  });
});

it("each rule says in words what it finds, and what to do", () => {
  for (const { title, help } of rules) {
    expect(title.length).toBeGreaterThan(10);
    expect(help.length).toBeGreaterThan(40);
  }
});

it.each([
  [["ipp_office"], ['access/unguarded db: "office" has no rules, so nothing restricts who gets in']],
  [
    ["ipp_office", "ipp_gone"],
    ['access/unguarded db: "office" has no rules, so nothing restricts who gets in'],
  ],
  [["ipp_gone"], []],
  [["ipp_office", unknown], []],
])(
  "says that policies without rules restrict nobody where all of them are known: %j",
  (ipPolicyIds, said) => {
    const values = { ipRestriction: { ipPolicyIds } };
    const { findings } = reviewText(
      writtenPreview([
        { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} },
        { type: "IpPolicy", name: "gone", id: "ipp_gone", before: {}, after: undefined },
        { type: "TcpEdge", name: "db", id: "edgtcp_1", after: values },
      ]),
    );
    const found = findings.map(({ rule, name, message }) => `${rule} ${name}: ${message}`);
    expect(found.filter((each) => each.startsWith("access/unguarded"))).toEqual(said);
  },
);

describe("a policy that the program only reads", () => {
  const urn = urnOf("IpPolicy", "hand");
  const allowed = { type: "IpPolicyRuleSet", name: "own", id: "ipp_own" };
  const rules = { ipPolicyId: "ipp_own", rules: { "203.0.113.0/24": "allow" } };
  const edge = (ids: readonly string[], before?: readonly string[]): Written => ({
    ...{ type: "TcpEdge", name: "database" },
    ...{ before: before && { ipRestriction: { ipPolicyIds: before } } },
    after: { ipRestriction: { ipPolicyIds: ids } },
  });
  const onlyFrom = [{ resource: "TcpEdge database", onlyFrom: ["203.0.113.0/24"] }];
  const reviewed = (...resources: Written[]): string[] => {
    const { steps, ...more } = JSON.parse(writtenPreview(resources)) as { steps: object[] };
    const state = {
      ...{ urn, type: urn.split("::")[2], custom: true, external: true },
      id: "ipp_hand",
      inputs: { __provider: shimOf("IpPolicy") },
    };
    const text = JSON.stringify({
      steps: [
        ...steps,
        { op: "read", urn, newState: { ...state, outputs: { __provider: shimOf("IpPolicy") } } },
      ],
      ...more,
    });
    const { findings } = reviewText(text, { accessTests: onlyFrom });
    return findings.map(({ rule, name, message }) => `${rule} ${name}: ${message}`);
  };

  it("has rules that the review does not know: an edge that takes it is a finding, and no test holds", () => {
    for (const before of [undefined, ["ipp_own"]]) {
      const own: Written = { type: "IpPolicy", name: "own", id: "ipp_own", before: {}, after: {} };
      const all = reviewed(
        own,
        { ...allowed, before: rules, after: rules },
        edge(["ipp_own", "ipp_hand"], before),
      );
      expect(all).toEqual([
        expect.stringMatching(
          /^access\/test-failed database: .*must not be allowed, .*known only after.*IpPolicy hand/,
        ),
        expect.stringMatching(
          /^access.unknown-ranges database: it (takes|gains or loses) hand, whose ranges are not part/,
        ),
      ]);
    }
  });

  it("is not unused", () => {
    expect(reviewed().filter((each) => each.includes("unused-policy"))).toEqual([]);
  });
});

describe("an edge, endpoint or module that the program only reads", () => {
  const reading = (type: string, isKnown: boolean): string => {
    const urn = urnOf(type, "hand");
    const state = {
      ...{ urn, type: urn.split("::")[2], custom: true, external: true, id: "any_hand" },
      ...{ inputs: { __provider: shimOf(type) }, outputs: { __provider: shimOf(type) } },
    };
    const args = { hostports: ["1.tcp.example.com:5001"], url: "https://a.example.com", edgeId: "edgtls_1" };
    const old = { ...state, outputs: { ...state.outputs, ...args, issuer: "https://id.example.com" } };
    const step = { op: "read", urn, newState: state, ...(isKnown && { oldState: old }) };
    const { steps, ...more } = JSON.parse(writtenPreview([])) as { steps: object[] };
    return JSON.stringify({ steps: [...steps, step], ...more });
  };
  const types = ["TcpEdge", "CloudEndpoint", "TlsEdgeIpRestriction", "HttpsEdgeRouteOidc"];

  it.each(types.flatMap((type) => [true, false].map((isKnown): [string, boolean] => [type, isKnown])))(
    "is guarded in a way that nobody knows: no finding is about a %s, read before: %j",
    (type, isKnown) => {
      const { findings, existing, access } = reviewText(reading(type, isKnown));
      expect([...findings, ...existing]).toEqual([]);
      expect(access!.guarded.flatMap(({ differences }) => differences)).toEqual([]);
    },
  );

  it("uses the policies that the stack has recorded of it", () => {
    const policy: Written = { type: "IpPolicy", name: "p", id: "ipp_1", before: {} };
    const state = {
      ...{
        urn: urnOf("TcpEdge", "hand"),
        type: urnOf("TcpEdge", "hand").split("::")[2],
        custom: true,
        external: true,
      },
      ...{
        id: "edgtcp_1",
        inputs: {},
        outputs: { ipRestriction: { enabled: true, ipPolicyIds: ["ipp_1"] } },
      },
    };
    for (const each of [state.inputs, state.outputs]) Object.assign(each, { __provider: shimOf("TcpEdge") });
    const newState = { ...state, outputs: state.inputs };
    const { steps, ...more } = JSON.parse(writtenPreview([policy])) as { steps: object[] };
    const read = { op: "read", urn: state.urn, oldState: state, newState };
    const { findings } = reviewText(JSON.stringify({ steps: [...steps, read], ...more }));
    expect(findings.map(({ rule, name }) => `${rule} ${name}`)).toEqual(["access/policy-deleted-in-use p"]);
  });

  it("passes no access test about addresses", () => {
    for (const isKnown of [true, false]) {
      const { findings } = reviewText(reading("TcpEdge", isKnown), {
        accessTests: [{ resource: "TcpEdge hand", notAllowed: ["192.0.2.1"] }],
      });
      expect(findings.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([
        expect.stringMatching(/^access\/test-failed: .*this is known only after the deployment/),
      ]);
    }
  });
});

it("a rule set that is not exclusive says nothing about other addresses", () => {
  const inputs = { ipPolicyId: "ipp_1", rules: { "203.0.113.0/24": "allow" }, exclusive: false };
  const guard = { ipRestriction: { ipPolicyIds: ["ipp_1"] } };
  const text = writtenPreview([
    { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: {} },
    { type: "IpPolicyRuleSet", name: "office", id: "ipp_1", before: inputs, after: inputs },
    { type: "TcpEdge", name: "database", before: guard, after: guard },
  ]);
  const failed = (test: object): number =>
    reviewText(text, { accessTests: [{ resource: "TcpEdge database", ...test }] }).findings.length;
  expect([failed({ onlyFrom: ["203.0.113.0/24"] }), failed({ notAllowed: ["192.0.2.1"] })]).toEqual([1, 1]);
});

describe("a rule under a second provider, in a policy of the first by its plain id", () => {
  const official = "https://api.example.com/v1";
  const second = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::second";
  const guard = { ipRestriction: { ipPolicyIds: ["ipp_1"] } };
  const inputs = { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow" };
  const written = writtenPreview([
    { type: "IpPolicy", name: "office", id: "ipp_1", before: {}, after: {} },
    { type: "IpPolicyRule", name: "office", before: inputs, after: inputs },
    { type: "TcpEdge", name: "database", before: guard, after: guard },
    { type: "IpPolicyRule", name: "wide", after: { ...inputs, cidr: "0.0.0.0/0" } },
  ]);
  const tests = [{ onlyFrom: ["10.0.0.0/8"] }, { notAllowed: ["192.0.2.1"] }];
  const accessTests = tests.map((test) => ({ resource: "TcpEdge database", ...test }));

  /** The rules of the findings, where the second provider has a base URL. */
  function found(url: string | undefined): string[] {
    const { steps, ...more } = JSON.parse(written) as { steps: { newState: object }[] };
    const config = { "tunnel-gateway:baseUrl": official };
    const state = { type: second.split("::")[2], custom: true, id: "id", outputs: {} };
    const provider = { ...state, inputs: { "tunnel-gateway:baseUrl": url } };
    const known = { op: "same", urn: second, oldState: provider, newState: provider };
    const wide = steps.at(-1)!;
    const moved = { ...wide, newState: { ...wide.newState, provider: `${second}::id` } };
    const text = JSON.stringify({ ...more, config, steps: [known, ...steps.slice(0, -1), moved] });
    return reviewText(text, { accessTests }).findings.map(({ rule, name }) => `${rule} ${name}`);
  }

  it("lets in whom it allows where both have one base URL", () => {
    const failed = ["access/test-failed database", "access/test-failed database"];
    expect(found(official)).toEqual(
      expect.arrayContaining(["access/newly-allowed database", "access/open-cidr wide", ...failed]),
    );
  });

  it.each([undefined, unknown, "[secret]"])("fails access tests where its base URL is %s", (url) => {
    const failed = found(url).filter((each) => each === "access/test-failed database");
    expect(failed).toHaveLength(accessTests.length);
  });
});

describe("a guard that is lost by way of another change", () => {
  const errors = (...resources: Written[]): string[] =>
    saidOf(resources).filter((text) => text.startsWith("error access/"));
  const office: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
  const restricted = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };

  it("is an error where the last allow rule goes and deny rules stay", () => {
    const ruleOf = (name: string, action: string, cidr: string, stays: boolean): Written => {
      const inputs = { ipPolicyId: "ipp_office", action, cidr };
      return {
        ...{
          type: "IpPolicyRule",
          name,
          id: `ipr_${name}`,
          before: inputs,
          after: stays ? inputs : undefined,
        },
      };
    };
    const deny = ruleOf("no", "deny", "203.0.113.128/25", true);
    const edge: Written = { type: "TcpEdge", name: "db", before: restricted, after: restricted };
    const found = (stays: boolean) =>
      errors(office, ruleOf("lan", "allow", "203.0.113.0/24", stays), deny, edge);
    expect(found(true)).toEqual([]);
    expect(found(false)).toEqual([expect.stringMatching(/^error access\/deny-only TcpEdge db: /)]);
  });

  it("is an error where OAuth without allow-lists takes the place of OIDC, also where it was there before", () => {
    const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
    const oidc: Written = {
      ...{ type: "HttpsEdgeRouteOidc", name: "staff", id: "edghts_1/edghtsrt_1" },
      before: { ...route, issuer: "https://id.example.com", clientId: "c" },
    };
    const oauth: Written = {
      ...{ type: "HttpsEdgeRouteOauth", name: "all", id: "edghts_1/edghtsrt_1" },
      after: { ...route, provider: { searchVendor: {} } },
    };
    for (const open of [oauth, { ...oauth, before: oauth.after }])
      expect(errors(oidc, open)).toEqual([
        "error access/who-signs-in HttpsEdgeRouteOauth all: sign-in by OAuth at searchVendor takes the place of sign-in by OIDC at https://id.example.com; everyone who can sign in there may pass",
      ]);
  });
});
