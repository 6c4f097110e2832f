import type { Json } from "../../rounds/subject";
import { EmulatorProcess } from "../../support/emulator-process";
import { moduleSeed, modulePaths, modules } from "../../support/modules";
import { resources } from "../../engine/support";
import { World, operations } from "../../engine/rounds/world";

const names = Object.keys(modules);
const paths = modulePaths;

/** test/rounds/modules.test.ts has what needs no engine: modules that move and give way. */
describe("an object that is addressed by path", () => {
  const emulator = EmulatorProcess.forTests();
  let world: World;

  beforeAll(async () => {
    await emulator.seed(moduleSeed);
    world = await World.start(emulator);
    world.declare(Object.values(modules));
    await world.stack.up();
  });
  beforeEach(() => emulator.clearRequests());

  const lines = async () => (await world.writes()).map(({ line }) => line);

  /** All of them as the service has them, by path; undefined where there is none. */
  async function account(): Promise<Json> {
    const all = await Promise.all(paths.map((path) => emulator.api("GET", path).catch(() => undefined)));
    return Object.fromEntries(paths.map((path, i) => [path, all[i]]));
  }

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
  });

  it("is not taken over where it is renamed without them: it stands, and the error names the way out", async () => {
    const stood = await account();
    await emulator.clearRequests();
    world.declare(Object.values(modules));
    const { output } = await world.stack.up({ exitCode: 1, args: ["--continue-on-error"] });
    expect(await lines()).toEqual([]);
    for (const id of ["edge/one", "edge/two", "tls", "esb_all/ip_policy_created.v0"]) {
      expect(output).toMatch(new RegExp(`${id} exists already. If it has a new name .*aliases.* import it`));
    }
    expect(await account()).toEqual(stood);
    world.declare(
      Object.values(modules).map((each) => ({ ...each, opts: { aliases: [{ name: `my-${each.name}` }] } })),
    );
    await world.stack.up();
  });

  it("is not replaced where it stands: --target-replace fails and changes nothing", async () => {
    const stood = await account();
    await emulator.clearRequests();
    const targets = Object.values(modules).flatMap(({ type, name }) => [
      "--target-replace",
      world.stack.urn(type, name),
    ]);
    const plan = await world.stack.previewJson({ args: targets });
    expect(operations(plan)).toEqual(Object.fromEntries(names.map((name) => [name, "replace"])));
    const { output } = await world.stack.up({ args: [...targets, "--continue-on-error"], exitCode: 1 });
    for (const id of ["edge/one", "edge/two", "tls", "esb_all/ip_policy_created.v0"])
      expect(output).toMatch(
        new RegExp(
          `${id} exists already\\. .*\\(--target-replace, pulumi state taint\\), add --refresh to pulumi up`,
        ),
      );
    expect(await lines()).toEqual([]);
    expect(await account()).toEqual(stood);
    await world.stack.previewNoChanges();
  });
});
