/** What a refusal says beside the service's words: who sent the request where, and the next step. */
import { acceptDeleted } from "../../../src/provider/settings/own-account";
import { listRequest, pages } from "../../../src/provider/http/pagination";
import { readSettings } from "../../../src/provider/settings/read-settings";
import type { AccountSettings } from "../../../src/provider/settings/read-settings";
import { declarationOf } from "../../../src/resources/registry";
import { refreshOfTool } from "../../../src/provider/settings/settings";
import { Plugin } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";

const emulator = emulatorForTests();

const failure = async (work: Promise<unknown>): Promise<string> => (await failureOf(work)).message;
const plugin = (changes: Partial<AccountSettings> = {}): Plugin =>
  Plugin.for(emulator, { provider: null, ...changes });
const state = { __args: [] };

describe("401", () => {
  const wrong = { apiKey: "the-key-of-nobody" };

  test("names the setting of the stack for the default provider, and says nothing of a refresh", async () => {
    const message = await failure(plugin(wrong).create("IpPolicy", {}));
    expect(message).toContain(
      `The service at ${emulator.baseUrl} does not accept the key of the default provider: ` +
        "check the setting tunnel-gateway:apiKey (or TUNNEL_GATEWAY_API_KEY)",
    );
    expect(message).not.toMatch(/refresh|pulumi up/);
  });

  test("names the argument of an explicit provider, and not the setting of the stack", async () => {
    const message = await failure(plugin({ ...wrong, provider: "partner" }).create("IpPolicy", {}));
    expect(message).toContain(
      `The service at ${emulator.baseUrl} does not accept the key of the Provider "partner": ` +
        'check the argument apiKey of the Provider "partner" (or TUNNEL_GATEWAY_API_KEY)',
    );
    expect(message).not.toContain("tunnel-gateway:apiKey");
  });

  test("names no provider for a command", async () => {
    const message = await failure(plugin({ ...wrong, provider: undefined }).create("IpPolicy", {}));
    expect(message).toContain(
      `The service at ${emulator.baseUrl} does not accept the key: check the setting`,
    );
  });

  test.each([
    ["a refresh", () => plugin(wrong).read("IpPolicy", "ipp_1", state)],
    ["a deletion", () => plugin(wrong).hooks("IpPolicy").delete("ipp_1", state)],
  ])("of %s says which key it used, in words that are right during an update too", async (_, work) => {
    expect(await failure(work())).toContain(
      "Without --run-program, a refresh or destroy uses the key of the last pulumi up: if the key was rotated since, add it",
    );
  });

  describe("in a refresh of drift or review", () => {
    beforeEach(() => void (process.env[refreshOfTool] = "true"));
    afterEach(() => void delete process.env[refreshOfTool]);

    const refusals = async (own: Plugin): Promise<string[]> => [
      await failure(own.read("IpPolicy", "ipp_1", state)),
      await failure(own.read("IpPolicyRule", "ipr_1", state)),
    ];

    test("is the same for each resource of the account, so that it is said once", async () => {
      const [policy, rule] = await refusals(plugin(wrong));
      expect(policy).toMatch(
        /^the service at .* refuses to read with the key of the default provider: 401 .*\. Correct the setting tunnel-gateway:apiKey \(or TUNNEL_GATEWAY_API_KEY\), and run pulumi up: the refresh used the key of the last one$/,
      );
      expect(rule).toBe(policy);
      const [partner] = await refusals(plugin({ ...wrong, provider: "partner" }));
      expect(partner).toMatch(
        /key of the Provider "partner": .*Correct the argument apiKey of the Provider "partner"/,
      );
    });

    test("is the same for each resource where the service does not answer", async () => {
      const [policy, rule] = await refusals(plugin({ baseUrl: "http://127.0.0.1:1", retryTimeout: 0 }));
      expect(policy).toMatch(
        /^the account at http:\/\/127\.0\.0\.1:1 could not be read: no answer from .*ECONNREFUSED/,
      );
      expect(rule).toBe(policy);
    });

    test("says nothing of pulumi up where the key is that of the environment", async () => {
      const [message] = await refusals(plugin({ ...wrong, isKeyOfEnvironment: true }));
      expect(message).toMatch(/Correct the setting tunnel-gateway:apiKey \(or TUNNEL_GATEWAY_API_KEY\)$/);
    });

    test("asks for the permission where the service knows the key", async () => {
      emulator.setFaults({ rules: [{ kind: "status", status: 403, times: 2 }] });
      const [policy, rule] = await refusals(plugin());
      expect(policy).toMatch(/default provider: 403 .*\. Give the owner of the key the permission to read$/);
      expect(rule).toBe(policy);
    });
  });

  test.each([
    ["a refresh", (own: Plugin) => own.read("IpPolicy", "ipp_1", state)],
    ["a deletion", (own: Plugin) => own.hooks("IpPolicy").delete("ipp_1", state)],
  ])(
    "of %s with the key of the environment, which is never an earlier one, says nothing of that",
    async (_, work) => {
      const environment = {
        TUNNEL_GATEWAY_API_KEY: "the-key-of-nobody",
        TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
      };
      const message = await failure(work(plugin(readSettings({ get: () => undefined }, environment))));
      expect(message).toContain("does not accept the key of the default provider");
      expect(message).not.toContain("pulumi up");
    },
  );
});

describe("404", () => {
  test("of a create under a wrong prefix names the base URL and what to check", async () => {
    const baseUrl = `${emulator.baseUrl}/v9`;
    expect(await failure(plugin({ baseUrl }).create("IpPolicy", {}))).toContain(
      `The base URL of the default provider is ${baseUrl}: check that the setting tunnel-gateway:baseUrl ` +
        "(or TUNNEL_GATEWAY_BASE_URL) has the path prefix of the API",
    );
  });

  test.each([
    ["HttpsEdgeRouteOidc", "the route edghtsrt_2 of the edge edghts_1 does not exist"],
    ["HttpsEdgeRouteOauth", "the route edghtsrt_2 of the edge edghts_1 does not exist"],
    ["HttpsEdgeRouteWebhookVerification", "the route edghtsrt_2 of the edge edghts_1 does not exist"],
    ["TlsEdgeIpRestriction", "the edge edghts_1 does not exist"],
    ["EventSource", "the subscription esb_1 does not exist"],
  ])("of a write of the %s says first what it is a part of and is missing", async (type, text) => {
    await emulator.seed({ https_edges: [{ id: "edghts_1", routes: [{ id: "edghtsrt_1" }] }] });
    const of = { edgeId: "edghts_1", routeId: "edghtsrt_2", subscriptionId: "esb_1" };
    const social = { clientId: "c", clientSecret: "s" };
    const args = {
      ...of,
      type: "ip_policy_created.v0",
      provider: type.endsWith("Oauth") ? { social } : "CODE_HOST",
    };
    const message = await failure(plugin().create(type, args));
    expect(message).toMatch(new RegExp(`^${text} \\(creating the .* failed: 404 ERR_NOT_FOUND: `));
    expect(message.match(/\b404\b/g)).toHaveLength(1); // the port may have these digits, too
  });

  test("of a proxy in between says nothing of what it is a part of", async () => {
    emulator.setFaults({ rules: [{ kind: "html", status: 404, method: "PUT" }] });
    const message = await failure(plugin().create("TlsEdgeIpRestriction", { edgeId: "edgtls_1" }));
    expect(message).toMatch(/^creating the /);
  });

  const wrongPath = (baseUrl: string): string =>
    `The base URL of the default provider, ${baseUrl}, probably has a wrong path: correct the setting ` +
    "tunnel-gateway:baseUrl (or TUNNEL_GATEWAY_BASE_URL)";

  test("of a list, which every account has, says that the base URL probably has a wrong path", async () => {
    const baseUrl = `${emulator.baseUrl}/v9`;
    const { http } = plugin({ baseUrl });
    const message = await failure(pages(http, listRequest(declarationOf("IpPolicy"))).next());
    expect(message).toMatch(/^listing the IP policies failed: 404 ERR_NOT_FOUND: /);
    expect(message).toContain(`). ${wrongPath(baseUrl)}`);
    expect(message).not.toContain("exist");
  });

  test("of the list of an object, which may be gone, names the object too", async () => {
    const list = listRequest(declarationOf("EventSource"), "es_1");
    const message = await failure(pages(plugin().http, list).next());
    expect(message).toContain("and that the objects which the request names exist");
  });

  test.each([
    ["a refresh", (own: Plugin) => own.read("IpPolicy", "ipp_1", state)],
    ["a deletion", (own: Plugin) => own.hooks("IpPolicy").delete("ipp_1", state)],
    ["a refresh of a module", (own: Plugin) => own.read("TlsEdgeIpRestriction", "edgtls_1", state)],
  ])("of %s under a wrong prefix says the same, once, even where deletions are accepted", async (_, work) => {
    const baseUrl = `${emulator.baseUrl}/v9`;
    process.env[acceptDeleted] = "true";
    const message = await failure(work(plugin({ baseUrl }))).finally(() => delete process.env[acceptDeleted]);
    expect(message).toContain("This does not prove that it was deleted");
    expect(message.split(wrongPath(baseUrl))).toHaveLength(2);
  });

  test.each(["IpPolicy", "BotUser"])(
    "of an update says that the %s was deleted outside of the stack, and advises a refresh",
    async (type) => {
      const own = plugin();
      const before = type === "BotUser" ? { name: "ci" } : { description: "a" };
      const { id, state: made } = await own.create(type, before);
      await own.hooks(type).delete(id, made);
      const after = type === "BotUser" ? { name: "cd" } : { description: "b" };
      expect(await failure(own.update(type, id, made, after))).toMatch(
        /does not exist: it was deleted outside of this stack\. Run pulumi refresh, which removes it from the state; the next pulumi up creates it again$/,
      );
    },
  );

  test("of an update of an object that is there stays that of the update", async () => {
    const own = plugin();
    const { id, state: made } = await own.create("IpPolicy", { description: "a" });
    const rule = { kind: "status", method: "PATCH", path: `/ip_policies/${id}`, afterWork: false } as const;
    for (const status of [400, 404]) {
      emulator.setFaults({ rules: [{ ...rule, status }] });
      const old = { ...made, createdAt: "2020-01-01T00:00:00Z" };
      expect(await failure(plugin().update("IpPolicy", id, old, { description: "b" }))).toMatch(
        new RegExp(`^updating the IP policy ${id} failed: ${status} `),
      );
    }
  });

  test("of an update through a proxy is no proof that the object was deleted", async () => {
    const { id, state: made } = await plugin().create("IpPolicy", { description: "a" });
    const other = plugin({ baseUrl: `${emulator.baseUrl}/v9` });
    expect(await failure(other.update("IpPolicy", id, made, { description: "b" }))).toContain(
      "This does not prove that it was deleted",
    );
  });
});

test("409 is a refusal even if the object is already as asked", async () => {
  const { id, state: made } = await plugin().create("IpPolicy", { description: "a" });
  emulator.setFaults({ rules: [{ kind: "status", method: "PATCH", path: "/ip_policies", status: 409 }] });
  const before = { ...made, description: "b" };
  expect(await failure(plugin().update("IpPolicy", id, before, { description: "a" }))).toContain("409");
});

test("409 names the account, and what to do with the other object", async () => {
  const own = plugin();
  const { id, state: made } = await own.create("IpPolicy", {});
  emulator.setFaults({ rules: [{ kind: "status", method: "DELETE", path: "/ip_policies", status: 409 }] });
  expect(await failure(own.hooks("IpPolicy").delete(id, made))).toContain(
    `Another object in the account of the default provider at ${emulator.baseUrl} conflicts with it or still uses it. ` +
      "Change or delete that object first",
  );
});
