/** How objects that are addressed by path move and give way; test/full/engine/replaced-modules.test.ts has what Pulumi's engine decides. */
import { InProcessWorld } from "./in-process-world";
import { writesTo } from "./requests";
import type { Json } from "./subject";
import { EmulatorClient } from "../support/emulator-process";
import { modules, modulePaths, moduleSeed, oauth, route } from "../support/modules";
import { emulatorForTests } from "../support/emulators";

describe("an object that is addressed by path", () => {
  const emulator = emulatorForTests();
  let client: EmulatorClient;
  let world: InProcessWorld;

  beforeEach(async () => {
    await emulator.seed(moduleSeed);
    client = new EmulatorClient(emulator);
    world = new InProcessWorld(client);
  });

  const lines = async () => (await writesTo(client)).map(({ line }) => line);
  const found = (path: string) => client.api("GET", path).catch(() => undefined);

  it("moves to another place: it is there, and no longer here", async () => {
    world.declare(Object.values(modules));
    await world.up();
    const moved: Record<string, Json> = {
      oidc: route("three"),
      oauth: route("four"),
      webhook: route("three"),
      restriction: { edgeId: "tls2" },
      source: { type: "ip_policy_updated.v0" },
    };
    world.declare(
      Object.values(modules).map((each) => ({ ...each, args: { ...each.args, ...moved[each.name] } })),
    );
    const names = Object.keys(modules);
    expect(await world.preview()).toMatchObject({
      ops: Object.fromEntries(names.map((name) => [name, "replace"])),
      reasons: {
        oauth: ["routeId"],
        oidc: ["routeId"],
        restriction: ["edgeId"],
        source: ["type"],
        webhook: ["routeId"],
      },
    });
    await world.up();
    expect(await Promise.all(modulePaths.map(found))).toEqual(modulePaths.map(() => undefined));
    const { https_edges, tls_edges } = emulator.snapshot();
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
    expect((await world.preview()).ops).toEqual({});
  });

  describe("that signs users in", () => {
    const old = modules.oidc!;
    const next = { ...modules.oauth!, args: { ...route("one"), ...oauth } };
    const place = "/edges/https/edge/routes/one";

    it("cannot stand beside another one, and the refusal says the way out", async () => {
      world.declare([old]);
      await world.up();
      world.declare([next]);
      await expect(world.up()).rejects.toThrow(
        /creating the OAuth module edge\/one failed: 409 .*keep the old module with enabled false, let the new one depend on it .*, and remove it the next time/,
      );
      expect(await found(`${place}/oidc`)).toMatchObject({ enabled: true, client_id: "app" });
    });

    it("becomes one of another kind by that way", async () => {
      world.declare([old]);
      await world.up();
      emulator.clearRequests();
      const off = { ...old, args: { ...old.args, enabled: false } };
      world.declare([off, { ...next, opts: { dependsOn: ["oidc"] } }]);
      await world.up();
      expect(await lines()).toEqual([`PUT ${place}/oidc`, `PUT ${place}/oauth`]);
      world.declare([next]);
      expect((await world.preview()).ops).toEqual({ oidc: "delete" });
      await world.up();
      expect(await client.api("GET", `${place}/oauth`)).toMatchObject({ enabled: true });
      await expect(client.api("GET", `${place}/oidc`)).rejects.toThrow("404");
      expect((await world.preview()).ops).toEqual({});
    });

    it("is refused in an update too, and back again by the same way", async () => {
      world.declare([next, { ...old, args: { ...old.args, enabled: false } }]);
      await world.up();
      world.declare([next, old]);
      await expect(world.up()).rejects.toThrow(
        /updating the OIDC module edge\/one failed: 409 .*keep the old module with enabled false/,
      );
      world.declare([
        { ...next, args: { ...next.args, enabled: false } },
        { ...old, opts: { dependsOn: ["oauth"] } },
      ]);
      await world.up();
      expect((await world.preview()).ops).toEqual({});
      await world.destroy();
      expect(await found(`${place}/oidc`)).toBeUndefined();
    });
  });
});
