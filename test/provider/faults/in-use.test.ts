/** Services that take an object for in use for some seconds after the run has deleted or changed what used it. */
import type { Json } from "../../../src/schema/json";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { hasty, Plugin } from "../../support/plugin";

const emulator = emulatorForTests();
let plugin: Plugin;
beforeEach(() => {
  plugin = Plugin.for(emulator);
});

const refused = (path: string, status: number, times?: number): void =>
  emulator.setFaults({
    rules: [{ kind: "status", status, method: "DELETE", path, ...(times === undefined ? {} : { times }) }],
  });
const deletions = (path: string): number =>
  emulator.requests.filter((each) => each.method === "DELETE" && each.path.startsWith(path)).length;

type Made = Awaited<ReturnType<Plugin["create"]>>;

/** A used object and its user; the class, path and arguments of the user. */
const pairs: [string, { type: string; path: string; user: string; of: (id: string) => Json }][] = [
  [
    "a policy of an edge",
    {
      ...{ type: "IpPolicy", path: "/ip_policies", user: "TcpEdge" },
      ...{ of: (id) => ({ ipRestriction: { ipPolicyIds: [id] } }) },
    },
  ],
  [
    "a backend of a weighted backend",
    {
      ...{ type: "HttpResponseBackend", path: "/backends/http_response", user: "WeightedBackend" },
      ...{ of: (id) => ({ backends: { [id]: 1 } }) },
    },
  ],
];

describe.each(pairs)("%s", (_, { type, path, user, of }) => {
  let used: Made;
  let by: Made;
  beforeEach(async () => {
    used = await plugin.create(type, type === "IpPolicy" ? {} : { body: "hello" });
    by = await plugin.create(user, of(used.id));
  });
  const remove = () => plugin.hooks(type).delete(used.id, used.state);

  test.each([400, 409])(
    "is deleted after its user, though the service refuses with %s at first",
    async (status) => {
      await plugin.hooks(user).delete(by.id, by.state);
      refused(path, status, 4);
      await remove();
      expect(deletions(path)).toBe(5);
      expect(JSON.stringify(emulator.snapshot())).not.toContain(used.id);
    },
  );

  test("is refused in the end with advice for that", async () => {
    await plugin.hooks(user).delete(by.id, by.state);
    refused(path, 409);
    const begun = hasty.elapsed();
    const failure = await failureOf<unknown>(remove());
    expect((failure as Error).message).toMatch(
      /This run deleted or changed what used it, so run the command again in a minute\. If it fails again, something else uses the object: change or delete that first$/,
    );
    expect(hasty.elapsed() - begun).toBeGreaterThan(55_000);
    expect(hasty.elapsed() - begun).toBeLessThan(120_000);
  });

  test("is refused at once where this run has released nothing", async () => {
    refused(path, 409);
    const failure = await failureOf<unknown>(remove());
    expect((failure as Error).message).toMatch(/Change or delete that object first$/);
    refused(path, 400);
    await expect(remove()).rejects.toThrow(/400/);
    expect(deletions(path)).toBe(2);
    expect(plugin.lines).toEqual([]);
  });

  test("is refused at once where a change of its user kept it", async () => {
    await plugin.update(user, by.id, by.state, { ...of(used.id), description: "new" });
    refused(path, 409);
    await expect(remove()).rejects.toThrow(/Change or delete that object first$/);
    expect(deletions(path)).toBe(1);
  });

  test("is deleted after a change of its user", async () => {
    const next = await plugin.create(type, type === "IpPolicy" ? {} : { body: "next" });
    await plugin.update(user, by.id, by.state, of(next.id));
    refused(path, 409, 2);
    await remove();
    expect(deletions(path)).toBe(3);
  });
});
