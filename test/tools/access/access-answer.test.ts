import { secretSignature } from "../../../src/schema/secrets";
import { AddressSet } from "../../../src/schema/addresses/address-set";
import { blockOf } from "../../../src/schema/addresses/block";
import { accessAnswer, answerRows } from "../../../src/tools/access/access-answer";
import { previewOf } from "../review/access-preview";
import { contentsOf, readPreview } from "../../support/recorded";

const token = "pulumi-nodejs:dynamic/tunnel-gateway:";
const urn = (type: string, name: string): string => `urn:pulumi:dev::shop::${token}${type}::${name}`;

const asked = (...cidrs: string[]): AddressSet => AddressSet.ofBlocks(cidrs.map((cidr) => blockOf(cidr)!));

function stackOf(...resources: [type: string, name: string, id: string, inputs: object, place?: string][]) {
  return contentsOf(
    {
      deployment: {
        resources: resources.map(([type, name, id, inputs, sourcePosition]) => ({
          ...{ urn: urn(type, name), type: token + type, id, inputs, outputs: inputs, sourcePosition },
        })),
      },
    },
    "dev",
  ).inventory;
}

describe("who gets in", () => {
  const office = stackOf(
    ["IpPolicy", "office", "ipp_1", {}],
    [
      ...(["IpPolicyRuleSet", "office", "ipp_1"] as const),
      { ipPolicyId: "ipp_1", rules: { "203.0.113.0/24": "allow", "198.51.100.0/24": { action: "allow" } } },
      "project:///network/office.ts#12,3",
    ],
    ["IpPolicyRule", "abuse", "ipr_1", { ipPolicyId: "ipp_1", cidr: "203.0.113.64/26", action: "deny" }],
    ["TcpEdge", "database", "edgtcp_1", { ipRestriction: { ipPolicyIds: ["ipp_1"] } }],
  );

  it("is the same for every address where no policy has a rule", () => {
    const empty = stackOf(
      ["IpPolicy", "office", "ipp_1", {}],
      ["TcpEdge", "database", "edgtcp_1", { ipRestriction: { ipPolicyIds: ["ipp_1"] } }],
    );
    const verdicts = (of: typeof office) =>
      answerRows(accessAnswer(of)).map((row) => row.slice(1, 3).join(" "));
    expect(verdicts(empty)).toEqual(["unmatched every address"]);
    expect(verdicts(office)).toContain("unmatched all other addresses");
  });

  it("is said with the rules that cause it and their places", () => {
    const answer = accessAnswer(office, asked("203.0.113.7"));
    expect(JSON.parse(JSON.stringify(answer))).toEqual({
      query: "203.0.113.7/32",
      semantics: { overlap: "unknown", unmatched: "unknown", empty: "unknown", policies: "unknown" },
      resources: [
        {
          ...{ type: "TcpEdge", name: "database", urn: urn("TcpEdge", "database"), id: "edgtcp_1" },
          pieces: [{ verdict: "allowed", ranges: ["203.0.113.7/32"], by: ["IpPolicyRuleSet office"] }],
          gates: [
            { resource: "TcpEdge database", by: "address", what: "IP restriction", isOn: true, isSet: true },
            {
              resource: "TcpEdge database",
              by: "trafficPolicy",
              what: "traffic policy",
              isOn: false,
              isSet: false,
            },
          ],
          places: { "IpPolicyRuleSet office": "network/office.ts:12" },
        },
      ],
    });
  });

  it("is said for every part of a range, each with the rules of its own", () => {
    const { resources } = accessAnswer(office, asked("203.0.112.0/23"));
    expect(resources[0]!.pieces).toEqual([
      {
        ...{ verdict: "allowed", by: ["IpPolicyRuleSet office"] },
        ranges: ["203.0.113.0/26", "203.0.113.128/25"],
      },
      {
        ...{ verdict: "undecided", by: ["IpPolicyRule abuse", "IpPolicyRuleSet office"] },
        ranges: ["203.0.113.64/26"],
      },
      { verdict: "unmatched", ranges: ["203.0.112.0/24"], by: [] },
    ]);
  });

  it("names the resources that make it unknown", () => {
    const before = { policies: ["a"], rules: [], edges: { db: ["a"] } };
    const steps = JSON.parse(previewOf(before, before)) as { steps: object[] };
    steps.steps.push({
      ...{ op: "create", urn: urn("IpPolicyRule", "vpn") },
      newState: {
        inputs: { ipPolicyId: "ipp_a", action: "allow", cidr: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
        outputs: {},
      },
    });
    const { after } = readPreview(JSON.stringify({ ...steps, changeSummary: {} }));
    const [piece, ...more] = accessAnswer(after, asked("10.0.0.1")).resources[0]!.pieces;
    expect(more).toEqual([]);
    expect(piece).toEqual({ verdict: "unknown", ranges: ["10.0.0.1/32"], by: ["IpPolicyRule vpn"] });
  });

  it("is unknown for a range that the state hides as a secret", () => {
    const secret = {
      ...secretSignature,
      ciphertext: "v1:x",
    };
    const hidden = stackOf(
      ["IpPolicy", "office", "ipp_1", {}],
      ["IpPolicyRule", "vpn", "ipr_1", { ipPolicyId: "ipp_1", action: "deny", cidr: secret }],
      ["TcpEdge", "db", "edgtcp_1", { ipRestriction: { ipPolicyIds: ["ipp_1"] } }],
    );
    const [piece] = accessAnswer(hidden, asked("10.0.0.1")).resources[0]!.pieces;
    expect(piece).toEqual({ verdict: "unknown", ranges: ["10.0.0.1/32"], by: ["IpPolicyRule vpn"] });
  });

  it("names a policy that the stack does not contain", () => {
    const edge = stackOf(["TcpEdge", "db", "edgtcp_1", { ipRestriction: { ipPolicyIds: ["ipp_9"] } }]);
    const [piece] = accessAnswer(edge, asked("10.0.0.1")).resources[0]!.pieces;
    expect(piece).toEqual({ verdict: "unknown", ranges: ["10.0.0.1/32"], by: ["IpPolicy ipp_9"] });
  });

  it.each([
    ["deny", "traffic policy"],
    ["log", "traffic policy (restricts nobody)"],
  ])("has a traffic policy with the action %s as the gate: %s", (type, gate) => {
    const trafficPolicy = JSON.stringify({ on_http_request: [{ actions: [{ type }] }] });
    const site = stackOf(["CloudEndpoint", "site", "ep_1", { url: "https://a.example.com", trafficPolicy }]);
    expect(answerRows(accessAnswer(site))[0]!.at(-1)).toBe(gate);
  });

  it.each([false, true])(
    "has the other gates of the same route beside it, in one order (reversed: %s)",
    (isReversed) => {
      const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
      const oidc = { ...route, issuer: "https://login.example.com", clientId: "a", maximumDuration: 28800 };
      const objects: Parameters<typeof stackOf> = [
        ["HttpsEdgeRouteOidc", "login", "edghts_1/edghtsrt_1", oidc],
        [
          "HttpsEdgeRouteWebhookVerification",
          "hook",
          "edghts_1/edghtsrt_1",
          { ...route, provider: "PAYMENTS", enabled: false },
        ],
        ["HttpsEdgeRouteOidc", "other", "edghts_1/edghtsrt_2", { ...oidc, routeId: "edghtsrt_2" }],
        [
          "CloudEndpoint",
          "site",
          "ep_1",
          { url: "https://a.example.com", trafficPolicy: "on_http_request:\n - actions: [{type: deny}]\n" },
        ],
      ];
      const stack = stackOf(...(isReversed ? objects.reverse() : objects));
      const { resources } = accessAnswer(stack, asked("10.0.0.1"));
      const open = [{ verdict: "open", ranges: ["10.0.0.1/32"], by: [] }];
      const signIn = {
        by: "signIn",
        isSet: true,
        what: "sign-in by OIDC",
        isOn: true,
        detail: "https://login.example.com",
        sessionSeconds: 28800,
      };
      const hook = {
        by: "signature",
        isSet: true,
        resource: "HttpsEdgeRouteWebhookVerification hook",
        what: "webhook verification",
        isOn: false,
      };
      const both = [
        { resource: "HttpsEdgeRouteOidc login", ...signIn },
        { ...hook, detail: "PAYMENTS" },
      ];
      expect(resources.map(({ name, pieces, gates }) => ({ name, pieces, gates }))).toEqual([
        {
          name: "site",
          pieces: open,
          gates: [
            {
              resource: "CloudEndpoint site",
              by: "trafficPolicy",
              what: "traffic policy",
              isOn: true,
              isSet: true,
            },
          ],
        },
        { name: "login", pieces: open, gates: both },
        { name: "other", pieces: open, gates: [{ resource: "HttpsEdgeRouteOidc other", ...signIn }] },
        { name: "hook", pieces: open, gates: both },
      ]);
    },
  );
});
