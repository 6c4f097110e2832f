import { readConfig } from "../../../src/tools/review/config-file";
import { formats } from "./formats";
import { unknown } from "../../../src/schema/unknown";
import { reviewText, urnOf, writtenPreview, type Written } from "./support";
import { previewOf } from "./access-preview";

const rule = { name: "berlin", policy: "office", action: "allow", cidr: "203.0.113.0/24" } as const;
const network = { policies: ["office"], rules: [rule], edges: { database: ["office"] } };
const wider = previewOf(network, { ...network, rules: [{ ...rule, cidr: "203.0.112.0/22" }] });
const same = previewOf(network, network);
const only = { resource: "TcpEdge *", onlyFrom: ["203.0.113.0/24"] };
const failure =
  "203.0.112.0/24 and 203.0.114.0/23 (768 addresses) must not be allowed, because onlyFrom does not list it: an " +
  "allow rule covers it (IpPolicyRule berlin)";

it("a test that a deployment breaks is an error at the edge", () => {
  const { findings } = reviewText(wider, { accessTests: [only] });
  expect(findings[0]).toMatchObject({
    ...{ rule: "access/test-failed", severity: "error", type: "TcpEdge", name: "database", message: failure },
  });
});

it("a test that was broken before is an error too: it says what must always hold", () => {
  const { findings, existing } = reviewText(same, {
    accessTests: [{ resource: "*", allowed: ["192.0.2.1"] }],
  });
  expect(findings.map(({ rule: id }) => id)).toEqual(["access/test-failed"]);
  expect(existing).toEqual([]);
});

it("a preview without the unchanged resources breaks the tests instead of skipping them", () => {
  const partial = JSON.stringify({ ...JSON.parse(same), steps: [], changeSummary: { same: 3 } });
  const { findings, skippedRules } = reviewText(partial, { accessTests: [only] });
  expect(findings.map(({ message }) => message)).toEqual([
    "1 access test cannot be checked, because the preview leaves out 3 unchanged resources; run it with --show-sames",
  ]);
  expect(skippedRules).not.toContain("access/test-failed");
});

describe("a test of a name that something else has now", () => {
  const [a, b] = ["1.tcp.example.com:5001", "2.tcp.example.com:5002"];
  const policy: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
  const inputs = { ipPolicyId: "ipp_office", cidr: "203.0.113.0/24", action: "allow" };
  const lan: Written = { type: "IpPolicyRule", name: "lan", id: "ipr_lan", before: inputs, after: inputs };
  const guard = { ipRestriction: { ipPolicyIds: ["ipp_office"] } };
  const edge = (name: string, before: unknown, after: unknown): Written => {
    const serving = (hostports: unknown) =>
      hostports === undefined ? undefined : { ...guard, ...(hostports === null ? {} : { hostports }) };
    return { type: "TcpEdge", name, id: `edgtcp_${name}`, before: serving(before), after: serving(after) };
  };
  const failures = (resources: Written[], edit = (text: string) => text): string[] =>
    reviewText(edit(writtenPreview([policy, lan, ...resources])), {
      accessTests: [{ resource: "TcpEdge database", onlyFrom: ["203.0.113.0/24"] }],
    })
      .findings.filter(({ rule: id }) => id === "access/test-failed")
      .map(({ name, severity, message }) => `${severity} ${name}: ${message}`);
  const untested = (name: string): string =>
    `error ${name}: the access test of "TcpEdge database" tested this place, and now tests something else: add a test of TcpEdge "${name}", or give it the old name`;

  it("fails at what serves the address of the tested edge", () => {
    const moved = [edge("database", [a], [b]), edge("real", undefined, [a])];
    expect(failures(moved)).toEqual([untested("real")]);
    expect(failures([edge("database", [a], [b]), edge("real", [b], [a])])).toEqual([untested("real")]);
  });

  it("fails at what may serve it, because its address is not known yet", () => {
    expect(failures([edge("database", [a], [b]), edge("real", undefined, [unknown])])).toEqual([
      untested("real"),
    ]);
    expect(failures([edge("database", [a], [a]), edge("real", undefined, [unknown])])).toEqual([]);
    const endpoint: Written = { type: "CloudEndpoint", name: "web", after: { url: unknown } };
    expect(failures([edge("database", [a], [b]), endpoint])).toEqual([]);
  });

  it("fails at the object that had the name and has another one through aliases", () => {
    const former = (text: string): string => {
      const preview = JSON.parse(text) as { steps: { urn: string; oldState?: object }[] };
      const step = preview.steps.find(({ urn }) => urn.endsWith("::real"))!;
      Object.assign(step.oldState!, { urn: urnOf("TcpEdge", "database") });
      return JSON.stringify(preview);
    };
    for (const hostports of [null, [a]]) {
      const renamed = [edge("real", hostports, hostports), edge("database", undefined, [b])];
      expect(failures(renamed, former)).toEqual([untested("real")]);
      expect(failures(renamed)).toEqual([]);
    }
  });

  it("does not fail where the tested edge has moved and nothing serves its address", () => {
    expect(failures([edge("database", [a], [b])])).toEqual([]);
    expect(failures([edge("database", [a], [a]), edge("other", [b], [b])])).toEqual([]);
  });
});

it.each(formats)("the review as %s says how many tests there are, and which fail", (name, form) => {
  const good = form(reviewText(same, { accessTests: [only] }));
  expect(good).toContain(name === "json" ? '"accessTests": 1' : "1 access test: it holds");
  expect(good).not.toContain("access/test-failed is");
  const bad = form(reviewText(wider, { accessTests: [only, { ...only, resource: "nothing" }] }));
  expect(bad).toContain(name === "json" ? '"accessTests": 2' : "2 access tests, with 2 failures");
  expect(bad.replace(/[\\]/g, "").replace(/&#34;|&quot;/g, '"')).toContain(failure);
  expect(form(reviewText(same))).not.toContain(name === "json" ? '"accessTests": 1' : "access test:");
});

describe("the configuration", () => {
  const read = (...accessTests: unknown[]) => readConfig(JSON.stringify({ accessTests })).accessTests;

  it("has access tests", () => {
    expect(read({ resource: " TcpEdge db ", allowed: ["203.0.113.7", "2001:db8::/32"] })).toEqual([
      { resource: "TcpEdge db", allowed: ["203.0.113.7", "2001:db8::/32"] },
    ]);
  });

  it.each<[string, unknown, string]>([
    ["no resource", { allowed: ["10.0.0.1"] }, "accessTests[0].resource must be a name"],
    ["a long name", { resource: "x".repeat(1001), allowed: [] }, "at most 1000 characters"],
    [
      "no expectation",
      { resource: "a" },
      "must be a test with one or more of allowed, denied, notAllowed, onlyFrom",
    ],
    [
      "a misspelt expectation",
      { resource: "a", notallowed: [] },
      "accessTests[0].notallowed is not known: did you mean notAllowed?",
    ],
    ["a text instead of a list", { resource: "a", allowed: "10.0.0.1" }, "must be a list"],
    [
      "nothing to test",
      { resource: "a", allowed: [] },
      "accessTests[0].allowed must be a list that is not empty",
    ],
    ["a number", { resource: "a", onlyFrom: [1] }, "accessTests[0].onlyFrom[0] must be a text"],
    ["host bits", { resource: "a", onlyFrom: ["10.0.0.1/8"] }, "did you mean 10.0.0.0/8?"],
    ["a name", { resource: "a", notAllowed: ["example.com"] }, "does not begin with an IPv4 or IPv6 address"],
    ["a text instead of a test", "TcpEdge db", "accessTests[0] must be {resource, allowed"],
  ])("is refused with %s", (_, test, message) => {
    expect(() => read(test)).toThrow(message);
  });

  it("is refused with more tests than anybody writes, and with tests that are no list", () => {
    expect(() => read(...Array.from({ length: 10_001 }, () => only))).toThrow(
      "accessTests must be a list of at most 10000 tests",
    );
    expect(() => readConfig(`{"accessTests": {}}`)).toThrow("accessTests must be a list");
  });
});
