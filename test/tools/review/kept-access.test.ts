import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/tools/review/config-file";
import { outcomeOf } from "../../../src/tools/review/outcome";
import { review } from "../../../src/tools/review/review";
import { unknown } from "../../../src/schema/unknown";
import { readPreview } from "../../support/recorded";
import { previewOf } from "./access-preview";
import type { Network } from "./access-preview";
import { previewText, reviewText, writtenPreview } from "./support";
import type { Written } from "./support";
import type { ReviewOptions } from "../../../src/tools/review/review";

const rule = "access/kept-access-lost";
const keepAccess = { office: ["203.0.113.0/24"], runner: ["198.51.100.7"] };

function lost(text: string, options: ReviewOptions = { keepAccess }): string[] {
  const { findings } = reviewText(text, options);
  return findings
    .filter((each) => each.rule === rule)
    .map(({ severity, type, name, message }) => `${severity} ${type} ${name}: ${message}`);
}

const lan = { name: "lan", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
const ci = { name: "ci", policy: "office", action: "allow", cidr: "198.51.100.7/32" } as const;
const network: Network = { policies: ["office"], rules: [lan, ci], edges: { database: ["office"] } };
const deny = { name: "guests", policy: "office", action: "deny", cidr: "203.0.113.128/25" } as const;
const more = (what: string) => `may lose its access: ${what}`;

it("names the ranges, the part that is lost, the place and the cause", () => {
  const { findings } = reviewText(previewOf(network, { ...network, rules: [lan] }), { keepAccess });
  expect(findings[0]).toMatchObject({
    ...{ rule, severity: "error", type: "TcpEdge", name: "database" },
    message: `"runner" ${more('198.51.100.7/32 (1 address), which no rule covers, because of IpPolicyRule "ci"')}`,
  });
});

it.each<[string, Network, string[]]>([
  ["nothing changes", network, []],
  ["a rule is split", splitOf(network), []],
  ["others gain access", { ...network, rules: [lan, ci, { ...ci, name: "all", cidr: "192.0.2.0/24" }] }, []],
  [
    "a deny rule covers a part of them",
    { ...network, rules: [lan, ci, deny] },
    [
      `error TcpEdge database: "office" ${more('203.0.113.128/25 (128 addresses), which allow rules and deny rules cover, because of IpPolicyRule "guests", IpPolicyRule "lan"')}`,
    ],
  ],
  [
    "the allow rule becomes a deny rule",
    { ...network, rules: [{ ...lan, action: "deny" }, ci] },
    [
      `error TcpEdge database: "office" ${more('203.0.113.0/24 (256 addresses), which is denied, because of IpPolicyRule "lan"')}`,
    ],
  ],
  [
    "the edge gets another policy, and the old one stays",
    { ...network, policies: ["office", "other"], edges: { database: ["other"] } },
    [
      `error TcpEdge database: "office" ${more('203.0.113.0/24 (256 addresses), which no rule covers, because of IpPolicyRule "lan"')}`,
      `error TcpEdge database: "runner" ${more('198.51.100.7/32 (1 address), which no rule covers, because of IpPolicyRule "ci"')}`,
    ],
  ],
  ["the edge is deleted: nobody can reach it", { ...network, edges: {} }, []],
])("%s", (_, after, expected) => {
  expect(lost(previewOf(network, after))).toEqual(expected);
});

function splitOf(of: Network): Network {
  const halves = ["203.0.113.0/25", "203.0.113.128/25"].map((cidr, i) => ({
    ...lan,
    name: `lan ${i}`,
    cidr,
  }));
  return { ...of, rules: [...halves, ci] };
}

it("a policy that no edge of the program uses counts by itself, because another program may use it", () => {
  const unused = { ...network, edges: {} };
  expect(lost(previewOf(unused, { ...unused, rules: [ci] }))).toEqual([
    `error IpPolicy office: "office" ${more('203.0.113.0/24 (256 addresses), which no rule covers, because of IpPolicyRule "lan"')}`,
  ]);
  expect(lost(previewOf(unused, { policies: [], rules: [], edges: {} }))).toEqual([]);
});

it("in a policy that no edge uses, who perhaps got in beside deny rules does not beside allow rules of others", () => {
  const unused = { ...network, edges: {} };
  const denies = { ...deny, cidr: "192.0.2.0/24" };
  const other = { ...ci, cidr: "198.51.100.8/32" };
  expect(lost(previewOf({ ...unused, rules: [denies] }, { ...unused, rules: [other] }))).toEqual([
    expect.stringMatching(/^error IpPolicy office: "office" may lose its access: .*203\.0\.113\.0\/24/),
    expect.stringMatching(/^error IpPolicy office: "runner" may lose its access: .*198\.51\.100\.7\/32/),
  ]);
  // A new policy gets its first rule.
  expect(lost(previewOf({ ...unused, rules: [] }, { ...unused, rules: [other] }))).toEqual([]);
});

it("rules that are known count where others are not: beside a set that is not exclusive", () => {
  const open = (rules: object): string => {
    const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
    const of = (own: object) => ({ ipPolicyId: "ipp_office", exclusive: false, rules: own });
    const set: Written = {
      ...{ type: "IpPolicyRuleSet", name: "office", id: "ipp_office" },
      ...{ before: of({ "203.0.113.0/24": "allow" }), after: of(rules) },
    };
    const edge = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
    const place: Written = { type: "TcpEdge", name: "database", before: edge, after: edge };
    return lost(writtenPreview([policy, set, place])).join();
  };
  expect(open({ "203.0.112.0/23": "allow" })).toBe("");
  const unsure = 'whose access is known only after the deployment, because of IpPolicy "office"';
  expect(open({})).toBe(
    `error TcpEdge database: "office" ${more(`203.0.113.0/24 (256 addresses), ${unsure}`)}`,
  );
  expect(open({ "203.0.113.0/24": "allow", "203.0.113.128/25": "deny" })).toContain(
    "203.0.113.128/25 (128 addresses)",
  );
});

it("access for good that becomes access until a time is lost, because its end asks nobody", () => {
  const until = "2099-01-01T00:00:00Z";
  const lab = { ipPolicyId: "ipp_lab", cidr: "192.0.2.0/24", action: "allow" };
  const others: Written[] = [
    { type: "IpPolicy", name: "lab", id: "ipp_lab", before: {}, after: {} },
    { type: "IpPolicyRule", name: "lab", id: "ipr_lab", before: lab, after: lab },
  ];
  const shown = (before: object, after: object, ...beside: string[]): string[] => {
    const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
    const of = (rules: object) => ({ ipPolicyId: "ipp_office", rules });
    const set: Written = {
      ...{ type: "IpPolicyRuleSet", name: "office", id: "ipp_office", before: of(before), after: of(after) },
    };
    const edge = { ipRestriction: { ipPolicyIds: ["ipp_office", ...beside] } };
    const place: Written = { type: "TcpEdge", name: "database", before: edge, after: edge };
    return lost(writtenPreview([policy, set, ...others, place]));
  };
  const allow = { "203.0.113.0/24": "allow" };
  const ends = { "203.0.113.0/24": { action: "allow", until } };
  expect(shown(allow, ends)).toEqual([
    'error TcpEdge database: "office" may lose its access, when the rules with `until` end: 203.0.113.0/24 (256 addresses), which no rule covers, because of IpPolicyRuleSet "office"',
  ]);
  expect(shown(allow, ends, "ipp_lab")).toHaveLength(1);
  expect(shown(ends, ends)).toEqual([]);
  expect(shown(allow, { ...ends, "203.0.112.0/23": "allow" })).toEqual([]);
  expect(shown(allow, { "203.0.113.0/25": "allow", "203.0.113.128/25": { action: "allow", until } })).toEqual(
    [expect.stringContaining("end: 203.0.113.128/25 (128 addresses), which no rule covers")],
  );
  expect(shown(allow, { "203.0.113.0/25": { action: "allow", until } })).toEqual([
    expect.stringContaining("may lose its access: 203.0.113.128/25 (128 addresses)"),
    expect.stringContaining("end: 203.0.113.0/25 (128 addresses)"),
  ]);
});

it("an address that perhaps got in and certainly does not any more is lost, unless semantics decides", () => {
  const both = { ...network, rules: [lan, ci, deny] };
  const text = previewOf(both, { ...both, rules: [{ ...lan, cidr: "203.0.113.0/25" }, ci, deny] });
  const message = '203.0.113.128/25 (128 addresses), which is denied, because of IpPolicyRule "guests"';
  expect(lost(text)).toEqual([`error TcpEdge database: "office" ${more(message)}`]);
  const semantics = { overlap: "deny-wins", unmatched: "denied", empty: "closed", policies: "any" } as const;
  expect(lost(text, { keepAccess, semantics })).toEqual([]);
});

describe("places", () => {
  const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
  const inputs = { ipPolicyId: "ipp_office", cidr: "192.0.2.0/24", action: "allow" };
  const other: Written = {
    type: "IpPolicyRule",
    name: "other",
    id: "ipr_other",
    before: inputs,
    after: inputs,
  };
  const guard = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
  const hostports = ["1.tcp.example.com:5001"];
  const edge = (name: string, before: object | undefined, after: object | undefined): Written => ({
    ...{ type: "TcpEdge", name, id: `edgtcp_${name}` },
    ...{ before: before as Written["before"], after: after as Written["after"] },
  });
  const at = (...edges: Written[]): string[] => lost(writtenPreview([policy, other, ...edges]));
  const closed = (name: string): string[] =>
    ["203.0.113.0/24 (256 addresses)", "198.51.100.7/32 (1 address)"].map(
      (ranges, i) =>
        `error ${name}: "${["office", "runner"][i]}" may lose its access, which nothing restricted: ${ranges}, which no rule covers`,
    );

  it("an edge that was open and gets policies that do not allow them", () => {
    expect(at(edge("a", { hostports }, { hostports, ...guard }))).toEqual(closed("TcpEdge a"));
  });

  it("the same address under another name is the same place", () => {
    const [old, next] = [edge("a", { hostports }, undefined), edge("b", undefined, { hostports, ...guard })];
    expect(at(old, next)).toEqual(closed("TcpEdge b"));
  });

  it("an edge whose address is not known may serve the address that nothing serves any more", () => {
    const next = edge("b", undefined, { hostports: unknown, ...guard });
    expect(at(edge("a", { hostports }, undefined), next)).toEqual(closed("TcpEdge b"));
  });

  it("a new edge at a new address takes access from nobody", () => {
    expect(at(edge("b", undefined, { hostports, ...guard }))).toEqual([]);
  });

  it("a new module at an edge that was open without it", () => {
    const module: Written = {
      ...{ type: "TlsEdgeIpRestriction", name: "tls", id: "edgtls_1" },
      after: { edgeId: "edgtls_1", ipPolicyIds: ["ipp_office"] },
    };
    expect(lost(writtenPreview([policy, other, module]))).toEqual(closed("TlsEdgeIpRestriction tls"));
    const { after } = module;
    expect(lost(writtenPreview([policy, other, { ...module, before: after, after: undefined }]))).toEqual([]);
  });
});

it("a preview without the unchanged resources is an error, and a failed one is not compared", () => {
  const text = previewOf(network, network);
  const partial = JSON.stringify({ ...JSON.parse(text), steps: [], changeSummary: { same: 3 } });
  expect(lost(partial)).toEqual([
    "error  : keepAccess cannot be checked, because the preview leaves out 3 unchanged resources; run it with --show-sames",
  ]);
  expect(lost(partial, {})).toEqual([]);
});

it("a silence by name accepts it, with its reason in every output", () => {
  const text = previewOf(network, { ...network, rules: [lan] });
  const silences = [{ rule, resource: "TcpEdge database", reason: "the runner moves" }];
  const { findings, silenced } = reviewText(text, { keepAccess, silences });
  expect(findings.map((each) => each.rule)).not.toContain(rule);
  expect(silenced.map(({ finding, reason }) => [finding.rule, reason])).toEqual([[rule, "the runner moves"]]);
});

it("fails the review, and passes for every deployment that keeps the access", () => {
  const outcome = (after: Network): string =>
    outcomeOf(review(readPreview(previewOf(network, after)), { keepAccess }));
  expect(outcome({ ...network, rules: [lan] })).toBe("failed");
  expect(outcome({ ...network, rules: [lan, ci, { ...ci, name: "more", cidr: "192.0.2.0/24" }] })).toBe(
    "passed",
  );
});

it("shows the names with their ranges among the settings", () => {
  const { settings } = reviewText(previewOf(network, network), { keepAccess });
  expect(settings).toEqual([
    { name: "keepAccess", value: '"office" (203.0.113.0/24), "runner" (198.51.100.7)', usual: "not set" },
  ]);
});

it.each([
  [{ keepAccess: [] }, "keepAccess must be {name: list of addresses and ranges} with at most 1000 names"],
  [{ keepAccess: { office: [] } }, "keepAccess.office must be a list that is not empty"],
  [
    { keepAccess: { office: "203.0.113.0/24" } },
    "keepAccess.office must be a list of at most 100000 addresses and ranges",
  ],
  [{ keepAccess: { office: ["203.0.113.7/24"] } }, /^keepAccess\.office\[0\]: .*203\.0\.113\.0\/24/],
])("the configuration %j is wrong", (config, message) => {
  expect(() => readConfig(JSON.stringify(config))).toThrow(message);
});

it("reads the configuration", () => {
  expect(readConfig(JSON.stringify({ keepAccess })).keepAccess).toEqual(keepAccess);
});

/** Every recorded preview in which somebody loses access, with the first word of what is lost. */
const everybody: Readonly<Record<string, readonly string[]>> = {
  "access-allow-removed": ["database 203.0.113.0/24"],
  "access-denied": ["database 203.0.113.64/26"],
  "access-edge-moved": ["database 203.0.113.0/24"],
  "access-policy-outside": ["database 203.0.113.0/24"],
  "access-restricted": ["plain 0.0.0.0/0"],
  "access-unknown-range": ["database 203.0.113.0/24"],
  drift: ["db 203.0.113.128/25", "tls 203.0.113.128/25"],
  "hidden-edge": ["db 203.0.113.0/24"],
  "hidden-members": ["db 203.0.113.0/24", "tls 198.51.100.0/24"],
  "hidden-ranges": ["db 203.0.113.0/24", "tls 198.51.100.0/24"],
  "last-rules-gone": ["db 203.0.113.0/25", "tls 203.0.113.0/25"],
  "places-renamed-wider": ["database 203.0.113.0/24"],
  "places-rules-kept": ["admin 198.51.100.128/25"],
  "places-unknown": ["db 203.0.113.0/24", "admin 198.51.100.0/24"],
  "policy-deleted-in-use": ["db 203.0.113.0/25", "tls 203.0.113.0/25"],
  "unknown-settings": ["db 203.0.113.0/24", "tls 198.51.100.0/24"],
};
const recordings = readdirSync(join(__dirname, "../../fixtures/previews")).flatMap((file) =>
  file.endsWith(".json") ? [file.slice(0, -5)] : [],
);

it.each(recordings)("the recorded preview %s", (name) => {
  const found = lost(previewText(name), { keepAccess: { everybody: ["0.0.0.0/0", "::/0"] }, now: 0 });
  const shown = found.map((text) =>
    /^error \w+ (\w+): .* access[^:]*: (\S+?),? /.exec(text)!.slice(1).join(" "),
  );
  expect(shown).toEqual(everybody[name] ?? []);
});
