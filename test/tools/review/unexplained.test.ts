/** What decides access and is not known, and what the data flow explains of it. */
import { unknown } from "../../../src/schema/unknown";
import { reviewText, saidOf, urnOf, writtenPreview, type Written } from "./support";

type Values = Readonly<Record<string, unknown>>;
const created: Written = { type: "BotUser", name: "new", after: { name: "ci" } };
const changed: Written = {
  ...{ type: "BotUser", name: "old", id: "bot_old", before: { name: "ci" }, after: { name: "deploy" } },
};
const policy = (name: string, before?: Values): Written => ({
  ...{ type: "IpPolicy", name, id: `ipp_${name}`, before, after: { description: name } },
});
const otherPackage = "urn:pulumi:test::written::random:index/randomString:RandomString::any";
const botUsers = (...names: string[]): string[] => names.map((name) => urnOf("BotUser", name));
const key = (...from: string[]): Written => ({
  ...{ type: "ApiKey", name: "it", after: { ownerId: unknown }, from: { ownerId: botUsers(...from) } },
});
const edge = (ipRestriction: unknown, ...policies: string[]): Written => ({
  ...{ type: "TcpEdge", name: "it", after: { ipRestriction } },
  from: { ipRestriction: policies.map((name) => urnOf("IpPolicy", name)) },
});

const policyRule: Written = { type: "IpPolicyRule", name: "r" };
const inB = { ipPolicyId: "ipp_b", cidr: "203.0.113.0/24", action: "allow" };

const found = (resources: readonly Written[]): string[] =>
  saidOf(resources).flatMap((text) => / access\/unknown .*: known only .*: (.*)$/.exec(text)?.[1] ?? []);

it.each<[string, Written[]]>([
  ["an id of a new object", [created, key("new")]],
  ["ids of new policies", [policy("a"), policy("b"), edge({ ipPolicyIds: [unknown, unknown] }, "a", "b")]],
  ["a list of ids of a new policy", [policy("a"), edge({ ipPolicyIds: unknown }, "a")]],
  [
    "the id of a new policy that comes with its rule",
    [
      policy("a"),
      { ...policyRule, after: { ipPolicyId: unknown }, from: { ipPolicyId: [urnOf("IpPolicy", "a")] } },
      {
        ...edge({ ipPolicyIds: [unknown] }),
        from: { ipRestriction: [urnOf("IpPolicy", "a"), urnOf("IpPolicyRule", "r")] },
      },
    ],
  ],
  [
    "a new id beside a known one",
    [policy("a"), policy("b", {}), edge({ ipPolicyIds: ["ipp_b", unknown] }, "a", "b")],
  ],
  [
    "a new id beside one that an existing rule gives",
    [
      policy("a"),
      policy("b", {}),
      { type: "IpPolicyRule", name: "r", before: inB, after: inB },
      {
        ...edge({ ipPolicyIds: ["ipp_b", unknown] }),
        from: { ipRestriction: [urnOf("IpPolicy", "a"), urnOf("IpPolicyRule", "r")] },
      },
    ],
  ],
])("the data flow explains %s", (_, resources) => {
  expect(found(resources)).toEqual([]);
});

it.each<[string, Written[], string]>([
  [
    "a whole restriction, although only a new policy is in it",
    [policy("a"), edge(unknown, "a")],
    "ipRestriction",
  ],
  ["a value made of an object that exists", [changed, key("old")], "ownerId"],
  [
    "a value made of an object of another type",
    [policy("a"), { ...key(), from: { ownerId: [urnOf("IpPolicy", "a")] } }],
    "ownerId",
  ],
  ["a value that comes from nowhere", [key()], "ownerId"],
  ["a value made of a new object and of one that exists", [created, changed, key("new", "old")], "ownerId"],
  [
    "a value made of a new object and of one of another package",
    [created, { ...key(), from: { ownerId: [...botUsers("new"), otherPackage] } }],
    "ownerId",
  ],
  [
    "a value made of a new object and of one of another type",
    [created, policy("a"), { ...key(), from: { ownerId: [...botUsers("new"), urnOf("IpPolicy", "a")] } }],
    "ownerId",
  ],
])("nothing explains %s", (_, resources, path) => {
  expect(found(resources)).toEqual([path]);
});

it("the data flow explains the id of a new policy that a component of another package returns, and no other value of it", () => {
  const urn = "urn:pulumi:test::written::acme:index:Net::net";
  const component = { op: "create", urn, newState: { type: "acme:index:Net", custom: false } };
  const unexplained = (...policies: string[]): string[] => {
    const it = edge({ ipPolicyIds: [unknown] });
    const from = { ipRestriction: [...policies.map((name) => urnOf("IpPolicy", name)), urn] };
    const preview = JSON.parse(writtenPreview([policy("a"), { ...it, from }])) as { steps: object[] };
    const { findings } = reviewText(JSON.stringify({ ...preview, steps: [...preview.steps, component] }));
    return findings.map(({ rule }) => rule).filter((rule) => rule === "access/unknown-ranges");
  };
  expect(unexplained("a")).toEqual([]);
  expect(unexplained()).toEqual(["access/unknown-ranges"]);
});

it("nothing explains more ids than there are new policies, which the rule about ranges reports", () => {
  const resources = [policy("a"), edge({ ipPolicyIds: [unknown, unknown] }, "a")];
  expect(found(resources)).toEqual([]);
  expect(saidOf(resources)).toContain(
    "error access/unknown-ranges TcpEdge it: one of its policies is known only after the deployment",
  );
});

it("nothing explains a policy whose id is also made of something else, so access tests about it fail", () => {
  const rules = { ipPolicyId: unknown, rules: { "203.0.113.0/24": "allow" } };
  const from = [urnOf("IpPolicy", "a")];
  const set: Written = { type: "IpPolicyRuleSet", name: "s", after: rules, from: { ipPolicyId: from } };
  const world = (...more: string[]): Written[] => [
    ...[policy("a"), policy("b", {}), set],
    { ...edge({ ipPolicyIds: [unknown] }), from: { ipRestriction: [...from, ...more] } },
  ];
  const failing = (...more: string[]): string[] => {
    const accessTests = [{ resource: "TcpEdge it", onlyFrom: ["203.0.113.0/24"] }];
    const { findings } = reviewText(writtenPreview(world(...more)), { accessTests });
    return findings.filter(({ severity }) => severity === "error").map(({ rule }) => rule);
  };
  expect(failing()).toEqual([]);
  for (const other of [otherPackage, urnOf("IpPolicy", "b")])
    expect(failing(other)).toEqual(["access/test-failed", "access/unknown-ranges"]);
});
