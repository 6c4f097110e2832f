/** The account that the states of a stack stand for: the objects, as the service would answer them. */
import { declarationOf } from "../../../src/resources/registry";
import { unknown } from "../../../src/schema/unknown";
import { recordedAccount } from "../../../src/tools/rehearsal/recorded-account";

type Values = Record<string, unknown>;
type Lists = Record<string, Values[]>;

const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
const key = { ownerId: "bot_1", description: "ci", rotateAfterDays: 30, sealTo: "x" };
const read = (id: string, cidr: string) => ({ id: `ipr_of_${id}`, cidr, ip_policy: { id } });
const entries = (...ranges: string[]): Values => {
  return { ipPolicyId: "ipp_1", rules: Object.fromEntries(ranges.map((range) => [range, "allow"])) };
};

/** A resource of the stack: its class, id and outputs. */
type Recorded = [string, string, Values];

it.each<[string, Recorded[], Lists, Lists]>([
  [
    "an edge with what its modules refer to",
    [
      [
        ...(["TcpEdge", "edgtcp_1"] as const),
        {
          hostports: ["a:1"],
          backend: { enabled: true, backendId: "bkdtg_1" },
          backendRef: { id: "bkdtg_1" },
          ipRestriction: { ipPolicyIds: ["ipp_1", "ipp_2"] },
        },
      ],
    ],
    {},
    {
      "edges/tcp": [
        {
          id: "edgtcp_1",
          hostports: ["a:1"],
          backend: { enabled: true, backend: { id: "bkdtg_1" } },
          ip_restriction: { ip_policies: [{ id: "ipp_1" }, { id: "ipp_2" }] },
        },
      ],
    },
  ],
  [
    "both keys of a rotation, without their tokens and without what is never sent",
    [["RotatingApiKey", "ak_first", { ...key, keyId: "ak_2", previousKeyId: "ak_1", token: "t" }]],
    {},
    {
      api_keys: [
        { id: "ak_2", description: "ci", owner_id: "bot_1", token: null },
        { id: "ak_1", owner_id: "bot_1", token: null },
      ],
    },
  ],
  [
    "the one key of a rotation",
    [["RotatingApiKey", "ak_1", key]],
    {},
    { api_keys: [{ id: "ak_1", description: "ci", owner_id: "bot_1", token: null }] },
  ],
  [
    "sources of a subscription, each once, whatever their order in the stack is",
    [
      ["EventSource", "esb_1/ip_policy_created.v0", {}],
      ["EventSource", "esb_1/ip_policy_updated.v0", {}],
      ["EventSubscription", "esb_1", { sources: [{ type: "ip_policy_updated.v0" }] }],
    ],
    {},
    {
      event_subscriptions: [
        {
          id: "esb_1",
          sources: [{ type: "ip_policy_updated.v0" }, { type: "ip_policy_created.v0" }],
        },
      ],
    },
  ],
  [
    "a source of a subscription that nobody has recorded",
    [["EventSource", "esb_1/ip_policy_created.v0", {}]],
    {},
    {},
  ],
  [
    "the modules of a route and of an edge, each in its own",
    [
      ["HttpsEdgeRouteWebhookVerification", "edghts_1/edghtsrt_1", { ...route, provider: "SLACK" }],
      ["HttpsEdgeRouteOauth", "edghts_1/edghtsrt_1", { ...route, enabled: true }],
      [
        "HttpsEdgeRouteOauth",
        "edghts_1/edghtsrt_2",
        { edgeId: "edghts_1", routeId: "edghtsrt_2", enabled: false },
      ],
      ["TlsEdgeIpRestriction", "edgtls_1", { edgeId: "edgtls_1", enabled: true }],
    ],
    {},
    {
      https_edges: [
        {
          id: "edghts_1",
          routes: [
            {
              id: "edghtsrt_1",
              webhook_verification: { provider: "SLACK" },
              oauth: { enabled: true },
            },
            { id: "edghtsrt_2", oauth: { enabled: false } },
          ],
        },
      ],
      tls_edges: [{ id: "edgtls_1", ip_restriction: { enabled: true } }],
    },
  ],
  [
    "a certificate without its private key",
    [["TlsCertificate", "cert_1", { certificatePem: "pem", privateKeyPem: "[secret]", description: "site" }]],
    {},
    { tls_certificates: [{ id: "cert_1", certificate_pem: "pem", description: "site" }] },
  ],
  [
    "an object of two resources once, as in a move to another name",
    [
      ["IpPolicy", "ipp_1", { description: "lan" }],
      ["IpPolicy", "ipp_1", { description: "lan" }],
    ],
    {},
    { ip_policies: [{ id: "ipp_1", description: "lan" }] },
  ],
  [
    "a rule of a set and a resource once, in any spelling",
    [
      ["IpPolicyRuleSet", "ipp_1", entries("10.0.0.0/8", "2001:db8::/32")],
      ["IpPolicyRule", "ipr_1", { ipPolicyId: "ipp_1", cidr: "2001:DB8::/32", action: "allow" }],
    ],
    {},
    {
      ip_policy_rules: [
        { id: "ipr_1", cidr: "2001:DB8::/32", action: "allow", ip_policy: { id: "ipp_1" } },
        { id: "ipr_recorded1", cidr: "10.0.0.0/8", action: "allow", ip_policy: { id: "ipp_1" } },
      ],
    },
  ],
  [
    "nothing in lists that somebody has read",
    [
      ["IpPolicyRuleSet", "ipp_1", entries("10.0.0.0/8")],
      ["IpPolicyRule", "ipr_1", { cidr: "11.0.0.0/8" }],
      ["IpPolicy", "ipp_1", { description: "lan" }],
    ],
    { ip_policy_rules: [read("ipp_2", "10.0.0.0/8")] },
    { ip_policy_rules: [read("ipp_2", "10.0.0.0/8")], ip_policies: [{ id: "ipp_1", description: "lan" }] },
  ],
])("holds %s", (_, objects, lists, expected) => {
  const recorded = objects.map(([type, id, outputs]) => ({
    ...{ declaration: declarationOf(type), id, outputs, isListed: true },
  }));
  expect(withoutEmpty(recordedAccount(recorded, [], lists).account)).toEqual(expected);
});

/** What a preview mentions of a resource: its class, the id of one that the program only reads, its values. */
type Mentioned = [string, string | undefined, Values];

it.each<[string, Mentioned[], Lists, Lists, string[]]>([
  [
    "what it refers to, also where that is disabled, once, with the least that it has",
    [
      ["FailoverBackend", undefined, { backends: ["bkdtg_1", "bkdtg_1", unknown, "[secret]"] }],
      ["TcpEdge", undefined, { backend: { enabled: false, backendId: "bkdwd_1" } }],
    ],
    {},
    {
      "backends/tunnel_group": [{ id: "bkdtg_1", labels: {} }],
      "backends/weighted": [{ id: "bkdwd_1", backends: {} }],
    },
    ["bkdtg_1", "bkdwd_1"],
  ],
  ["what a program reads", [["IpPolicy", "ipp_1", {}]], {}, { ip_policies: [{ id: "ipp_1" }] }, ["ipp_1"]],
  [
    "nothing that somebody has read, or could have",
    [["IpPolicyRule", undefined, { ipPolicyId: "ipp_2" }]],
    { ip_policies: [{ id: "ipp_1" }] },
    { ip_policies: [{ id: "ipp_1" }] },
    [],
  ],
  [
    "the places of modules, as far as they are known",
    [
      ["HttpsEdgeRouteOauth", undefined, route],
      ["HttpsEdgeRouteOauth", undefined, { edgeId: "edghts_2", routeId: unknown }],
      ["TlsEdgeIpRestriction", undefined, { edgeId: "edgtls_1" }],
      ["TlsEdgeIpRestriction", undefined, { edgeId: unknown }],
    ],
    {},
    { https_edges: [{ id: "edghts_1", routes: [{ id: "edghtsrt_1" }] }], tls_edges: [{ id: "edgtls_1" }] },
    [],
  ],
])("mentions %s", (_, mentioned, lists, expected, unread) => {
  const found = recordedAccount(
    [],
    mentioned.map(([type, id, values]) => ({
      ...{ declaration: declarationOf(type), id, values, isListed: true },
    })),
    lists,
  );
  expect([withoutEmpty(found.account), found.unread]).toEqual([expected, unread]);
});

it("adds to lists that were read what may be in another account", () => {
  const rules = { ipPolicyId: "ipp_9", rules: { "10.0.0.0/8": "allow" } };
  const objects: Recorded[] = [
    ["IpPolicy", "ipp_1", { description: "lan" }],
    ["IpPolicyRuleSet", "ipp_9", rules],
    ["RotatingApiKey", "ak_2", { keyId: "ak_2", previousKeyId: "ak_1" }],
  ];
  const resources = objects.map(([type, id, outputs]) => {
    return { declaration: declarationOf(type), id, outputs, values: outputs };
  });
  const user = { declaration: declarationOf("IpPolicyRule"), id: undefined, values: { ipPolicyId: "ipp_8" } };
  const placed = (isListed: boolean) => {
    const all = resources.map((each) => ({ ...each, isListed }));
    const lists = { ip_policies: [], ip_policy_rules: [], api_keys: [] };
    const { account } = recordedAccount(all, [...all, { ...user, isListed }], lists);
    return Object.values(account)
      .flat()
      .map(({ id }) => id)
      .sort();
  };
  expect(placed(true)).toEqual([]);
  expect(placed(false)).toEqual([...["ak_1", "ak_2", "ipp_1", "ipp_8", "ipp_9", "ipr_recorded1"]]);
});

/** Without what the service alone knows. */
function withoutEmpty(lists: object): object {
  return JSON.parse(
    JSON.stringify(lists, (_, value: unknown) => (value === "" ? undefined : value)),
  ) as object;
}
