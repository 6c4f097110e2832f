import { AbsenceError } from "../../../src/provider/errors";
import { Plugin, requestsTo } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { servers } from "../../support/servers";
import { failureOf } from "../../support/failure";

/** An object counts as deleted only where that is certain. */

const emulator = emulatorForTests();
beforeEach(() => emulator.seed({ https_edges: [{ id: "edghts_1", routes: [{ id: "r1" }] }] }));

const start = servers();

/** A server that answers 404 to everything, with this body. */
async function answering404(body: string, work: (baseUrl: string) => Promise<void>): Promise<void> {
  const { baseUrl } = await start((_, response) => {
    response.writeHead(404, { "content-type": body.startsWith("{") ? "application/json" : "text/html" });
    response.end(body);
  });
  await work(`${baseUrl}/v9`);
}

const state = { __args: [] };
const moduleId = "edghts_1/r1";
const objects: [string, string][] = [
  ["IpPolicy", "ipp_1"],
  ["IpPolicyRule", "ipr_1"],
  ["HttpsEdgeRouteOidc", moduleId],
  ["EventSource", "esb_1/ip_policy_created.v0"],
];

describe.each([
  ["a page of a proxy", "<html><body>Not found</body></html>"],
  ["an empty answer", ""],
  ["another API under the base URL", '{"message":"no such route"}'],
])("404 with %s", (_name, body) => {
  test.each(objects)("is no deletion of a %s: the read fails and names the base URL", (type, id) =>
    answering404(body, async (baseUrl) => {
      const failure = await failureOf<unknown>(new Plugin({ baseUrl }).read(type, id, state));
      expect(failure).toBeInstanceOf(AbsenceError);
      expect((failure as Error).message).toContain(baseUrl);
      expect((failure as Error).message).toContain("This does not prove that it was deleted");
      // The list fails for the same reason, and says which.
      expect((failure as Error).message.split("base URL")).toHaveLength(2);
    }),
  );

  test.each(objects)("is no success of deleting a %s", (type, id) =>
    answering404(body, async (baseUrl) => {
      const failure = await failureOf<unknown>(new Plugin({ baseUrl }).hooks(type).delete(id));
      expect(failure).toBeInstanceOf(AbsenceError);
      expect((failure as Error).message).toContain(baseUrl);
    }),
  );
});

test("a real deletion is found with one more request for a collection, however many objects are gone", async () => {
  const plugin = Plugin.for(emulator);
  const found = await Promise.all(
    ["ipp_a", "ipp_b", "ipp_c"].map((id) => plugin.read("IpPolicy", id, state)),
  );
  expect(found.map(({ id }) => id)).toEqual(["", "", ""]);
  expect(requestsTo(emulator).sort()).toEqual([
    "GET /ip_policies/ipp_a",
    "GET /ip_policies/ipp_b",
    "GET /ip_policies/ipp_c",
    "GET /ip_policies?limit=100",
  ]);
  emulator.clearRequests();
  await plugin.hooks("IpPolicy").delete("ipp_d");
  expect(requestsTo(emulator)).toEqual(["DELETE /ip_policies/ipp_d"]);
});

test("a list that is refused is no proof, and the error names the reason and the base URL", async () => {
  emulator.setFaults({
    rules: [
      { kind: "status", method: "GET", path: "/ip_policies", exact: true, status: 403, afterWork: false },
    ],
  });
  const failure = await failureOf<AbsenceError>(Plugin.for(emulator).read("IpPolicy", "ipp_a", state));
  expect(failure).toBeInstanceOf(AbsenceError);
  expect(failure.message).toMatch(/listing the IP policies failed: 403 /);
  expect(failure.message).toContain(`Check the base URL ${emulator.baseUrl}: `);
});

test("each collection proves its own deletions", async () => {
  const plugin = Plugin.for(emulator);
  await plugin.read("IpPolicy", "ipp_a", state);
  emulator.clearRequests();
  await plugin.hooks("IpPolicyRule").delete("ipr_a");
  expect(requestsTo(emulator)).toEqual(["DELETE /ip_policy_rules/ipr_a", "GET /ip_policy_rules?limit=100"]);
});

test("a module, whose parents have no list, is gone where any list answers", async () => {
  const plugin = Plugin.for(emulator);
  expect((await plugin.read("HttpsEdgeRouteOidc", moduleId, state)).id).toBe("");
  expect(requestsTo(emulator)).toEqual([
    "GET /edges/https/edghts_1/routes/r1/oidc",
    "GET /endpoints?limit=100",
  ]);
  emulator.clearRequests();
  expect((await plugin.read("HttpsEdgeRouteOauth", moduleId, state)).id).toBe("");
  await plugin.hooks("TlsEdgeIpRestriction").delete("edgtls_1");
  expect(requestsTo(emulator).filter((line) => line.includes("limit"))).toEqual([]);
});

describe("a page of a proxy", () => {
  const proxied = (method: string, path: string): void =>
    emulator.setFaults({ rules: [{ kind: "html", status: 404, method, path }] });
  const notItsOwn = "does not prove that it was deleted, because the answer is not the service's own JSON";

  test("is no deletion, although the list has answered", async () => {
    const plugin = Plugin.for(emulator);
    const { id, state: made } = await plugin.create("IpPolicy", { description: "x" });
    expect((await plugin.read("IpPolicy", "ipp_gone", state)).id).toBe("");
    proxied("GET", `/ip_policies/${id}`);
    await expect(plugin.read("IpPolicy", id, made)).rejects.toThrow(notItsOwn);
    proxied("DELETE", `/ip_policies/${id}`);
    await expect(plugin.hooks("IpPolicy").delete(id)).rejects.toThrow(notItsOwn);
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
  });

  test("is no deletion of a set's rule, which stays in the state", async () => {
    const plugin = Plugin.for(emulator);
    const { id } = await plugin.create("IpPolicy", {});
    const wanted = { ipPolicyId: id, rules: { "192.0.2.0/24": "allow", "10.0.0.0/8": "deny" } };
    const { state: made } = await plugin.create("IpPolicyRuleSet", wanted);
    proxied("DELETE", "/ip_policy_rules");
    const less = { ...wanted, rules: { "192.0.2.0/24": "allow" } };
    const failure = await failureOf<unknown>(plugin.update("IpPolicyRuleSet", id, made, less));
    expect((failure as Error).message).toContain("10.0.0.0/8");
    expect((failure as Error).message).toContain(notItsOwn);
    expect(emulator.snapshot().ip_policy_rules).toHaveLength(2);
  });
});

test("where the list that proves the absence of modules is refused, the module stays in the state", async () => {
  emulator.setFaults({
    rules: [{ kind: "status", status: 403, method: "GET", path: "/endpoints", exact: true }],
  });
  await expect(Plugin.for(emulator).read("HttpsEdgeRouteOidc", moduleId, state)).rejects.toThrow(
    "does not prove that it was deleted, because listing the endpoints failed: 403",
  );
});

test("where the list is refused, the object stays in the state", async () => {
  const plugin = Plugin.for(emulator);
  emulator.setFaults({
    rules: [{ kind: "status", status: 403, method: "GET", path: "/ip_policies", exact: true }],
  });
  await expect(plugin.read("IpPolicy", "ipp_a", state)).rejects.toThrow(
    /ipp_a failed: 404.*does not prove that it was deleted, because listing the IP policies failed: 403/,
  );
  emulator.setFaults();
  expect((await plugin.read("IpPolicy", "ipp_a", state)).id).toBe("");
});

test("a gateway whose routes are not ready for a moment fails nothing", async () => {
  const plugin = Plugin.for(emulator);
  const { id, state: made } = await plugin.create("IpPolicy", { description: "x" });
  emulator.setFaults({ rules: [{ kind: "html", status: 404, method: "GET", times: 1 }] });
  expect((await plugin.read("IpPolicy", id, made)).id).toBe(id);
  emulator.setFaults({ rules: [{ kind: "html", status: 404, method: "DELETE", times: 1 }] });
  await plugin.hooks("IpPolicy").delete(id);
  expect(emulator.snapshot().ip_policies).toEqual([]);
});

describe("a module that was never set", () => {
  const oidc = {
    ...{ edgeId: "edghts_1", routeId: "r1" },
    ...{ issuer: "https://i.example", clientId: "c", clientSecret: "not-so-secret" },
  };
  const restriction = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_1"] };
  const oauth = { edgeId: "edghts_1", routeId: "r1", provider: { social: {} } };
  const answers: [string, unknown][] = [
    ["no body", undefined],
    ["null", null],
    ["{}", {}],
  ];
  const defaults = { enabled: false, options_passthrough: false, inactivity_timeout: 0, maximum_duration: 0 };

  const answered = (body: unknown): void =>
    emulator.setFaults({
      rules: [
        { kind: "garbage", method: "GET", status: 200, body: body === undefined ? "" : body, times: 1 },
      ],
    });

  test.each([
    ...answers,
    ["its defaults", { ...defaults, issuer: "", client_id: null, scopes: [] }],
    ["its defaults, enabled", { ...defaults, enabled: true, cookie_prefix: "" }],
    ["its defaults and the cookie prefix of the service", { ...defaults, cookie_prefix: "gateway." }],
  ])("is created where the service answers 200 with %s", async (_name, body) => {
    answered(body);
    expect((await Plugin.for(emulator).create("HttpsEdgeRouteOidc", oidc)).id).toBe(moduleId);
  });

  test("is created where all alternatives are answered null", async () => {
    const names = ["code_host", "social", "software_vendor", "search_vendor", "professional", "streaming"];
    answered({ ...defaults, provider: Object.fromEntries(names.map((name) => [name, null])) });
    expect((await Plugin.for(emulator).create("HttpsEdgeRouteOauth", oauth)).id).toBe(moduleId);
  });

  test.each([
    ["HttpsEdgeRouteOidc", oidc, { issuer: "https://theirs.example" }],
    ["HttpsEdgeRouteOidc", oidc, { scopes: ["profile"] }],
    ["TlsEdgeIpRestriction", restriction, { ip_policies: [{ id: "ipp_9", uri: "u" }] }],
  ])("is not a %s with content, which is never taken over", async (type, args, body) => {
    emulator.clearRequests();
    answered({ ...defaults, ...body });
    await expect(Plugin.for(emulator).create(type, args)).rejects.toThrow(/exists already/);
    expect(requestsTo(emulator).filter((line) => !line.startsWith("GET"))).toEqual([]);
  });
});
