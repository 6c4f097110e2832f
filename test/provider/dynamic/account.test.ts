/** Whether a refresh that finds no object takes them for deleted: not with the key of another account. */
import { ApiKey, IpPolicy } from "../../../src";
import type * as timing from "../../../src/provider/http/timing";
import { acceptDeleted, accountMark } from "../../../src/provider/settings/own-account";
import type * as hasty from "../../support/hasty";
import { emulatorForTests } from "../../support/emulators";
import { InProcessStack } from "../../support/in-process/stack";
import { nativeForTests } from "../../support/native-client";

// A 404 may be lag for a minute after the creation, so time passes by pauses alone.
jest.mock("../../../src/provider/http/timing", () => {
  const { realTiming } = jest.requireActual<typeof timing>("../../../src/provider/http/timing");
  return { realTiming: jest.requireActual<typeof hasty>("../../support/hasty").withoutPauses(realTiming) };
});

const emulator = emulatorForTests();
const other = emulatorForTests();
const native = nativeForTests();
const settings = ({ apiKey, baseUrl } = emulator) => ({ apiKey, baseUrl });

const removeAll = async (): Promise<void> => {
  for (const { id } of emulator.snapshot().ip_policies!) {
    const headers = { authorization: `Bearer ${emulator.apiKey}`, "service-version": "2" };
    await fetch(`${emulator.baseUrl}/ip_policies/${String(id)}`, { method: "DELETE", headers });
  }
};

// In this order: a plugin in which any object was found needs no other proof.
test("a stack whose deletion is accepted is refreshed with another account too", async () => {
  const stack = new InProcessStack(settings());
  await stack.up(() => new IpPolicy("office", { description: "office" }));
  stack.settings = settings(other);
  process.env[acceptDeleted] = "true";
  await stack.refresh().finally(() => delete process.env[acceptDeleted]);
  expect(stack.resources).toEqual({});
});

test("a stack of one object is refreshed where it was deleted, and not with another account", async () => {
  const stack = new InProcessStack(settings());
  await stack.up(() => new IpPolicy("office", { description: "office" }));
  expect(stack.text).toContain(accountMark(settings()));
  expect(stack.text).not.toContain(emulator.apiKey);
  await removeAll();
  stack.settings = settings(other);
  await expect(stack.refresh()).rejects.toThrow(/the key may belong to another account: correct it/);
  expect(Object.keys(stack.resources)).toEqual(["office"]);
  stack.settings = settings();
  await stack.refresh();
  expect(stack.resources).toEqual({});
});

test("an update and a refresh keep what the state knows of the account", async () => {
  const stack = new InProcessStack(settings());
  await stack.up(() => new IpPolicy("office", { description: "office" }));
  await stack.up(() => new IpPolicy("office", { description: "new" }));
  expect((await stack.refresh()).changes).toEqual([]);
  expect(stack.resources.office!.outputs).toMatchObject({ __account: accountMark(settings()) });
});

test("the state of a failed write has it too", async () => {
  const stack = new InProcessStack({ ...settings(), retryTimeout: "1" });
  const described = (description: string) => () => new ApiKey("ci", { description });
  const fails = async (description: string, methods: string[], status: number): Promise<void> => {
    emulator.setFaults({ rules: methods.map((method) => ({ kind: "status", method, status })) });
    await expect(stack.up(described(description))).rejects.toThrow("exists and is recorded");
    emulator.setFaults({ rules: [] });
    expect(stack.resources.ci!.outputs).toMatchObject({ __account: accountMark(settings()) });
  };
  await fails("ci", ["PATCH"], 403);
  await stack.up(described("ci"));
  await fails("new", ["PATCH", "GET"], 503);
});

test("the native provider knows it too", async () => {
  await native.configure(settings());
  const made = await native.create("IpPolicy", { description: "office" });
  expect(made.outputs).toMatchObject({ __account: accountMark(settings()) });
  const updated = await native.update("IpPolicy", made, { description: "new" });
  const read = await native.read("IpPolicy", made.id, updated.outputs, updated.inputs);
  expect([updated, read].map(({ outputs }) => outputs.__account)).toEqual(
    [1, 2].map(() => accountMark(settings())),
  );
  await removeAll();
  expect((await native.read("IpPolicy", made.id, updated.outputs, updated.inputs)).id).toBe("");
});

test("the mark shows no key, and differs with each key and each base URL", () => {
  const [one, two, three] = [
    accountMark({ baseUrl: "https://a.example", apiKey: "k1" }),
    accountMark({ baseUrl: "https://a.example", apiKey: "k2" }),
    accountMark({ baseUrl: "https://b.example", apiKey: "k1" }),
  ];
  expect(new Set([one, two, three]).size).toBe(3);
  expect(one).toMatch(/^[0-9a-f]{16}$/);
});
