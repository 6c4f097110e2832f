/** A set with few ranges of its own in a large account: its rules are read by their ids. */
import * as dynamicClasses from "../../../src";
import * as nativeClasses from "../../../src/native";
import type { Json } from "../../../src/schema/json";
import { emulatorForTests } from "../../support/emulators";
import { nativeProcess } from "../../support/in-process/provider";
import { InProcessStack } from "../../support/in-process/stack";
import { plain } from "../../support/in-process/values";
import { Plugin } from "../../support/plugin";

const emulator = emulatorForTests();
const type = "IpPolicyRuleSet";
const others = 1000;
const pages = others / 100 + 1;
beforeEach(() => emulator.seed({ ip_policies: [{ id: "ipp_others" }, { id: "ipp_own" }] }));

/** The rules of others, which the service lists before older ones. */
const seedOthers = () =>
  emulator.seed({
    ip_policy_rules: Array.from({ length: others }, (_, i) => ({
      ip_policy_id: "ipp_others",
      ...{ cidr: `10.${i >> 8}.${i & 255}.0/24`, action: "allow" },
    })),
  });

const rules = { "192.0.2.0/24": "allow", "198.51.100.0/24": "deny", "203.0.113.0/24": "allow" };
const args = { ipPolicyId: "ipp_own", exclusive: false, rules };
/** Another process of the provider. */
const run = () => Plugin.for(emulator);
const create = async (more: Json = {}) => {
  const made = await run().create(type, { ...args, ...more });
  await seedOthers();
  emulator.clearRequests();
  return made;
};
const own = () =>
  emulator
    .snapshot()
    .ip_policy_rules!.filter(({ ip_policy }) => (ip_policy as Json).id === "ipp_own")
    .map(({ id, cidr, action }) => ({ id: String(id), cidr: String(cidr), action }));
const byHand = (cidr: string, action: string) =>
  run().create("IpPolicyRule", { ipPolicyId: "ipp_own", cidr, action });
const reads = () => emulator.requests.filter(({ method }) => method === "GET").length;
const withoutIds = ({ __ruleIds: _, ...state }: Json): Json => state;
/** A few pages, in case the list is short, and one request for each rule. */
const few = 2 * Object.keys(rules).length;

it("is refreshed with few requests, which changes nothing of the state", async () => {
  const { id, state } = await create();
  const found = await run().read(type, id, state);
  expect(found.state).toEqual(state);
  expect(found.inputs).toBeUndefined();
  expect(reads()).toBe(few);
});

it("is changed and deleted with few requests, where no range and no action is new", async () => {
  const { id, state } = await create();
  const described = { action: "allow", description: "office" };
  const next = { ...args, rules: { "192.0.2.0/24": described, "198.51.100.0/24": "deny" } };
  const updated = await run().update(type, id, state, next);
  const left = own().map(({ cidr, action }) => [cidr, action] as const);
  expect(Object.fromEntries(left)).toEqual({ "192.0.2.0/24": "allow", "198.51.100.0/24": "deny" });
  expect(reads()).toBe(few);
  emulator.clearRequests();
  await run().hooks(type).delete(id, plain(updated));
  expect(own()).toEqual([]);
  expect(reads()).toBeLessThan(few);
});

it("is read from the list where an action is new: a rule of others that allows needs no stand-in", async () => {
  const { id, state } = await create({
    rules: { "192.0.2.0/31": "allow", "192.0.2.0/32": "deny", "192.0.2.1/32": "deny" },
  });
  await byHand("192.0.3.0/24", "allow");
  emulator.clearRequests();
  const next = { "192.0.2.0/31": "deny", "192.0.2.0/32": "allow", "192.0.2.1/32": "allow" };
  const plugin = run();
  await plugin.hooks(type).diff(id, plain(state), { ...args, rules: next });
  expect(plugin.lines.join()).not.toContain("stand in");
  await plugin.update(type, id, state, { ...args, rules: next });
  expect(Object.fromEntries(own().map(({ cidr, action }) => [cidr, action]))).toEqual({
    ...next,
    "192.0.3.0/24": "allow",
  });
});

it("is read from the list where a range is new: somebody else may have made its rule", async () => {
  const { id, state } = await create();
  await byHand("192.0.3.0/24", "allow");
  emulator.clearRequests();
  await run().update(type, id, state, { ...args, rules: { ...rules, "192.0.3.0/24": "allow" } });
  expect(emulator.requests.filter(({ method }) => method === "POST")).toEqual([]);
  expect(reads()).toBe(pages);
});

it("has drift where a rule was deleted and created again with another action", async () => {
  const { id, state } = await create();
  const first = own().find(({ action }) => action === "allow");
  await run().hooks("IpPolicyRule").delete(first!.id, {});
  await byHand(first!.cidr, "deny");
  const found = await run().read(type, id, state);
  expect(found.inputs).toMatchObject({ rules: { [first!.cidr]: "deny" } });
  await run().update(type, id, found.state, args);
  expect(
    own()
      .map(({ cidr, action }) => [cidr, action])
      .sort(),
  ).toEqual(Object.entries(rules).sort());
});

it("has drift where a rule was deleted, and is as it was where it was created again", async () => {
  const { id, state } = await create();
  const first = own().find(({ action }) => action === "allow");
  await run().hooks("IpPolicyRule").delete(first!.id, {});
  const { [first!.cidr]: _, ...left } = rules as Json;
  expect((await run().read(type, id, state)).inputs).toMatchObject({ rules: left });
  await byHand(first!.cidr, String(first!.action));
  const again = await run().read(type, id, state);
  expect(again.inputs).toBeUndefined();
  emulator.clearRequests();
  expect((await run().read(type, id, again.state)).state).toEqual(again.state);
  expect(reads()).toBeLessThan(few);
});

it("keeps the state of an earlier version as it is, until the next write", async () => {
  const { id, state } = await create();
  const earlier = withoutIds(state);
  const found = await run().read(type, id, earlier);
  expect(found.state).toEqual(earlier);
  expect(reads()).toBe(pages);
  expect((await run().hooks(type).diff(id, plain(earlier), args)).changes).toBe(false);
});

it.each([
  ["is exclusive", { exclusive: true }],
  [
    "has many ranges",
    { rules: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`192.0.${i}.0/24`, "allow"])) },
  ],
])("is read from the list where it %s, and records no ids", async (_, more) => {
  const { id, state } = await create(more);
  expect(state).not.toHaveProperty("__ruleIds");
  emulator.clearRequests();
  await run().read(type, id, state);
  expect(reads()).toBe(pages);
});

it("takes no more single reads than pages for all sets of a process together", async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `ipp_${i}`);
  await emulator.seed({ ip_policies: ids.map((id) => ({ id })) });
  const maker = run();
  const made = await Promise.all(ids.map((ipPolicyId) => maker.create(type, { ...args, ipPolicyId })));
  await seedOthers();
  emulator.clearRequests();
  const reader = run();
  await Promise.all(made.map(({ id, state }) => reader.read(type, id, state)));
  expect(reads()).toBeLessThanOrEqual(2 * (pages + 1));
});

it("adds about 40 bytes for each rule to the state, and nothing else", async () => {
  const { state } = await create({
    rules: { ...rules, "2001:db8::/32": { action: "deny", description: "x" } },
  });
  const ids = own().map(({ id }) => id);
  expect(state.__ruleIds).toEqual(ids.sort());
  const size = (value: unknown): number => JSON.stringify(value).length;
  expect(size(state) - size(withoutIds(state))).toBeLessThan(20 + 4 * 40);
  const single = await run().update(type, "ipp_own", state, { ...args, summarize: true });
  expect(single.__ruleIds).toHaveLength(Object.keys(rules).length);
});

describe.each(["dynamic", "native"] as const)("through the %s door", (door) => {
  const classes = door === "native" ? nativeClasses : dynamicClasses;
  const program = () => {
    const policy = new classes.IpPolicy("office");
    return new classes.IpPolicyRuleSet("rules", {
      ...{ ipPolicyId: policy.id, exclusive: false },
      rules: { "192.0.2.0/24": "allow", "198.51.100.0/24": { action: "deny", description: "guests" } },
    });
  };

  it("needs no change after it was created and refreshed", async () => {
    const stack = new InProcessStack(
      { apiKey: emulator.apiKey, baseUrl: emulator.baseUrl },
      door === "native" ? { plugin: nativeProcess } : {},
    );
    await stack.up(program);
    await seedOthers();
    const before = plain(stack.resources.rules!);
    emulator.clearRequests();
    await stack.refresh();
    expect(plain(stack.resources.rules!)).toEqual(before);
    expect(reads()).toBeLessThan(pages);
    expect((await stack.preview(program)).changes).toEqual([]);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});
