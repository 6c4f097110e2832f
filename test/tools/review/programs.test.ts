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

it.each<[string, Written[], string, RehearsalOptions["lists"]?]>([
  [
    "two resources for one rule, of which one is deleted",
    [policy, lan, edge, imported("guests2", "ipr_guests", deny), gone(guests)],
    "interruption/undone guests2",
  ],
  [
    "an import with another range than the object has, beside a new allow rule",
    [
      ...all,
      imported("decoy", "ipr_far", { ...deny, cidr: "100.0.0.0/8" }),
      { type: "IpPolicyRule", name: "half", after: { ...inputs, cidr: "100.0.0.0/9" } },
    ],
    "access/newly-allowed db",
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
    "interruption/refused set",
    { ip_policy_rules: own },
  ],
  ["a renamed endpoint at an unknown address", renamed(unknown), "access/unguarded web2"],
  ["a renamed endpoint at a secret address", renamed("[secret]"), "access/unguarded web2"],
  [
    "a renamed endpoint at an address that ends with a dot",
    renamed("https://app.example.com."),
    "access/unguarded web2",
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
    "access/unguarded cloud",
  ],
])("%s is an error", async (_, resources, expected, lists = {}) => {
  const { findings } = await rehearsedReview(writtenPreview(resources), {}, lists);
  const errors = findings.filter(({ severity }) => severity === "error");
  expect(errors.map(({ rule, name }) => `${rule} ${name}`)).toContain(expected);
});
