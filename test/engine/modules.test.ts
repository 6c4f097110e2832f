import type { Json } from "./rounds/subject";
import { EmulatorProcess } from "../support/emulator-process";
import { resources, stackTrace } from "./support";
import { World, operations, type WorldResource } from "./rounds/world";

const route = (name: string) => ({ edgeId: "edge", routeId: name });
const oidc = { issuer: "https://login.example.com", clientId: "app", clientSecret: "oidc secret" };
const oauth = { provider: { codeHost: { organizations: ["example"] } } };

/** One module of each kind. */
const modules: Record<string, WorldResource> = {
  oidc: { name: "oidc", type: "HttpsEdgeRouteOidc", args: { ...route("one"), ...oidc } },
  oauth: { name: "oauth", type: "HttpsEdgeRouteOauth", args: { ...route("two"), ...oauth } },
  webhook: {
    name: "webhook",
    type: "HttpsEdgeRouteWebhookVerification",
    args: { ...route("one"), provider: "PAYMENTS", secret: "webhook secret" },
  },
  restriction: {
    name: "restriction",
    type: "TlsEdgeIpRestriction",
    args: { edgeId: "tls", ipPolicyIds: ["ipp_office"] },
  },
  source: {
    name: "source",
    type: "EventSource",
    args: { subscriptionId: "esb_all", type: "ip_policy_created.v0" },
  },
};
const names = Object.keys(modules);
const paths = [
  "/edges/https/edge/routes/one/oidc",
  "/edges/https/edge/routes/two/oauth",
  "/edges/https/edge/routes/one/webhook_verification",
  "/edges/tls/tls/ip_restriction",
  "/event_subscriptions/esb_all/sources/ip_policy_created.v0",
];

describe("an object that is addressed by path", () => {
  let emulator: EmulatorProcess;
  let world: World;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    await emulator.seed({
      ip_policies: [{ id: "ipp_office" }],
      event_subscriptions: [{ id: "esb_all" }],
      https_edges: [{ id: "edge", routes: ["one", "two", "three", "four"].map((id) => ({ id })) }],
      tls_edges: [{ id: "tls" }, { id: "tls2" }],
    });
    world = await World.start(emulator);
    world.declare(Object.values(modules));
    await world.stack.up();
  });
  afterAll(() => emulator.stop());
  beforeEach(() => emulator.clearRequests());

  const lines = async () => (await world.writes()).map(({ line }) => line);

  /** All of them as the service has them, by path; undefined where there is none. */
  async function account(): Promise<Json> {
    const all = await Promise.all(paths.map((path) => emulator.api("GET", path).catch(() => undefined)));
    return Object.fromEntries(paths.map((path, i) => [path, all[i]]));
  }

  /** The line's place in the log. */
  const placesOf = (log: string[], ...wanted: string[]) => wanted.map((line) => log.indexOf(line));

  it("is renamed by aliases without a request", async () => {
    world.declare(
      Object.values(modules).map((each) => ({
        ...each,
        name: `my-${each.name}`,
        opts: { aliases: [{ name: each.name }] },
      })),
    );
    expect(operations(await world.stack.previewJson())).toEqual({});
    await world.stack.up();
    expect(await emulator.requestLines()).toEqual([]);
    expect(Object.keys(resources(world.stack)).sort()).toEqual(names.map((name) => `my-${name}`).sort());
    await world.stack.previewNoChanges();
  });

  it("is not taken over where it is renamed without them: it stands, and the error names the way out", async () => {
    const stood = await account();
    await emulator.clearRequests();
    world.declare(Object.values(modules));
    const { output } = await world.stack.up({ exitCode: 1, args: ["--continue-on-error"] });
    expect(await lines()).toEqual([]);
    for (const id of ["edge/one", "edge/two", "tls", "esb_all/ip_policy_created.v0"]) {
      expect(output).toMatch(new RegExp(`${id} exists already. If it was renamed .*aliases; .* import it`));
    }
    expect(await account()).toEqual(stood);
    world.declare(
      Object.values(modules).map((each) => ({ ...each, opts: { aliases: [{ name: `my-${each.name}` }] } })),
    );
    await world.stack.up();
    await world.stack.previewNoChanges();
  });

  it("still stands after --target-replace: it is deleted first", async () => {
    const stood = await account();
    await emulator.clearRequests();
    const targets = Object.values(modules).flatMap(({ type, name }) => [
      "--target-replace",
      world.stack.urn(type, name),
    ]);
    const plan = await world.stack.previewJson({ args: targets });
    expect(operations(plan)).toEqual(Object.fromEntries(names.map((name) => [name, "replace"])));
    await world.stack.up({ args: targets });
    const log = await lines();
    expect(log).toHaveLength(2 * paths.length);
    for (const path of paths) {
      const makes = path.includes("sources") ? `POST ${path.slice(0, path.lastIndexOf("/"))}` : `PUT ${path}`;
      const [deleted, made] = placesOf(log, `DELETE ${path}`, makes);
      expect([path, deleted! >= 0 && deleted! < made!]).toEqual([path, true]);
    }
    expect(await account()).toEqual(stood);
    await world.stack.previewNoChanges();
  });

  it("moves to another place: it is there, and no longer here", async () => {
    const moved: Record<string, Json> = {
      oidc: route("three"),
      oauth: route("four"),
      webhook: route("three"),
      restriction: { edgeId: "tls2" },
      source: { type: "ip_policy_updated.v0" },
    };
    world.declare(
      names.map((name) => ({ ...modules[name]!, args: { ...modules[name]!.args, ...moved[name] } })),
    );
    const plan = await world.stack.previewJson();
    expect(plan.changes.map(({ op, name, replaceReasons }) => [op, name, replaceReasons]).sort()).toEqual([
      ["replace", "oauth", ["routeId"]],
      ["replace", "oidc", ["routeId"]],
      ["replace", "restriction", ["edgeId"]],
      ["replace", "source", ["type"]],
      ["replace", "webhook", ["routeId"]],
    ]);
    await world.stack.up();
    expect(Object.values(await account())).toEqual(paths.map(() => undefined));
    const { https_edges, tls_edges } = await emulator.state();
    const kept = (https_edges![0] as unknown as { routes: Json[] }).routes;
    expect(kept.map((each) => Object.keys(each))).toEqual([
      ["id"],
      ["id"],
      ["id", "oidc", "webhook_verification"],
      ["id", "oauth"],
    ]);
    expect(tls_edges).toEqual([
      { id: "tls" },
      expect.objectContaining({ id: "tls2", ip_restriction: expect.anything() as unknown }),
    ]);
    await world.stack.previewNoChanges();
    world.declare([]);
    await world.stack.up();
  });

  it("that somebody else made is not taken over, were it equal; nothing of it changes", async () => {
    await emulator.api("PUT", paths[0]!, {
      issuer: "https://other.example.com",
      client_id: "x",
      client_secret: "y",
    });
    await emulator.api("PUT", paths[3]!, { ip_policy_ids: ["ipp_office"] });
    const stood = await account();
    await emulator.clearRequests();
    world.declare([modules.oidc!, modules.restriction!]);
    const { output } = await world.stack.up({ exitCode: 1, args: ["--continue-on-error"] });
    expect(output).toMatch(/creating the OIDC module failed: edge\/one exists already/);
    expect(output).toMatch(/creating the IP restriction module failed: tls exists already/);
    expect(await lines()).toEqual([]);
    expect(await account()).toEqual(stood);
    expect(resources(world.stack)).toEqual({});
    for (const path of [paths[0]!, paths[3]!]) await emulator.api("DELETE", path);
  });

  describe("that signs users in", () => {
    const old = modules.oidc!;
    const next = { ...modules.oauth!, args: { ...route("one"), ...oauth } };

    it("cannot stand beside another one, and the refusal says the way out", async () => {
      world.declare([old]);
      await world.stack.up();
      world.declare([next]);
      const { output } = await world.stack.up({ exitCode: 1 });
      expect(output).toMatch(
        /creating the OAuth module edge\/one failed: 409 .*keep the old module with enabled false, let the new one depend on it .*, and remove it the next time/,
      );
      expect(output).not.toMatch(stackTrace);
      const now = await account();
      expect(now[paths[0]!]).toMatchObject({ enabled: true, client_id: "app" });
    });

    it("becomes one of another kind by that way", async () => {
      await emulator.clearRequests();
      const off = { ...old, args: { ...old.args, enabled: false } };
      world.declare([off, { ...next, opts: { dependsOn: ["oidc"] } }]);
      await world.stack.up();
      const place = "/edges/https/edge/routes/one";
      expect(await lines()).toEqual([`PUT ${place}/oidc`, `PUT ${place}/oauth`]);
      world.declare([next]);
      expect(operations(await world.stack.previewJson())).toEqual({ oidc: "delete" });
      await world.stack.up();
      expect(await emulator.api("GET", `${place}/oauth`)).toMatchObject({ enabled: true });
      await expect(emulator.api("GET", `${place}/oidc`)).rejects.toThrow("404");
      await world.stack.previewNoChanges();
    });

    it("is refused so in an update too, and back again by the same way", async () => {
      world.declare([next, { ...old, args: { ...old.args, enabled: false } }]);
      await world.stack.up();
      world.declare([next, old]);
      const { output } = await world.stack.up({ exitCode: 1 });
      expect(output).toMatch(
        /updating the OIDC module edge\/one failed: 409 .*keep the old module with enabled false/,
      );
      world.declare([
        { ...next, args: { ...next.args, enabled: false } },
        { ...old, opts: { dependsOn: ["oauth"] } },
      ]);
      await world.stack.up();
      await world.stack.previewNoChanges();
      await world.stack.destroy();
      expect((await account())[paths[0]!]).toBeUndefined();
    });
  });
});
