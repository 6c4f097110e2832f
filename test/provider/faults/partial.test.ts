import type { Json } from "../../../src/schema/json";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import { Plugin } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { plain } from "../../support/in-process/values";
import { failureOf } from "../../support/failure";
import { recipient } from "../../support/sealed-box";

const aText: unknown = expect.any(String);

const emulator = emulatorForTests();
let plugin: Plugin;

beforeEach(() => {
  plugin = Plugin.for(emulator);
});

/** What Pulumi's plugin makes of a create that fails: it records an error with an id. */
async function failing(
  type: string,
  args: Json,
  body: (id: string) => Json,
): Promise<{ id: string; state: Json }> {
  const { id } = emulator.snapshot()[type === "ApiKey" ? "api_keys" : "ip_policies"]![0] as { id: string };
  emulator.setFaults({
    rules: [{ kind: "garbage", method: "POST", afterWork: false, status: 201, body: body(id), times: 1 }],
  });
  const failure = await failureOf<unknown>(plugin.hooks(type).create({ ...args, __provider: "shim" }));
  expect(failure).toBeInstanceOf(PartialFailure);
  const { id: recorded, properties, reasons, message } = failure as PartialFailure;
  expect(recorded).toBe(id);
  expect(properties.__provider).toBe("shim");
  expect(reasons).toEqual([message]);
  const { __provider: _, ...state } = plain(properties);
  return { id, state };
}

test("an object whose answer is of no use is recorded, and the next up repairs it", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_half", description: "made" }] });
  const args = { description: "wanted" };
  const { id, state } = await failing("IpPolicy", args, (half) => ({ id: half, created_at: 5 }));
  const account = { __account: expect.any(String) as string };
  expect(state).toEqual({ ...args, ...account, __args: ["description"], __partial: true });

  const { changes, replaces } = await plugin.hooks("IpPolicy").diff(id, state, args);
  expect({ changes, replaces }).toEqual({ changes: true, replaces: [] });
  const repaired = await plugin.update("IpPolicy", id, state, args);
  expect(emulator.snapshot().ip_policies!.map(({ description }) => description)).toEqual(["wanted"]);
  expect(repaired).toMatchObject({
    description: "wanted",
    createdAt: aText,
    uri: aText,
  });
  expect(await plugin.hooks("IpPolicy").diff(id, repaired, args)).toMatchObject({ changes: false });
});

test("a refresh repairs it too", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_half", description: "wanted" }] });
  const args = { description: "wanted" };
  const { id, state } = await failing("IpPolicy", args, (half) => ({ id: half, uri: 7 }));
  const found = await plugin.read("IpPolicy", id, state);
  expect(await plugin.hooks("IpPolicy").diff(id, found.state, args)).toMatchObject({ changes: false });
});

test.each([
  ["without its token", {}],
  ["whose token is empty", { token: "" }],
  ["whose token is redacted", { token: "[REDACTED]" }],
])("a key %s is recorded and replaced, also after a refresh", async (_what, token) => {
  await emulator.seed({ api_keys: [{ id: "ak_half" }] });
  const { id, state } = await failing("ApiKey", {}, (half) => ({
    id: half,
    created_at: "2030-01-01T00:00:00Z",
    ...token,
  }));
  const diff = { changes: true, replaces: ["token"] };
  expect(await plugin.hooks("ApiKey").diff(id, state, {})).toMatchObject(diff);
  const found = await plugin.read("ApiKey", id, state);
  expect(await plugin.hooks("ApiKey").diff(id, found.state, {})).toMatchObject(diff);
});

test("a key with sealTo whose token is empty has no sealed token either, and is replaced", async () => {
  await emulator.seed({ api_keys: [{ id: "ak_half" }] });
  const args = { sealTo: recipient().publicKey };
  const { id, state } = await failing("ApiKey", args, (half) => ({ id: half, token: "" }));
  expect(state.sealedToken).toBeUndefined();
  expect((await plugin.hooks("ApiKey").diff(id, state, args)).replaces).toEqual(["token"]);
});

test("a token in an answer that is of no other use is not lost", async () => {
  await emulator.seed({ api_keys: [{ id: "ak_half" }] });
  const { id, state } = await failing("ApiKey", {}, (half) => ({
    id: half,
    token: "not-so-secret",
    created_at: 1,
  }));
  const repaired = await plugin.update("ApiKey", id, state, {});
  expect(repaired).toMatchObject({ token: "not-so-secret", createdAt: aText });
});

test("no value of the answer is in the failure", async () => {
  await emulator.seed({ api_keys: [{ id: "ak_half" }] });
  const failure = await failing("ApiKey", {}, (half) => ({
    id: half,
    token: "not-so-secret",
    uri: ["hidden"],
  }));
  expect(JSON.stringify(failure.state)).not.toContain("hidden");
});
