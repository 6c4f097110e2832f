/** Programs of an audit that got past the review when it read plans, each with what stops it now. */
import { unknown } from "../../../src/schema/unknown";
import type { RehearsalOptions } from "../../../src/tools/rehearsal/rehearse";
import { rehearsedReview, tcpEdge, writtenPreview, type Written } from "./support";

const at = "ipp_office";
const policy: Written = { type: "IpPolicy", name: "office", id: at, before: {}, after: {} };
const inputs = { ipPolicyId: at, cidr: "203.0.113.0/24", action: "allow" };
const deny = { ipPolicyId: at, cidr: "203.0.113.128/25", action: "deny" };
const lan: Written = { type: "IpPolicyRule", name: "lan", id: "ipr_lan", before: inputs, after: inputs };
const guests: Written = { type: "IpPolicyRule", name: "guests", id: "ipr_guests", before: deny, after: deny };
const db = { hostports: ["1.tcp.example.com:5001"], ipRestriction: { ipPolicyIds: [at] } };
const edge = tcpEdge("db", db, db);
const all = [policy, lan, guests, edge];
const denies = JSON.stringify({ on_http_request: [{ actions: [{ type: "deny" }] }] });
const web = { url: "https://app.example.com", trafficPolicy: denies };

const gone = (each: Written): Written => ({ ...each, after: undefined });
const byHand = (id: string, cidr: string, action: string) => ({
  ...{ id, cidr, action, ip_policy: { id: at, uri: "" } },
});
const own = [byHand("ipr_lan", inputs.cidr, "allow"), byHand("ipr_guests", deny.cidr, "deny")];
const imported = (name: string, id: string, after: Written["after"]): Written => ({
  ...{ type: "IpPolicyRule", name, id, op: "import", after },
});
const endpoint = (name: string, before: Written["before"], after: Written["after"]): Written => ({
  ...{ type: "CloudEndpoint", name, id: `ep_${name}`, before, after },
});
const renamed = (url: string): Written[] => [
  endpoint("web", web, undefined),
  endpoint("web2", undefined, { url, trafficPolicy: "{}" }),
];

const keyOf = (ownerId: string): Written => ({
  ...{ type: "ApiKey", name: "key", after: { description: "deployments", ownerId } },
});
const hand = { ...inputs, cidr: "192.0.2.0/24" };
const read: Written = { ...lan, name: "hand", op: "read", external: true, before: hand };
const group = (name: string, labels: Readonly<Record<string, string>>): Written => {
  const values = { labels, description: name };
  return { type: "TunnelGroupBackend", name, id: `bkdtg_${name}`, before: values, after: values };
};
const [backend, other] = [group("web", { app: "web" }), group("other", { app: "other" })];
const behind = (backendId: string) => ({ ...db, backend: { backendId } });
const servedBefore = { ...behind("bkdtg_web"), hostports: ["1.tcp.example.com:5002"] };
const served = tcpEdge("served", servedBefore, servedBefore);
const one = { ...inputs, ipPolicyId: "ipp_jump", cidr: "198.51.100.7/32" };
/** A new edge to a backend, with a policy that lets in one address that no other edge does. */
const jump = (backendId: string, policyId = "ipp_jump"): Written[] => [
  { ...policy, name: "jump", id: "ipp_jump" },
  { ...lan, name: "one", id: "ipr_one", before: one, after: one },
  tcpEdge("jump", undefined, {
    hostports: ["2.tcp.example.com:5001"],
    ...{ ipRestriction: { ipPolicyIds: [policyId] }, backend: { backendId } },
  }),
];
const newWays: [string, string, ...Written[]][] = [
  ["the backend of another edge", "bkdtg_web"],
  ["a backend of the same labels", "bkdtg_twin", group("twin", { app: "web" })],
  ["a backend of more labels", "bkdtg_all", group("all", { app: "web", tier: "1" })],
  [
    "a weighted backend in between",
    "bkdwd_1",
    {
      type: "WeightedBackend",
      name: "mix",
      id: "bkdwd_1",
      before: { backends: { bkdtg_web: 1 } },
      after: { backends: { bkdtg_web: 1 } },
    },
  ],
];
/** Two edges with backends of their own: one for the office, the other for others, or for everybody. */
const beside = (change: object, ipRestriction?: object): Written[] => {
  const before = {
    hostports: ["3.tcp.example.com:5001"],
    backend: { backendId: "bkdtg_other" },
    ipRestriction,
  };
  return [...all, backend, other, served, tcpEdge("page", before, { ...before, ...change })];
};
const taken = { backend: { backendId: "bkdtg_web" } };
const relabelled = (each: Written): Written =>
  each.name === "other" ? { ...each, after: { ...each.after, labels: { app: "web" } } } : each;
const moved = (type: string, values: object): Written => ({
  ...{ type, name: "module", id: "edg_1", before: { ...values, edgeId: "edg_1" } },
  after: { ...values, edgeId: "edg_2" },
  ...{ op: "replace", reasons: ["edgeId"] },
});

it.each<[string, Written[], string, RehearsalOptions["lists"]?]>([
  [
    "two resources for one rule, of which one is deleted",
    [policy, lan, edge, imported("guests2", "ipr_guests", deny), gone(guests)],
    "error interruption/undone guests2",
  ],
  [
    "an import with another range than the object has, beside a new allow rule",
    [
      ...all,
      imported("decoy", "ipr_far", { ...deny, cidr: "100.0.0.0/8" }),
      { type: "IpPolicyRule", name: "half", after: { ...inputs, cidr: "100.0.0.0/9" } },
    ],
    "error access/newly-allowed db",
    { ip_policy_rules: [...own, byHand("ipr_far", "192.0.2.0/24", "deny")] },
  ],
  [
    "an exclusive set beside single rules",
    [
      ...all,
      {
        ...{ type: "IpPolicyRuleSet", name: "set", id: at },
        after: { ipPolicyId: at, exclusive: true, rules: { [inputs.cidr]: "allow" } },
      },
    ],
    "error interruption/refused set",
    { ip_policy_rules: own },
  ],
  ["a renamed endpoint at an unknown address", renamed(unknown), "error access/unguarded web2"],
  ["a renamed endpoint at a secret address", renamed("[secret]"), "error access/unguarded web2"],
  [
    "a renamed endpoint at an address that ends with a dot",
    renamed("https://app.example.com."),
    "error access/unguarded web2",
  ],
  [
    "an endpoint at the address of a guarded edge",
    [
      policy,
      lan,
      guests,
      gone(edge),
      endpoint("cloud", undefined, { url: "tcp://1.tcp.example.com:5001", trafficPolicy: "{}" }),
    ],
    "error access/unguarded cloud",
  ],
  [
    "a key of a bot user that the program only reads",
    [{ type: "BotUser", name: "v", id: "bot_victim", op: "read" }, keyOf("bot_victim")],
    "error access/new-actor key",
  ],
  ...newWays.map(([what, after, ...backends]): [string, Written[], string] => [
    `a new edge for one address, with ${what}`,
    [...all, backend, served, ...backends, ...jump(after)],
    "warning access/newly-allowed jump",
  ]),
  ["an open edge with the backend of a guarded one", beside(taken), "error access/newly-allowed page"],
  [
    "an edge for others with the backend of a guarded one",
    [...jump("bkdtg_web").slice(0, 2), ...beside(taken, { ipPolicyIds: ["ipp_jump"] })],
    "warning access/newly-allowed page",
  ],
  [
    "the labels of a guarded backend behind an open edge",
    beside({}).map(relabelled),
    "error access/newly-allowed page",
  ],
  [
    "a module that is off moves to another edge",
    [...all, moved("TlsEdgeIpRestriction", { enabled: false, ipPolicyIds: [at] })],
    "error access/unguarded module",
  ],
])("%s is found", async (_, resources, expected, lists = {}) => {
  const { findings } = await rehearsedReview(writtenPreview(resources), {}, lists);
  expect(findings.map(({ severity, rule, name }) => `${severity} ${rule} ${name}`)).toContain(expected);
});

it("an allow rule that becomes one that the program only reads stays in the access", async () => {
  const { findings } = await rehearsedReview(writtenPreview([policy, { ...lan, op: "read" }, guests, edge]));
  expect(findings.map(({ severity, rule, name }) => `${severity} ${rule} ${name}`)).toEqual([
    "warning access/kept lan",
  ]);
});

describe("what is no way past", () => {
  it.each<[string, Written[]]>([
    ["a rule that the program reads as before", [policy, lan, guests, edge, read]],
    ["a new edge to other agents", [...all, backend, served, other, ...jump("bkdtg_other")]],
    ["an edge with the labels that it had", beside({ description: "page" })],
    ["a new edge for those who got in before", [...all, backend, served, ...jump("bkdtg_web", at).slice(-1)]],
  ])("%s", async (_, resources) => {
    const { findings } = await rehearsedReview(writtenPreview(resources));
    expect(findings.filter(({ severity }) => severity !== "note")).toEqual([]);
  });
});
