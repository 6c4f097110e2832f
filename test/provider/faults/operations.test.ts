import type { FaultRule } from "../../../src/emulator";
import type { Json } from "../../../src/schema/json";
import { VirtualTime } from "../../support/virtual-time";
import { Plugin } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";

const emulator = emulatorForTests();

/** Each kind of fault, as something that strikes once, unless it says how often, and is then over. */
const faults: Record<string, Omit<FaultRule, "method" | "path">> = {
  "a 503 of the service": { kind: "status", status: 503 },
  "a 504 of the service": { kind: "status", status: 504 },
  "a proxy's 502 before the work": { kind: "html", status: 502 },
  "a proxy's 502 after the work": { kind: "html", status: 502, afterWork: true },
  "a proxy's 504 after the work": { kind: "html", status: 504, afterWork: true },
  "a 429": { kind: "status", status: 429, retryAfter: 1 },
  "a connection that breaks before the work": { kind: "dropBefore" },
  "a connection that breaks after the work": { kind: "dropAfter" },
  "connections that break twice before the work": { kind: "dropBefore", times: 2 },
  "a connection that hangs and breaks": { kind: "hang", delayMs: 20 },
  "an answer that is cut": { kind: "truncate" },
  "an answer that is not JSON": { kind: "garbage" },
  "an answer that is HTML": { kind: "garbage", body: "<html>gone for lunch</html>" },
  "an answer that is an array": { kind: "garbage", body: [1, 2] },
  "an answer without an id": { kind: "garbage", body: { description: "x" } },
  "a slow answer": { kind: "slow", delayMs: 30 },
};

interface Subject {
  readonly type: string;
  readonly collection: string;
  readonly args: Json;
  readonly changed: Json;
  readonly make: string;
  readonly change: string;
  readonly path: string;
  /** What the account holds of it, in words to compare. */
  held(): unknown[];
}

const members = (collection: string, ...names: string[]) =>
  (emulator.snapshot()[collection] ?? []).map((object) => names.map((name) => object[name]));

const route = { edgeId: "edghts_1", routeId: "edghtsrt_1" };
const subjects: Subject[] = [
  {
    type: "IpPolicy",
    collection: "ip_policies",
    args: { description: "before" },
    changed: { description: "after" },
    make: "POST",
    change: "PATCH",
    path: "/ip_policies",
    held: () => members("ip_policies", "description"),
  },
  {
    type: "HttpsEdgeRouteWebhookVerification",
    collection: "modules",
    args: { ...route, provider: "GIT_HOST", secret: "not-so-secret-1" },
    changed: { ...route, provider: "OTHER_HOST", secret: "not-so-secret-2" },
    make: "PUT",
    change: "PUT",
    path: "/edges/https",
    held: () =>
      (emulator.snapshot().https_edges ?? [])
        .flatMap((edge) => edge.routes as { webhook_verification?: { provider: string } }[])
        .flatMap(({ webhook_verification: module }) => (module ? [[module.provider]] : [])),
  },
  {
    type: "ApiKey",
    collection: "api_keys",
    args: { description: "before" },
    changed: { description: "after" },
    make: "POST",
    change: "PATCH",
    path: "/api_keys",
    held: () => members("api_keys", "description"),
  },
];

describe.each(subjects)("$type", (subject) => {
  const { type, args, changed } = subject;
  const [before, after] = [args, changed].map((values) => [values.provider ?? values.description]);
  let plugin: Plugin;

  beforeEach(async () => {
    await emulator.seed({ https_edges: [{ id: route.edgeId, routes: [{ id: route.routeId }] }] });
    plugin = Plugin.for(emulator);
  });

  const strike = (method: string, fault: Omit<FaultRule, "method" | "path">): void =>
    emulator.setFaults({ rules: [{ times: 1, ...fault, method, path: subject.path }] });
  const make = async () => {
    const made = await plugin.create(type, args);
    emulator.clearRequests();
    return made;
  };

  test.each(Object.entries(faults))("is made exactly once in spite of %s", async (_name, fault) => {
    strike(subject.make, fault);
    const { id, state } = await plugin.create(type, args);
    const held = subject.held();
    if (type === "ApiKey") expect(state.token).toEqual(expect.stringMatching(/./));
    expect(held).toEqual([before]);
    const found = await plugin.read(type, id, state);
    expect(found.id).toBe(id);
    expect(found.inputs).toBeUndefined();
  });

  test.each(Object.entries(faults))("is changed in spite of %s", async (_name, fault) => {
    const { id, state } = await make();
    strike(subject.change, fault);
    const updated = await plugin.update(type, id, state, changed);
    expect(subject.held()).toEqual([after]);
    expect(updated).toMatchObject(changed);
    expect(updated.token).toBe(state.token);
  });

  test.each(Object.entries(faults))("is deleted in spite of %s", async (_name, fault) => {
    const { id } = await make();
    strike("DELETE", fault);
    // What one deployment writes, only a later one deletes.
    await Plugin.for(emulator).hooks(type).delete(id);
    expect(subject.held()).toEqual([]);
  });

  test.each(Object.entries(faults).filter(([name]) => !/array|without an id/.test(name)))(
    "is read in spite of %s",
    async (_name, fault) => {
      const { id, state } = await make();
      strike("GET", fault);
      expect((await plugin.read(type, id, state)).state).toEqual(state);
      expect(emulator.requests.length).toBeLessThanOrEqual(1 + (fault.times ?? 1));
    },
  );
});

test("a removal whose answer is lost before the work is sent again", async () => {
  const plugin = Plugin.for(emulator);
  const { id, state } = await plugin.create("IpPolicy", { description: "before" });
  emulator.setFaults({ rules: [{ kind: "dropBefore", method: "PATCH", times: 1 }] });
  await plugin.update("IpPolicy", id, state, {});
  expect(emulator.snapshot().ip_policies![0]!.description ?? "").toBe("");
});

test("the line about another attempt holds no secret that the failed one repeats", async () => {
  await emulator.seed({ https_edges: [{ id: route.edgeId, routes: [{ id: route.routeId }] }] });
  const plugin = Plugin.for(emulator);
  const body = { msg: "the module with the secret not-so-secret-1 cannot be saved now" };
  emulator.setFaults({ rules: [{ kind: "status", method: "PUT", status: 503, body, times: 1 }] });
  await plugin.create(subjects[1]!.type, subjects[1]!.args);
  expect(plugin.lines).toEqual([
    expect.stringMatching(
      / failed: 503: the module with the secret \[secret\] cannot be saved now; retrying/,
    ),
  ]);
});

test("what fails for good says so when its time is over, after pauses that grow and are spread", async () => {
  const time = new VirtualTime();
  const plugin = Plugin.for(emulator, { retryTimeout: 60 }, { timing: time });
  emulator.setFaults({ rules: [{ kind: "status", status: 503 }] });
  const failure = expect(time.run(plugin.create("IpPolicy", {}), 200)).rejects;
  await failure.toThrow(/503 ERR_INJECTED: .*; given up after [5-9] attempts in [2-6]\d seconds/);
  time.pauses.forEach((pause, i) => {
    const most = Math.min(30_000, 500 * 2 ** i);
    expect(pause).toBeGreaterThanOrEqual(most / 2);
    expect(pause).toBeLessThanOrEqual(most);
  });
  expect(plugin.lines.length).toBeLessThanOrEqual(5);
  expect(plugin.lines[0]).toMatch(/^creating the IP policy failed: 503.*; retrying for up to 60 seconds$/);
});

test("a 503 that says when to come back is not asked earlier", async () => {
  const time = new VirtualTime();
  const plugin = Plugin.for(emulator, {}, { timing: time });
  emulator.setFaults({ rules: [{ kind: "status", status: 503, retryAfter: 17, times: 1 }] });
  await time.run(plugin.create("IpPolicy", {}), 200);
  expect(time.pauses).toEqual([17_000]);
  expect(emulator.requests.map(({ method }) => method)).toEqual(["POST", "GET", "POST"]);
});

test("an answer that is about another object is not taken for that of the object", async () => {
  const plugin = Plugin.for(emulator);
  const first = await plugin.create("IpPolicy", { description: "first" });
  const body = emulator.snapshot().ip_policies![0]!;
  const mixUp = (method: string) =>
    emulator.setFaults({ rules: [{ kind: "garbage", method, body, times: 1 }] });
  mixUp("POST");
  const { id, state } = await plugin.create("IpPolicy", { description: "second" });
  expect(id).not.toBe(first.id);
  mixUp("PATCH");
  const changed = await plugin.update("IpPolicy", id, state, { description: "third" });
  expect(changed.description).toBe("third");
  expect(members("ip_policies", "id", "description")).toEqual([
    [first.id, "first"],
    [id, "third"],
  ]);
  mixUp("GET");
  await expect(plugin.read("IpPolicy", id, changed)).rejects.toThrow("it is about another object");
});
