import { clientWith } from "../../../src/account/account-client";
import { findOrphans, type PlannedCreates } from "../../../src/tools/orphans/find";
import { Inventory } from "../../../src/tools/inventory/inventory";
import type { InventoryObject } from "../../../src/tools/inventory/inventory";
import { readSettings } from "../../../src/provider/settings/read-settings";
import { Http } from "../../../src/provider/http/http";
import { newCreationMark } from "../../../src/schema/metadata";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import type { EngineState } from "../../../src/tools/stack/state";
import type { PendingCreate, StackContents } from "../../../src/tools/inventory/stack";
import { idIn } from "../../../src/provider/http/path";
import { argumentsFrom } from "../../../src/schema/values";
import { modules, moduleSeed } from "../../support/modules";
import { Plugin } from "../../support/plugin";
import { sharedEmulator } from "../../support/emulators";
import { contentsOf } from "../../support/recorded";

const emulator = sharedEmulator();
beforeAll(() => emulator.seed({ ip_policies: [{ id: "ipp_office" }] }));

const urn = (type: string): string =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:${type}::office`;

const resource = (type: string, id: string): InventoryObject => ({
  ...{ urn: urn(type), declaration: declarationOf(type), name: "office", id, args: {}, values: {} },
});

/** A create that an interrupt left open. */
function creating(type: string, inputs: Json, suffix = ""): PendingCreate {
  const resource = { urn: urn(type) + suffix, inputs };
  return contentsOf({ deployment: { pending_operations: [{ type: "creating", resource }] } }, "dev")
    .pending[0]!;
}

/** A stack with a policy, whose rule set was about to be created. */
const contents: StackContents = {
  project: "shop",
  stack: "dev",
  managed: [resource("IpPolicy", "ipp_office")],
  inventory: new Inventory([]),
  urns: new Set([urn("IpPolicy")]),
  pending: [creating("IpPolicyRuleSet", { ipPolicyId: "ipp_office", rules: { "203.0.113.0/24": "allow" } })],
  providers: new Map(),
  states: [],
};

const stamp = (more: object): string =>
  JSON.stringify({ project: "shop", stack: "dev", name: "left", ...more });

function find(stack: StackContents, planned?: PlannedCreates, exclude?: string[]) {
  const settings = readSettings(
    { get: () => undefined },
    {
      TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
      TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    },
  );
  return findOrphans(
    clientWith(settings, () => undefined),
    stack,
    planned,
    () => undefined,
    { exclude },
  );
}

test("a rule set that was not created is no orphan: its id is that of the policy, which the stack manages", async () => {
  const { orphans, outcomes } = await find(contents);
  expect(outcomes.map(({ kind }) => kind)).toEqual(["not created"]);
  expect(orphans).toEqual([]);
});

describe("an event source that was about to replace another one", () => {
  const stack = (id: string): StackContents => ({
    ...contents,
    managed: [...contents.managed, resource("EventSource", id)],
    urns: new Set([...contents.urns, urn("EventSource")]),
    pending: [creating("EventSource", { subscriptionId: "esb_new", type: "a.v0" })],
  });
  beforeAll(() =>
    emulator.seed({
      event_subscriptions: [{ id: "esb_new", sources: [{ type: "a.v0" }] }],
    }),
  );
  const sources = async (id: string) =>
    (await find(stack(id))).orphans.filter(({ type }) => type === "EventSource").map((each) => each.id);

  test("is an orphan while the stack has the one that it replaces", async () => {
    expect(await sources("esb_old/a.v0")).toEqual(["esb_new/a.v0"]);
  });

  test("is no orphan once the stack has it", async () => {
    expect(await sources("esb_new/a.v0")).toEqual([]);
  });
});

test("the keys of a rotating key are no orphans, and one that a killed create left is", async () => {
  await emulator.seed({
    api_keys: [
      { id: "ak_current", description: "ci" },
      { id: "ak_previous", description: "ci" },
      { id: "ak_left", description: "new", metadata: newCreationMark() },
    ],
  });
  const keys = { keyId: "ak_current", previousKeyId: "ak_previous" };
  const args = { description: "new", rotateAfterDays: 30, overlapDays: 3 };
  const { orphans, outcomes } = await find({
    ...contents,
    managed: [{ ...resource("RotatingApiKey", "ak_first"), values: keys }],
    pending: [creating("RotatingApiKey", args, "2")],
  });
  const ids = orphans.map(({ id }) => id);
  expect(ids).toContain("ak_left");
  expect(ids.filter((id) => ["ak_current", "ak_previous"].includes(id))).toEqual([]);
  expect(outcomes).toMatchObject([{ kind: "secret lost", objects: [{ id: "ak_left" }] }]);
});

test("the key of a rotating key is no orphan if its creation failed in part: the state has only its id", async () => {
  await emulator.seed({ api_keys: [{ id: "ak_first", description: "ci", metadata: newCreationMark() }] });
  const managed = [{ ...resource("RotatingApiKey", "ak_first"), values: { description: "ci" } }];
  const { orphans } = await find({ ...contents, managed });
  expect(orphans.map(({ id }) => id)).not.toContain("ak_first");
});

const known = (ours: number): number => ours;

test.each([
  ["older, where the clock that dates objects is behind that of the answers", known, -2_100, -1_900],
  ["newer, where it is ahead", known, 2_100, 1_900],
  ["older, where no answer shows the time", () => undefined, -62_100, -61_900],
  ["newer, where no answer shows it", () => undefined, 62_100, 61_900],
])("an equal object is not of a failed update: %s", async (description, serverTime, other, lost) => {
  const now = Date.now();
  await emulator.seed({
    ip_policies: [other, lost].map((after) => ({
      ...{ id: `ipp_${after + 1e6}`, description, created_at: new Date(now + after).toISOString() },
    })),
  });
  jest.spyOn(Http.prototype, "serverTime").mockImplementation(serverTime);
  const planned = {
    creates: [creating("IpPolicy", { description }, "-lost")],
    time: { from: now, until: now },
  };
  const { outcomes } = await find(contents, planned);
  jest.restoreAllMocks();
  expect(outcomes.find(({ pending }) => pending.name === "office-lost")).toMatchObject({
    kind: "created",
    object: { id: `ipp_${lost + 1e6}` },
  });
});

test("an orphan says by its stamp whose it is, and its name where it has no description", async () => {
  const marks = {
    ak_own: stamp({}),
    ak_project: stamp({ project: "bank" }),
    ak_stack: stamp({ stack: "prod" }),
    ak_marked: newCreationMark(stamp({})),
    ak_text: "shop dev",
  };
  const keys = Object.entries(marks).map(([id, metadata]) => ({ id, metadata }));
  await emulator.seed({ bot_users: [{ id: "bot_left", name: "ci" }], api_keys: keys });
  const { orphans } = await find({ ...contents, pending: [] });
  const found = orphans.filter(({ id }) => Object.hasOwn(marks, id));
  expect(Object.fromEntries(found.map(({ id, stamp, own }) => [id, [stamp?.stack, own]]))).toEqual({
    ...{ ak_own: ["dev", true], ak_project: ["dev", false], ak_stack: ["prod", false] },
    ...{ ak_marked: ["dev", true], ak_text: [undefined, false] },
  });
  expect(orphans.find(({ id }) => id === "bot_left")).toMatchObject({ description: "ci" });
});

test("an object whose id no request can hold is no orphan", async () => {
  await emulator.seed({ bot_users: [{ id: "..", name: "odd" }] });
  const { orphans } = await find({ ...contents, pending: [] });
  expect(orphans.filter(({ description }) => description === "odd")).toEqual([]);
});

test("a planned create that has made nothing is no news", async () => {
  const planned = {
    creates: [creating("IpPolicy", { description: "never made" }, "-new")],
    time: { from: Date.now(), until: Date.now() },
  };
  expect((await find({ ...contents, pending: [] }, planned)).outcomes).toEqual([]);
});

describe("what a killed plugin has created at a path of its own", () => {
  const { ip_policies: _, ...others } = moduleSeed;
  beforeAll(() => emulator.seed(others));

  test.each(Object.values(modules))("is found for the planned create: $type", async ({ type, args }) => {
    await Plugin.for(emulator).create(type, args);
    const now = Date.now();
    const planned = { creates: [creating(type, args, "-lost")], time: { from: now, until: now } };
    const id = idIn(declarationOf(type).path, argumentsFrom(args));
    // A create that is planned again is one.
    for (const pending of [[], planned.creates]) {
      const { orphans, outcomes } = await find({ ...contents, pending }, planned);
      const own = orphans.filter((each) => each.type === type && each.createdFor === "office-lost");
      expect(own).toMatchObject([{ id }]);
      expect(outcomes).toMatchObject([{ kind: "created", object: { id } }]);
    }
  });
});

describe("a rule that somebody has added to the policy of a rule set", () => {
  const rules = { "203.0.113.0/24": "allow" };
  const stack = (outputs: Json): StackContents => ({
    ...contents,
    managed: [
      ...contents.managed,
      { ...resource("IpPolicyRuleSet", "ipp_office"), values: { ipPolicyId: "ipp_office", ...outputs } },
    ],
    pending: [],
  });
  const ruleOrphans = async (outputs: Json) =>
    (await find(stack(outputs))).orphans.filter(({ type }) => type === "IpPolicyRule");
  beforeAll(() =>
    emulator.seed({
      ip_policy_rules: [
        { id: "ipr_own", ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "allow" },
        { id: "ipr_hand", ip_policy_id: "ipp_office", cidr: "0.0.0.0/0", action: "allow" },
      ],
    }),
  );

  test("is named with its range, and with the set that will remove it", async () => {
    expect(await ruleOrphans({ rules })).toMatchObject([
      { id: "ipr_hand", description: "0.0.0.0/0 allow", driftOf: "IpPolicyRuleSet office" },
    ]);
  });

  test("is nobody's where the set leaves other rules alone", async () => {
    expect(await ruleOrphans({ rules, exclusive: false })).toMatchObject([
      { id: "ipr_hand", driftOf: undefined },
    ]);
  });

  test("is managed by another set of the policy that records it", async () => {
    const set = { ...resource("IpPolicyRuleSet", "ipp_office"), urn: `${urn("IpPolicyRuleSet")}2` };
    const { managed, ...others } = stack({ rules: { "0.0.0.0/0": "allow" }, exclusive: false });
    const second = { ...set, values: { ipPolicyId: "ipp_office", rules, exclusive: false } };
    const { orphans } = await find({ ...others, managed: [...managed, second] });
    expect(orphans.filter(({ type }) => type === "IpPolicyRule")).toEqual([]);
  });

  test("is none where an update that was killed has changed a rule of a summarized set", async () => {
    const outputs = { ipPolicyId: "ipp_office", summarize: true, exclusive: false };
    const entry = { action: "deny" };
    const { managed, ...others } = stack({});
    const withIds = (ids: readonly string[]): StackContents => {
      const [policy, set] = managed;
      const rules = { "203.0.113.0/24": entry };
      const record = { outputs: { ...outputs, rules, __ruleIds: ids } } as unknown as EngineState;
      return { ...others, managed: [policy!, { ...set!, values: { ...outputs, rules }, record }] };
    };
    const idsFor = async (ids: readonly string[]) =>
      (await find(withIds(ids))).orphans.flatMap(({ type, id }) => (type === "IpPolicyRule" ? [id] : []));
    expect(await idsFor(["ipr_own"])).toEqual(["ipr_hand"]);
    expect(await idsFor([])).toEqual(["ipr_hand", "ipr_own"]);
  });

  test("is no drift where an interrupted create of the stack has made it", async () => {
    const rule = { ipPolicyId: "ipp_office", cidr: "0.0.0.0/0", action: "allow" };
    const { orphans } = await find({
      ...stack({ rules }),
      pending: [creating("IpPolicyRule", rule, "-all")],
    });
    expect(orphans.find(({ id }) => id === "ipr_hand")).toMatchObject({
      createdFor: "office-all",
      driftOf: undefined,
    });
  });

  test("is managed once a refresh has recorded it", async () => {
    expect(await ruleOrphans({ rules: { ...rules, "0.0.0.0/0": "allow" } })).toEqual([]);
  });
});

test("what the user excludes is counted by class, but neither drift nor what the stack created is excluded", async () => {
  const metadata = JSON.stringify({ "owned-by": "operator" });
  await emulator.seed({
    ip_policies: [
      { id: "ipp_theirs", metadata },
      { id: "ipp_made", description: "made", metadata },
    ],
    ip_policy_rules: [
      { id: "ipr_theirs", ip_policy_id: "ipp_theirs", cidr: "10.0.0.0/8", action: "allow" },
      { id: "ipr_drift", ip_policy_id: "ipp_office", cidr: "10.0.0.0/8", action: "allow", metadata },
    ],
  });
  const set = {
    ...resource("IpPolicyRuleSet", "ipp_office"),
    values: { rules: {}, exclusive: true },
  };
  const stack = {
    ...contents,
    managed: [...contents.managed, set],
    pending: [creating("IpPolicy", { description: "made", metadata }, "-made")],
  };
  const ids = async (exclude: string[]) => {
    const { orphans, excluded } = await find(stack, undefined, exclude);
    const named = ["ipp_theirs", "ipp_made", "ipr_theirs", "ipr_drift"];
    return { excluded, orphans: orphans.map(({ id }) => id).filter((id) => named.includes(id)) };
  };
  expect(await ids([])).toEqual({
    excluded: {},
    orphans: expect.arrayContaining(["ipp_theirs", "ipp_made", "ipr_theirs", "ipr_drift"]) as unknown,
  });
  const left = await ids(["metadata.owned-by=*"]);
  expect(left.orphans.sort()).toEqual(["ipp_made", "ipr_drift"]);
  expect(left.excluded).toEqual({ IpPolicy: 1, IpPolicyRule: 1 });
});

test("a rule set whose create was interrupted is one, once its rules are there", async () => {
  const rules = { "198.51.100.0/24": "allow" };
  await emulator.seed({
    ip_policies: [{ id: "ipp_set" }],
    ip_policy_rules: [{ id: "ipr_set", ip_policy_id: "ipp_set", cidr: "198.51.100.0/24", action: "allow" }],
  });
  const managed = [...contents.managed, resource("IpPolicy", "ipp_set")];
  const pending = [creating("IpPolicyRuleSet", { ipPolicyId: "ipp_set", rules })];
  const { orphans } = await find({ ...contents, managed, pending });
  expect(orphans.filter(({ id }) => id === "ipp_set")).toMatchObject([{ type: "IpPolicyRuleSet" }]);
});
