/** Which lists a rehearsal reads of the account: each once, and only those that can stop or change what the plan does. */
import { clientWith } from "../../../src/account/account-client";
import { readSettings } from "../../../src/provider/settings/read-settings";
import { readPreview } from "../../../src/tools/inventory/read-preview";
import { readLists } from "../../../src/tools/rehearsal/read-lists";
import { sharedEmulator } from "../../support/emulators";
import { tcpEdge, writtenPreview } from "../review/support";
import type { Written } from "../review/support";

const emulator = sharedEmulator();
beforeEach(() => emulator.clearRequests());

const urn = "urn:pulumi:test::written::pulumi:providers:pulumi-nodejs::other";

/** The provider of all resources; without inputs, the preview does not show it. */
interface Provider {
  readonly inputs: object | undefined;
}

/** The requests, and the lists by their keys. */
async function read(resources: readonly Written[], provider?: Provider): Promise<[string[], object]> {
  const { baseUrl, apiKey } = emulator;
  const settings = readSettings(
    { get: () => undefined },
    {
      TUNNEL_GATEWAY_BASE_URL: baseUrl,
      TUNNEL_GATEWAY_API_KEY: apiKey,
    },
  );
  const preview = JSON.parse(writtenPreview(resources)) as {
    steps: { op: string; urn: string; newState?: object }[];
  };
  if (provider) {
    for (const { newState } of preview.steps)
      if (newState) Object.assign(newState, { provider: `${urn}::id` });
    const state = { type: "pulumi:providers:pulumi-nodejs", custom: true, inputs: provider.inputs };
    if (provider.inputs) preview.steps.unshift({ op: "same", urn, newState: state });
  }
  const text = JSON.stringify(preview);
  const lists = await readLists(readPreview(text).plan, () =>
    Promise.resolve(clientWith(settings, () => undefined)),
  );
  return [emulator.requests.map(({ method, path }) => `${method} ${path}`), lists];
}

const rule = { cidr: "10.0.0.0/8", action: "allow", ipPolicyId: "ipp_office" };
const office: Written = { type: "IpPolicy", name: "office", id: "ipp_office", before: {}, after: {} };
const own: Written = { type: "IpPolicyRule", name: "rule", id: "ipr_1", before: rule, after: rule };
const set: Written = {
  ...{ type: "IpPolicyRuleSet", name: "set", id: "ipp_office" },
  after: { ipPolicyId: "ipp_office", rules: { "10.0.0.0/8": "allow" } },
};
const address = { hostports: ["1.tcp.example.com:1"] };

it.each<[string, Written[], string[]]>([
  ["nothing changes", [office, own], []],
  ["an object without meaning changes", [{ ...office, after: { description: "x" } }], []],
  [
    "an object changes, which the account may have with other values",
    [office, { ...own, after: { ...rule, description: "x" } }],
    ["GET /ip_policy_rules"],
  ],
  [
    "a rule is new: its range may be there",
    [office, { ...own, before: undefined }],
    ["GET /ip_policy_rules"],
  ],
  [
    "its policy is not in the stack",
    [{ ...own, after: { ...rule, description: "x" } }],
    ["GET /ip_policies", "GET /ip_policy_rules"],
  ],
  [
    "a set changes, which reads the rules of its policy",
    [office, { ...set, before: { ...set.after, rules: {} } }],
    ["GET /ip_policy_rules"],
  ],
  ["a set is deleted", [{ ...set, before: set.after, after: undefined }], ["GET /ip_policy_rules"]],
  [
    "an address is new: an edge or an endpoint may have it",
    [tcpEdge("db", address, { hostports: ["2.tcp.example.com:1"] }), tcpEdge("new", undefined, address)],
    ["GET /edges/tcp", "GET /endpoints"],
  ],
  [
    "an edge gets another address, which an edge or an endpoint may have",
    [tcpEdge("db", { hostports: ["2.tcp.example.com:1"] }, address)],
    ["GET /edges/tcp", "GET /endpoints"],
  ],
  [
    "an edge gets a policy, which may have rules that the stack does not record",
    [office, tcpEdge("db", address, { ...address, ipRestriction: { ipPolicyIds: ["ipp_office"] } })],
    ["GET /ip_policy_rules", "GET /edges/tcp"],
  ],
  [
    "an edge keeps its address",
    [tcpEdge("db", address, { ...address, description: "x" })],
    ["GET /edges/tcp"],
  ],
  ["an object is deleted", [{ ...own, after: undefined }], ["GET /ip_policy_rules"]],
])("reads what is needed where %s", async (_, resources, expected) => {
  const [requests, lists] = await read(resources);
  expect(requests.sort()).toEqual(expected.sort());
  expect(Object.keys(lists).sort()).toEqual(expected.map((each) => each.replace("GET /", "")).sort());
});

it("reads the modules that change, each by itself", async () => {
  await emulator.seed({ tls_edges: [{ id: "edgtls_1", ip_restriction: { enabled: true } }] });
  const place = { edgeId: "edgtls_1", enabled: false };
  const module: Written = { type: "TlsEdgeIpRestriction", name: "admin", id: "edgtls_1", before: place };
  const [requests, lists] = await read([module]);
  expect(requests).toEqual(["GET /edges/tls/edgtls_1/ip_restriction"]);
  expect(lists).toMatchObject({ tls_edges: [{ id: "edgtls_1", ip_restriction: { enabled: true } }] });
});

it("returns the answers of the service", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_office", description: "by hand" }] });
  const [, lists] = await read([{ ...own, after: { ...rule, description: "x" } }]);
  expect(lists).toMatchObject({ ip_policies: [{ id: "ipp_office", description: "by hand" }] });
});

it.each<[string, object | undefined, string[]]>([
  ["is not shown", undefined, []],
  ["has a base URL", { "tunnel-gateway:baseUrl": "https://other.example" }, []],
  ["has a key", { "tunnel-gateway:apiKey": "[secret]" }, []],
  ["has what the default one has", {}, ["GET /ip_policy_rules"]],
])(
  "reads for an object of another provider only if it has the same account: it %s",
  async (_, inputs, expected) => {
    const [requests] = await read([office, { ...own, before: undefined }], { inputs });
    expect(requests).toEqual(expected);
  },
);
