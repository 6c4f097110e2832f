/** The gates of objects: whether each is on, and what it guards. */
import { gatesByPlace, gatesOf, type GateState } from "../../../src/tools/access/gates";
import { placeKey } from "../../../src/tools/access/served";
import { Inventory, type InventoryObject } from "../../../src/tools/inventory/inventory";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { unknown } from "../../../src/schema/unknown";

const object = (type: string, outputs: Json, more: Partial<InventoryObject> = {}): InventoryObject => ({
  ...{
    declaration: declarationOf(type),
    id: "id_1",
    urn: `urn:${type}`,
    name: "n",
    args: {},
    values: outputs,
  },
  ...more,
});
const gate = (type: string, outputs: Json, by?: string): GateState =>
  gatesOf(object(type, outputs)).find((each) => by === undefined || each.by === by)!;

const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
const oidc = "HttpsEdgeRouteOidc";

describe("a gate", () => {
  it("is on unless its module is switched off, or not known to be", () => {
    const isOn = (outputs: Json): unknown => gate(oidc, { ...route, ...outputs }).isOn;
    expect([isOn({}), isOn({ enabled: true }), isOn({ enabled: false }), isOn({ enabled: unknown })]).toEqual(
      [...[true, true, false, "unknown"]],
    );
  });

  it.each<[unknown, unknown, boolean]>([
    [undefined, false, false],
    [null, false, false],
    [unknown, "unknown", true],
    [{ ipPolicyIds: ["ipp_1"] }, true, true],
    [{ enabled: false, ipPolicyIds: ["ipp_1"] }, false, true],
    [{ enabled: unknown, ipPolicyIds: ["ipp_1"] }, "unknown", true],
  ])("of an argument with the value %j is on: %j, and set: %j", (ipRestriction, isOn, isSet) => {
    expect(gate("TcpEdge", { ipRestriction }, "address")).toMatchObject({ isOn, isSet });
  });

  it.each<[unknown, unknown, boolean]>([
    [undefined, false, false],
    ["", false, false],
    ["{}", false, true],
    ["on_http_request: []", false, true],
    ["on_http_request: [{actions: [{type: deny}]}]", true, true],
    [unknown, "unknown", true],
  ])("of a traffic policy with the text %j is on: %j, and set: %j", (trafficPolicy, isOn, isSet) => {
    expect(gate("CloudEndpoint", { trafficPolicy })).toMatchObject({ isOn, isSet });
    const value = { value: trafficPolicy };
    if (isSet) expect(gate("TcpEdge", { trafficPolicy: value }, "trafficPolicy").isOn).toBe(isOn);
    if (isSet)
      expect(gate("TcpEdge", { trafficPolicy: { ...value, enabled: false } }, "trafficPolicy").isOn).toBe(
        false,
      );
  });

  it("says what its settings say most: a text, or the alternative that is set", () => {
    expect(gate(oidc, { issuer: "https://id.example.com" }).detail).toBe("https://id.example.com");
    expect(gate(oidc, { issuer: "" }).detail).toBeUndefined();
    expect(gate(oidc, { issuer: unknown }).detail).toBeUndefined();
    expect(gate(oidc, {}).detail).toBeUndefined();
    const provider = { social: null, codeHost: undefined, streaming: {} };
    expect(gate("HttpsEdgeRouteOauth", { provider }).detail).toBe("streaming");
    expect(gate("HttpsEdgeRouteOauth", { provider: {} }).detail).toBeUndefined();
    expect(gate("CloudEndpoint", { trafficPolicy: "{}" }).detail).toBeUndefined();
  });

  it.each<[unknown, number | undefined]>([
    [3600, 3600],
    [0, undefined],
    [undefined, undefined],
    [unknown, undefined],
    ["3600", undefined],
  ])("with a maximum duration of %j ends sessions after: %j", (maximumDuration, seconds) => {
    expect(gate(oidc, { maximumDuration }).sessionSeconds).toBe(seconds);
  });

  it("does not exist at other objects", () => {
    expect(gatesOf(object("IpPolicy", {}))).toEqual([]);
  });
});

describe("what a gate guards", () => {
  it("is the route or the edge of a module, under its provider", () => {
    expect(placeKey(object(oidc, route))).toBe(" /edges/https/edghts_1/routes/edghtsrt_1");
    expect(placeKey(object(oidc, route, { provider: "urn:p" }))).toBe(
      "urn:p /edges/https/edghts_1/routes/edghtsrt_1",
    );
    expect(placeKey(object(oidc, { ...route, routeId: "$&" }))).toBe(" /edges/https/edghts_1/routes/$&");
    expect(placeKey(object("TlsEdgeIpRestriction", { edgeId: "edgtls_1" }))).toBe(" /edges/tls/edgtls_1");
  });

  it.each([[{ ...route, routeId: unknown }], [{ ...route, edgeId: unknown }], [{ edgeId: "edghts_1" }]])(
    "is the module itself where an id of its place is not known: %j",
    (outputs) => expect(placeKey(object(oidc, outputs))).toBe(`urn:${oidc}`),
  );

  it("is the object itself where it is no module", () => {
    expect(placeKey(object("TcpEdge", {}))).toBe("urn:TcpEdge");
  });

  it("has all gates of its place, in the order of their names", () => {
    const inventory = new Inventory([
      object(oidc, route),
      object("HttpsEdgeRouteOauth", route),
      object("CloudEndpoint", {}),
    ]);
    const found = [...gatesByPlace(inventory)].map(([place, gates]) => [
      place,
      gates.map(({ what }) => what),
    ]);
    expect(found).toEqual([
      ["urn:CloudEndpoint", ["traffic policy"]],
      [" /edges/https/edghts_1/routes/edghtsrt_1", ["sign-in by OAuth", "sign-in by OIDC"]],
    ]);
  });
});
