import { startEmulator } from "../../src/emulator";
import { fromWire } from "../../src/provider/life-cycle/wire";
import { declarationOf } from "../../src/resources/registry";
import { outputsFrom } from "../../src/schema/values";
import type { Json } from "../provider/life-cycle/properties/arbitraries";
import { disagreements, type Situation, type StateEntry } from "./agreement";

const policy: StateEntry = {
  urn: "urn:pulumi:test::program::pulumi-nodejs:dynamic/tunnel-gateway:IpPolicy::office",
  type: "IpPolicy",
  id: "ipp_office",
  outputs: { description: "office", uri: "u" },
  isReplaced: false,
};
const object = { id: "ipp_office", uri: "u", description: "office", metadata: null };

/** A stack of one policy, beside a policy of somebody else, and what is different. */
function situation(change: Partial<Situation> = {}): Situation {
  return {
    program: [{ name: "office", type: "IpPolicy", args: { description: "office" } }],
    state: { entries: [policy], pending: [] },
    account: { ip_policies: [object, { id: "ipp_theirs", description: "office" }] },
    answers: new Map([[policy.urn, object]]),
    foreign: new Set(["ipp_theirs"]),
    ...change,
  };
}

const withPolicies = (...objects: object[]) => ({ account: { ip_policies: objects } }) as Partial<Situation>;

test("an account, a state and a program that agree have no disagreements", () => {
  expect(disagreements(situation())).toEqual([]);
});

test.each<[string, Partial<Situation>, string]>([
  [
    "a foreign object that is gone",
    { account: { ip_policies: [object] } },
    "the foreign ipp_theirs is missing",
  ],
  ["a doubled object", withPolicies(object, { ...object, id: "ipp_twin" }), "ipp_twin is one too many"],
  ["a lost object", withPolicies(), "ipp_office is missing"],
  ["another argument", withPolicies({ ...object, description: "home" }), "description"],
  ["another output", { answers: new Map([[policy.urn, { ...object, uri: "other" }]]) }, "the output uri"],
  ["a resource that the state lacks", { state: { entries: [], pending: [] } }, "IpPolicy office is missing"],
  ["a resource that the program lacks", { program: [] }, "IpPolicy office is one too many"],
  ["a pending operation", { state: { entries: [policy], pending: [{}] } }, "pending operations"],
  [
    "a replaced object",
    { state: { entries: [{ ...policy, isReplaced: true }], pending: [] } },
    "still holds the replaced",
  ],
  [
    "the mark of a creation",
    withPolicies({ ...object, metadata: "pulumi-tunnel-gateway creation 0" }),
    "mark of its creation",
  ],
  [
    "a foreign module that nobody declared",
    { account: { ip_policies: [object], tls_edges: [{ id: "tls_1", ip_restriction: {} }] } },
    "tls_1 is one too many",
  ],
])("%s is a disagreement", (_, change, message) => {
  expect(disagreements(situation(change)).join("\n")).toContain(message);
});

test("the rules of an exclusive set are those of the program and no others", () => {
  const entry = {
    ...policy,
    type: "IpPolicyRuleSet",
    urn: policy.urn.replace("IpPolicy:", "IpPolicyRuleSet:"),
  };
  const rule = (id: string, cidr: string) => ({ id, cidr, action: "allow", ip_policy: { id: policy.id } });
  const wrong = disagreements({
    program: [
      {
        name: "office",
        type: "IpPolicyRuleSet",
        args: { ipPolicyId: "ipp_office", rules: { "10.0.0.0/8": "allow" } },
      },
    ],
    state: { entries: [entry], pending: [] },
    account: { ip_policy_rules: [rule("ipr_1", "192.0.2.0/24")] },
    answers: new Map(),
    foreign: new Set(),
  });
  expect(wrong).toEqual([
    "rules of office: 10.0.0.0/8 allow is missing",
    "rules of office: 192.0.2.0/24 allow is one too many",
  ]);
});

test("an output agrees where the service answers the value of a request in another spelling", async () => {
  const emulator = await startEmulator();
  const url = "https://a.example.com:443";
  try {
    const answer = (await emulator.seed({ endpoints: [{ url }] })).endpoints![0]!;
    expect(answer).toMatchObject({ public_url: "https://a.example.com" });
    const urn = policy.urn.replace("IpPolicy:", "CloudEndpoint:");
    const { fields } = declarationOf("CloudEndpoint");
    const outputs = fromWire(fields, answer, outputsFrom({ url }));
    const entry = { urn, type: "CloudEndpoint", id: String(answer.id), outputs, isReplaced: false };
    const wrong = disagreements({
      program: [{ name: "office", type: "CloudEndpoint", args: { url } }],
      state: { entries: [entry], pending: [] },
      account: emulator.snapshot(),
      answers: new Map([[urn, answer]]),
      foreign: new Set(),
    });
    expect(wrong).toEqual([]);
  } finally {
    await emulator.close();
  }
});

test("a subscription that leaves its sources to EventSources has those of its last refresh as outputs", () => {
  const [urn, id] = [policy.urn.replace("IpPolicy:", "EventSubscription:"), "esb_office"];
  const answer = { id, uri: "u", sources: [{ type: "a.v0", uri: "u/a.v0" }] };
  const outputs = { uri: "u", sources: [], sourceRefs: [], destinationIds: [], destinations: [] };
  const wrong = (args: Json) =>
    disagreements({
      program: [{ name: "office", type: "EventSubscription", args }],
      state: { entries: [{ ...policy, urn, type: "EventSubscription", id, outputs }], pending: [] },
      account: { event_subscriptions: [answer] },
      answers: new Map([[urn, answer]]),
      foreign: new Set(),
    }).join("\n");
  expect(wrong({})).not.toContain("the output");
  expect(wrong({ sources: [] })).toContain("the output sources is");
});

test("an object of empty lists agrees with none, and one with a value does not", () => {
  const urn = policy.urn.replace("IpPolicy:", "KubernetesOperator:");
  const wrong = (endpointSelectors: string[]) =>
    disagreements({
      program: [{ name: "office", type: "KubernetesOperator", args: { binding: { endpointSelectors } } }],
      state: { entries: [{ ...policy, urn, type: "KubernetesOperator", id: "k8sop_office" }], pending: [] },
      account: { kubernetes_operators: [{ id: "k8sop_office", binding: null }] },
      answers: new Map(),
      foreign: new Set(),
    }).join("\n");
  expect(wrong([])).toBe("");
  expect(wrong(["true"])).toContain("binding is");
});

test.each([
  ["a token", {}, { token: "t" }, []],
  ["a sealed token", { sealTo: "b2xk" }, { sealedToken: "s" }, []],
  ["nothing", {}, {}, ["the state has no token"]],
  [
    "a token beside a sealed one",
    { sealTo: "b2xk" },
    { token: "t", sealedToken: "s" },
    ["the state has a token"],
  ],
  ["no sealed token", { sealTo: "b2xk" }, {}, ["the state has no sealedToken"]],
])("a key has its token in the form that the program asks for: %s", (_, args, secrets, wrong) => {
  const urn = policy.urn.replace("IpPolicy:", "ApiKey:");
  const key = { id: "ak_office", uri: "u", description: null, metadata: null };
  const found = disagreements({
    program: [{ name: "office", type: "ApiKey", args }],
    state: {
      entries: [{ ...policy, urn, type: "ApiKey", id: key.id, outputs: { uri: "u", ...secrets } }],
      pending: [],
    },
    account: { api_keys: [key] },
    answers: new Map([[urn, key]]),
    foreign: new Set(),
  });
  expect(found).toEqual(wrong.map((text) => `${urn}: ${text}`));
});
