import { accountObject, inventoryOfAccount } from "../../../src/inventory/account";
import type { Inventory, InventoryObject } from "../../../src/inventory/inventory";
import { inventoriesOf } from "../../../src/inventory/preview";
import { contentsOf } from "../../../src/inventory/stack";
import { declarationOf } from "../../../src/resources/registry";
import { unknown } from "../../../src/schema/unknown";
import { readPreview } from "../../../src/stack/preview";

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
    provider: `${provider ?? "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default_3"}::8a1f`,
  };
}

const stackOf = (...resources: object[]): Inventory =>
  contentsOf({ deployment: { resources } }, "dev").inventory;

const at = (inventory: Inventory, type: string, name: string): InventoryObject =>
  inventory.all.get(urn(type, name))!;

describe("an inventory", () => {
  const rule = { cidr: "203.0.113.0/24", action: "allow" };

  it("finds an id within the account of its provider, where two accounts have equal ids", () => {
    const own = ["own", "partner"].flatMap((name) => {
      const provider = name === "own" ? undefined : urn("Provider", name);
      return [
        exported("IpPolicy", name, { id: "ipp_1", provider }),
        exported("IpPolicyRule", name, { id: "ipr_1", inputs: { ...rule, ipPolicyId: "ipp_1" }, provider }),
      ];
    });
    const inventory = stackOf(...own);
    for (const name of ["own", "partner"]) {
      const [reference, ...more] = inventory.references(at(inventory, "IpPolicyRule", name));
      expect(reference!.to).toBe(at(inventory, "IpPolicy", name));
      expect(more).toEqual([]);
      const users = inventory.referrers(at(inventory, "IpPolicy", name));
      expect(users.map(({ from }) => from)).toEqual([at(inventory, "IpPolicyRule", name)]);
    }
    expect(inventory.byId("ipp_1", urn("Provider", "partner"))!.name).toBe("partner");
    expect(inventory.byId("ipp_1")!.name).toBe("own");
  });

  it("takes an object of another provider only where the program's own data flow names it", () => {
    const policy = exported("IpPolicy", "office", { id: "ipp_1", provider: urn("Provider", "partner") });
    const inputs = { ipRestriction: { ipPolicyIds: ["ipp_1"] } };
    const without = stackOf(policy, exported("TcpEdge", "db", { id: "edgtcp_1", inputs }));
    expect(without.references(at(without, "TcpEdge", "db"))[0]!.to).toBeUndefined();
    const from = { ipRestriction: [urn("IpPolicy", "office")] };
    const flow = stackOf(policy, exported("TcpEdge", "db", { id: "edgtcp_1", inputs, from }));
    expect(flow.references(at(flow, "TcpEdge", "db"))[0]!.to!.name).toBe("office");
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
    const { before, after } = inventoriesOf(
      readPreview(
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
      ),
    );
    expect(before.all.size).toBe(0);
    const [reference] = after.references(at(after, "TcpEdge", "db"));
    expect(reference).toMatchObject({
      to: { name: "office", declaration: { type: "IpPolicy" } },
      isCertain: true,
    });
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
    expect(
      JSON.stringify([...account.all.values()].map(({ args, outputs }) => [args, outputs])),
    ).not.toContain("s3cret");
  });
});
