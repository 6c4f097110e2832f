import { accountObject, inventoryOfAccount } from "../../../src/tools/inventory/account-contents";
import type { Inventory, InventoryObject } from "../../../src/tools/inventory/inventory";
import { declarationOf } from "../../../src/resources/registry";
import { unknown } from "../../../src/schema/unknown";
import { contentsOf, readPreview } from "../../support/recorded";
import { writtenPreview } from "../review/support";

const urn = (type: string, name: string): string =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;

interface Resource {
  readonly id?: string;
  readonly inputs?: object;
  readonly from?: Readonly<Record<string, readonly string[]>>;
  readonly provider?: string;
}

/** A resource in an export of a stack. */
function exported(type: string, name: string, { id, inputs = {}, from = {}, provider }: Resource) {
  return {
    ...{
      urn: urn(type, name),
      type: `pulumi-nodejs:dynamic/tunnel-gateway:${type}`,
      id,
      inputs,
      outputs: inputs,
    },
    propertyDependencies: from,
    provider: `${provider ?? "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default"}::8a1f`,
  };
}

const stackOf = (...resources: object[]): Inventory =>
  contentsOf({ deployment: { resources } }, "dev").inventory;

const partner = "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::partner";
const own = "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default";
const official = "https://api.example.com/v1";

/** A provider in an export; without a base URL, the environment gives it. */
function provider(urn: string, url?: string): object {
  return { urn, type: "pulumi:providers:pulumi-nodejs", inputs: { "tunnel-gateway:baseUrl": url } };
}

const at = (inventory: Inventory, type: string, name: string): InventoryObject =>
  inventory.all.get(urn(type, name))!;

describe("an inventory", () => {
  const rule = { cidr: "203.0.113.0/24", action: "allow" };

  const policyAndRule = (name: string, at?: string): object[] => [
    exported("IpPolicy", name, { id: "ipp_1", provider: at }),
    exported("IpPolicyRule", name, { id: "ipr_1", inputs: { ...rule, ipPolicyId: "ipp_1" }, provider: at }),
  ];

  it("finds an id within the account of its provider, where two accounts have equal ids", () => {
    const inventory = stackOf(
      ...[provider(own, official), provider(partner, "https://partner.example.com")],
      ...[...policyAndRule("own"), ...policyAndRule("partner", partner)],
    );
    for (const name of ["own", "partner"]) {
      const [reference, ...more] = inventory.references(at(inventory, "IpPolicyRule", name));
      expect(reference!.to).toBe(at(inventory, "IpPolicy", name));
      expect(more).toEqual([]);
      const users = inventory.referrers(at(inventory, "IpPolicy", name));
      expect(users.map(({ from }) => from)).toEqual([at(inventory, "IpPolicyRule", name)]);
    }
    expect(inventory.byId("ipp_1", partner)!.name).toBe("partner");
    expect(inventory.byId("ipp_1")!.name).toBe("own");
  });

  const policy = exported("IpPolicy", "office", { id: "ipp_1", provider: partner });
  const ids = { ipRestriction: { ipPolicyIds: ["ipp_1"] } };
  const from = { ipRestriction: [urn("IpPolicy", "office")] };
  const accounts: [string, object[], object, [string | undefined, boolean]][] = [
    ["the same base URL", [provider(own, official), provider(partner, official)], {}, ["office", true]],
    [
      "the same base URL in another spelling",
      [provider(own, official), provider(partner, "HTTPS://API.example.com:443/v1//")],
      ...([{}, ["office", true] as [string, boolean]] as const),
    ],
    ["the base URL of the environment", [provider(own), provider(partner)], {}, ["office", true]],
    ["a base URL that is not known", [provider(own, official), provider(partner)], {}, ["office", false]],
    ["no base URL in the state", [], {}, ["office", false]],
    [
      "another base URL",
      [provider(own, official), provider(partner, "https://b.example.com")],
      ...([{}, [undefined, true] as [undefined, boolean]] as const),
    ],
    [
      "another base URL, although the data flow names the object",
      [provider(own, official), provider(partner, "https://b.example.com")],
      ...([{ from }, ["office", false] as [string, boolean]] as const),
    ],
  ];

  it.each(accounts)("takes an object of a provider with %s", (_, providers, more, expected) => {
    const edge = exported("TcpEdge", "db", { id: "edgtcp_1", inputs: ids, ...more });
    const inventory = stackOf(...providers, policy, edge);
    const references = inventory.references(at(inventory, "TcpEdge", "db"));
    expect(references.map(({ to, isCertain }) => [to?.name, isCertain])).toEqual([expected]);
  });

  it("finds who refers to an object that is gone in the accounts that may be its own alone", () => {
    const edge = exported("TcpEdge", "db", { id: "edgtcp_1", inputs: ids });
    const inventory = stackOf(provider(own, official), provider(partner, "https://b.example.com"), edge);
    expect([undefined, partner].map((at_) => inventory.dangling("ipp_1", at_).length)).toEqual([1, 0]);
  });

  it("takes every object that an id may mean, where two providers may be one account", () => {
    const inventory = stackOf(...policyAndRule("own"), ...policyAndRule("partner", partner));
    const references = inventory.references(at(inventory, "IpPolicyRule", "partner"));
    expect(references.map(({ to, isCertain }) => [to!.name, isCertain])).toEqual([
      ["partner", true],
      ["own", false],
    ]);
  });

  it("takes no description for a reference, even if it equals an id", () => {
    const inventory = stackOf(
      exported("IpPolicy", "office", { id: "ipp_1" }),
      exported("IpPolicy", "note", { id: "ipp_2", inputs: { description: "ipp_1", metadata: "ipp_1" } }),
    );
    expect(inventory.referrers(at(inventory, "IpPolicy", "office"))).toEqual([]);
  });

  it("does not take a module or a set of entries for the object that its id names", () => {
    const inventory = stackOf(
      exported("IpPolicyRuleSet", "office", { id: "ipp_1", inputs: { ipPolicyId: "ipp_1", rules: {} } }),
      exported("TlsEdgeIpRestriction", "edge", { id: "edgtls_1", inputs: { edgeId: "edgtls_1" } }),
    );
    expect(inventory.byId("ipp_1")).toBeUndefined();
    expect(inventory.references(at(inventory, "TlsEdgeIpRestriction", "edge")).map(({ to }) => to)).toEqual([
      undefined,
    ]);
  });

  it("reads places, weights and switches of references from lists, maps and objects", () => {
    const inventory = stackOf(
      exported("FailoverBackend", "failover", {
        id: "bkdfo_1",
        inputs: { backends: ["bkdhr_1", "bkdhr_2"] },
      }),
      exported("WeightedBackend", "weighted", {
        id: "bkdwd_1",
        inputs: { backends: { bkdhr_1: 90, bkdhr_2: 0 } },
      }),
      exported("TcpEdge", "off", {
        id: "edgtcp_1",
        inputs: { backend: { enabled: false, backendId: "bkdhr_1" } },
      }),
    );
    const places = (type: string, name: string): unknown[] =>
      inventory
        .references(at(inventory, type, name))
        .map(({ id, position, weight, isOff }) => ({ id, position, weight, isOff }));
    expect(places("FailoverBackend", "failover")).toEqual([
      { id: "bkdhr_1", position: 0, isOff: false },
      { id: "bkdhr_2", position: 1, isOff: false },
    ]);
    expect(places("WeightedBackend", "weighted")).toEqual([
      { id: "bkdhr_1", weight: 90, isOff: false },
      { id: "bkdhr_2", weight: 0, isOff: true },
    ]);
    expect(places("TcpEdge", "off")).toEqual([{ id: "bkdhr_1", isOff: true }]);
  });

  it("finds the policy behind the id of its rule set that is not known yet", () => {
    const created = (type: string, name: string, resource: Resource) => ({
      ...{ op: "create", urn: urn(type, name), newState: exported(type, name, resource) },
    });
    const { before, after } = readPreview(
      JSON.stringify({
        changeSummary: {},
        steps: [
          created("IpPolicy", "office", {}),
          created("IpPolicyRuleSet", "office", {
            inputs: { ipPolicyId: unknown, rules: { "10.0.0.0/8": "allow" } },
            from: { ipPolicyId: [urn("IpPolicy", "office")] },
          }),
          created("TcpEdge", "db", {
            inputs: { ipRestriction: { ipPolicyIds: [unknown] } },
            from: { ipRestriction: [urn("IpPolicyRuleSet", "office")] },
          }),
        ],
      }),
    );
    expect(before.all.size).toBe(0);
    const [reference] = after.references(at(after, "TcpEdge", "db"));
    expect(reference).toMatchObject({
      to: { name: "office", declaration: { type: "IpPolicy" } },
      isCertain: true,
    });
  });

  it.each([
    ["of its account", undefined, true],
    ["of a provider whose account may be another one", partner, false],
  ])("takes an id that is not known yet for that of a new object %s; certain: %#", (_, at_, isCertain) => {
    const created = (type: string, name: string, resource: Resource) => ({
      ...{ op: "create", urn: urn(type, name), newState: exported(type, name, resource) },
    });
    const steps = [
      created("IpPolicy", "office", { ...(at_ && { provider: at_ }) }),
      created("TcpEdge", "db", { inputs: { ipRestriction: { ipPolicyIds: [unknown] } }, from }),
    ];
    const { after } = readPreview(JSON.stringify({ changeSummary: {}, steps }));
    expect(after.references(at(after, "TcpEdge", "db"))).toMatchObject([
      { to: { name: "office" }, isCertain },
    ]);
  });

  it.each([
    ["keeps", "BotUser", "active", false, false],
    ["forgets, in an object that is sent whole,", "HttpsEdgeRouteOidc", "cookiePrefix", "own.", undefined],
  ])("%s an argument without a known default that the program removes: %s %s", (_, type, name, old, next) => {
    const text = writtenPreview([{ type, name: "one", before: { [name]: old }, after: {} }]);
    const [change] = readPreview(text).resources.values();
    expect(change!.after!.values[name]).toBe(next);
  });

  it("of an account knows that what no list contains does not exist; of a stack it does not", () => {
    const answer = { id: "edgtcp_1", ip_restriction: { ip_policies: [{ id: "ipp_9", uri: "" }] } };
    const account = inventoryOfAccount([accountObject(declarationOf("TcpEdge"), "edgtcp_1", answer)]);
    expect([account.isGone("ipp_9"), account.isGone("usr_1")]).toEqual([true, false]);
    expect(stackOf().isGone("ipp_9")).toBe(false);
  });

  it("of an account shows no secret, and other endpoints than cloud endpoints as what they are", () => {
    const endpoint = { id: "ep_1", type: "agent", proto: "https", public_url: "https://a.example.com" };
    const module = { issuer: "https://login.example.com", client_id: "a", client_secret: "s3cret-value" };
    const account = inventoryOfAccount([
      accountObject(declarationOf("CloudEndpoint"), "ep_1", endpoint),
      accountObject(declarationOf("HttpsEdgeRouteOidc"), "edghts_1/edghtsrt_1", module),
    ]);
    expect([...account.all.keys()]).toEqual(["Endpoint ep_1", "HttpsEdgeRouteOidc edghts_1/edghtsrt_1"]);
    expect(JSON.stringify([...account.all.values()].map(({ args, values }) => [args, values]))).not.toContain(
      "s3cret",
    );
  });
});
