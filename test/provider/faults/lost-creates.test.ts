import type { FaultRule } from "../../../src/emulator";
import type { Json } from "../../../src/schema/json";
import { secretsOfCreation } from "../../../src/schema/secrets";
import { stampText } from "../../../src/schema/metadata";
import { UndecidedError } from "../../../src/provider/errors";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import { matchPending } from "../../../src/tools/orphans/match";
import { accountObject } from "../../../src/tools/inventory/account-contents";
import type { StackContents } from "../../../src/tools/inventory/stack";
import { declarationOf, declarations } from "../../../src/resources/registry";
import { Plugin, arrived, hasty, requestsTo } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { plain } from "../../support/in-process/values";
import { contentsOf } from "../../support/recorded";
import { failureOf } from "../../support/failure";

const emulator = emulatorForTests();
let plugin: Plugin;

beforeEach(() => {
  plugin = Plugin.for(emulator);
});

const onPost = (rule: Partial<FaultRule> & Pick<FaultRule, "kind">, times = 1): void =>
  emulator.setFaults({ rules: [{ method: "POST", times, ...rule }] });
const keys = () => emulator.snapshot().api_keys!;
const policies = () => emulator.snapshot().ip_policies!;
const create = (description?: string) =>
  plugin.create("IpPolicy", description === undefined ? {} : { description });

/** Creates a key, and stops for ever between the two requests. */
const killedKey = async (inputs: Json): Promise<string> => {
  emulator.setFaults({ rules: [{ kind: "hang", method: "PATCH", delayMs: 60_000 }] });
  const victim = Plugin.for(
    emulator,
    {},
    { timing: { ...hasty, sleep: () => new Promise(() => undefined) } },
  );
  void victim.create("ApiKey", inputs).catch(() => undefined);
  await arrived(emulator, ({ method }) => method === "PATCH");
  emulator.setFaults();
  emulator.clearRequests();
  expect(keys()).toMatchObject([{ metadata: expect.stringMatching(/creation /) as string }]);
  return keys()[0]!.id as string;
};

// What is searched for, when and how often: test/provider/life-cycle/lost-creates.test.ts.
test("a create whose answer is lost takes over the one object that is new and equal", async () => {
  await emulator.seed({
    ip_policies: [{ id: "ipp_old", description: "x", created_at: "2020-01-01T00:00:00Z" }],
  });
  onPost({ kind: "dropAfter" });
  const { id } = await create("x");
  expect(id).not.toBe("ipp_old");
  expect(
    policies()
      .map((policy) => policy.id)
      .sort(),
  ).toEqual([id, "ipp_old"].sort());
  expect(requestsTo(emulator)).toEqual(["POST /ip_policies", "GET /ip_policies?limit=100"]);
});

test("an object that the service made right away is found where the answer is lost long after", async () => {
  let waited = 0;
  const slow = {
    ...hasty,
    now: () => Date.now() + waited,
    elapsed: () => {
      if (waited === 0 && policies().length > 0) emulator.advanceClock((waited = 20_000));
      return hasty.elapsed();
    },
  };
  plugin = Plugin.for(emulator, {}, { timing: slow });
  onPost({ kind: "dropAfter" });
  const { id } = await create("x");
  expect(policies()).toMatchObject([{ id }]);
});

test("an object of the first request is found though a second one was lost meanwhile", async () => {
  let waited = 0;
  const madeAt = new Date().toISOString();
  const late = {
    ...hasty,
    now: () => Date.now() + waited,
    sleep: async () => {
      emulator.advanceClock(20_000);
      waited += 20_000;
      if (waited === 40_000)
        await emulator.seed({ ip_policies: [{ id: "ipp_late", description: "x", created_at: madeAt }] });
    },
  };
  plugin = Plugin.for(emulator, {}, { timing: late });
  onPost({ kind: "dropBefore" }, 2);
  expect((await create("x")).id).toBe("ipp_late");
  expect(policies()).toHaveLength(1);
});

describe.each([408, 500])("a create that the service answers with %i", (status) => {
  test("takes over the object that it made all the same", async () => {
    onPost({ kind: "status", status, afterWork: true });
    const { id } = await create("x");
    expect(policies()).toMatchObject([{ id }]);
  });

  test("fails after one look for what it made, and is not repeated", async () => {
    onPost({ kind: "status", status });
    await expect(create("x")).rejects.toThrow(new RegExp(`^creating the IP policy failed: ${status} [^;]*$`));
    expect(requestsTo(emulator)).toEqual(["POST /ip_policies", "GET /ip_policies?limit=100"]);
  });

  test("leaves no key that no one manages", async () => {
    onPost({ kind: "status", status, afterWork: true });
    await expect(plugin.create("ApiKey", {})).rejects.toThrow(`creating the API key failed: ${status}`);
    expect(keys()).toEqual([]);
  });
});

test("a create that was lost before the work is made once, after two looks", async () => {
  onPost({ kind: "dropBefore" });
  await create("x");
  expect(policies()).toHaveLength(1);
  const looks = requestsTo(emulator).filter((line) => line.startsWith("GET"));
  expect(looks).toHaveLength(2);
});

describe.each([400, 409, 422])("an equal object that the service refuses with %i", (status) => {
  const rule = { ipPolicyId: "ipp_a", cidr: "10.0.0.0/8", action: "allow" };
  const equal = { id: "ipr_equal", ip_policy_id: "ipp_a", cidr: "10.0.0.0/8", action: "deny" };
  const refuse = (times: number): FaultRule => ({ kind: "status", status, method: "POST", times });

  test("is named, with the three ways out", async () => {
    await emulator.seed({ ip_policies: [{ id: "ipp_a" }], ip_policy_rules: [equal] });
    emulator.setFaults({ rules: [refuse(1)] });
    const refusal = await plugin.create("IpPolicyRule", rule).catch(({ message }: Error) => message);
    expect(refusal).toContain(`creating the IP policy rule failed: ${status}`);
    expect(refusal).toContain("The IP policy rule ipr_equal has this cidr and ipPolicyId.");
    for (const way of ["aliases", "deleteBeforeReplace", "import"]) expect(refusal).toContain(way);
    expect(emulator.snapshot().ip_policy_rules).toHaveLength(1);
  });

  test("is that of the lost create where it came after it", async () => {
    await emulator.seed({ ip_policies: [{ id: "ipp_a" }] });
    emulator.setFaults({ rules: [{ kind: "dropBefore", method: "POST", times: 1 }, refuse(1)] });
    let looks = 0;
    const late = {
      ...hasty,
      sleep: async () => {
        if (++looks === 2)
          await emulator.seed({ ip_policy_rules: [{ ...equal, id: "ipr_late", action: "allow" }] });
      },
    };
    plugin = Plugin.for(emulator, {}, { timing: late });
    expect((await plugin.create("IpPolicyRule", rule)).id).toBe("ipr_late");
  });

  test("is no explanation where there is none", async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_a" }, { id: "ipp_b" }],
      ip_policy_rules: [{ ...equal, ip_policy_id: "ipp_b" }],
    });
    emulator.setFaults({ rules: [refuse(1)] });
    const refusal = await plugin.create("IpPolicyRule", rule).catch(({ message }: Error) => message);
    expect(refusal).not.toContain("ipr_equal");
    if (status !== 409) expect(refusal).not.toContain("aliases");
  });
});

test("equal creates that are lost together share what they made, one to one", async () => {
  onPost({ kind: "dropAfter" }, 3);
  const made = await Promise.all([create("same"), create("same"), create("same"), create("same")]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(4);
  expect(policies()).toHaveLength(4);
});

test("a lost create takes nothing that another create of the process made, equal or not", async () => {
  onPost({ kind: "dropAfter" }, 4);
  const made = await Promise.all([create(), create("a"), create("b"), create(), create("a"), create()]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(6);
  expect(policies()).toHaveLength(6);
  for (const { id, state } of made) {
    expect(policies().find((policy) => policy.id === id)!.description ?? "").toBe(state.description ?? "");
  }
});

test("a create that begins while another one is looked for waits, so that it cannot be mistaken for it", async () => {
  emulator.setFaults({
    rules: [
      { kind: "dropBefore", method: "POST", times: 1 },
      { kind: "slow", method: "GET", path: "/ip_policies", delayMs: 60, times: 1 },
    ],
  });
  const first = create("same");
  await arrived(emulator, ({ method }) => method === "GET");
  const [a, b] = await Promise.all([first, create("same")]);
  expect(a.id).not.toBe(b.id);
  expect(policies()).toHaveLength(2);
});

test("more candidates than lost creates are an error that names them, and nothing is deleted", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_stranger", description: "same" }] });
  onPost({ kind: "dropAfter" });
  const failure = await failureOf(create("same"));
  expect(failure).toBeInstanceOf(UndecidedError);
  for (const { id } of policies()) expect(failure.message).toContain(id);
  expect(failure.message).toMatch(
    /Check which one it is; import it, or delete it.*tunnel-gateway orphans --stack/,
  );
  expect(policies()).toHaveLength(2);
});

test.each<[string, (state: Json) => Promise<unknown>]>([
  ["read", (state) => plugin.read("IpPolicy", "ipp_known", state)],
  ["compared", (state) => plugin.hooks("IpPolicy").diff("ipp_known", state, { description: "same" })],
])("what the process has %s is known to be another resource's", async (_, meet) => {
  await emulator.seed({ ip_policies: [{ id: "ipp_known", description: "same" }] });
  const { state } = await Plugin.for(emulator).read("IpPolicy", "ipp_known", {});
  await meet(state);
  onPost({ kind: "dropBefore" });
  expect((await create("same")).id).not.toBe("ipp_known");
});

describe("a key whose creation was not answered", () => {
  const marks = () => keys().filter(({ metadata }) => String(metadata).includes("creation"));

  test.each(["truncate", "dropAfter", "garbage"] as const)(
    "leaves no second key in the account (%s)",
    async (kind) => {
      onPost({ kind });
      const { id, state } = await plugin.create("ApiKey", { description: "key", metadata: "wanted" });
      expect(state.token).toEqual(expect.any(String));
      expect(keys().map((key) => [key.id, key.description, key.metadata])).toEqual([[id, "key", "wanted"]]);
      expect(requestsTo(emulator).filter((line) => line.startsWith("DELETE"))).toHaveLength(1);
    },
  );

  test("is deleted also where the service creates it after the search", async () => {
    onPost({ kind: "dropBefore" });
    let mark = "";
    plugin = Plugin.for(
      emulator,
      {},
      {
        timing: {
          ...hasty,
          sleep: async () => {
            const sent = emulator.requests.find(({ method }) => method === "POST");
            mark = (sent!.body as { metadata: string }).metadata;
            // The second look has passed when the pause before the next attempt begins.
            if (requestsTo(emulator).filter((line) => line.startsWith("GET")).length === 2 && !keys().length)
              await emulator.seed({ api_keys: [{ id: "ak_late", metadata: mark }] });
          },
        },
      },
    );
    const { id } = await plugin.create("ApiKey", {});
    expect(mark).toMatch(/creation [0-9a-f-]{36}$/);
    expect(keys().map((key) => key.id)).toEqual([id]);
    expect(marks()).toEqual([]);
  });

  test("touches no other key, however equal", async () => {
    await emulator.seed({ api_keys: [{ id: "ak_stranger", description: "key" }] });
    onPost({ kind: "dropAfter" });
    const { id } = await plugin.create("ApiKey", { description: "key" });
    expect(
      keys()
        .map((key) => key.id)
        .sort(),
    ).toEqual([id, "ak_stranger"].sort());
    const deletes = requestsTo(emulator).filter((line) => line.startsWith("DELETE"));
    expect(deletes).toHaveLength(1);
    expect(deletes[0]).not.toContain("ak_stranger");
  });

  test("is named by its mark where the search for it fails", async () => {
    emulator.setFaults({
      rules: [
        { kind: "dropAfter", method: "POST", times: 1 },
        { kind: "status", status: 500, method: "GET" },
      ],
    });
    const failure = await failureOf(plugin.create("ApiKey", {}));
    expect(failure).toBeInstanceOf(UndecidedError);
    const [{ metadata }] = keys() as [{ metadata: string }];
    expect(failure.message).toContain(JSON.stringify(metadata));
  });

  test("is named where it cannot be deleted", async () => {
    emulator.setFaults({
      rules: [
        { kind: "dropAfter", method: "POST", times: 1 },
        { kind: "status", status: 403, method: "DELETE" },
      ],
    });
    const failure = await failureOf(plugin.create("ApiKey", {}));
    expect(failure).toBeInstanceOf(UndecidedError);
    const [{ id }] = keys() as [{ id: string }];
    expect(failure.message).toMatch(new RegExp(`${id} was created, and its secret is lost.*403`));
  });
});

describe("a key of a process that was killed before it set the wanted metadata", () => {
  const args = { description: "key", metadata: "wanted" };
  const urnOfKey = "urn:pulumi:s::p::pulumi-nodejs:dynamic/tunnel-gateway:ApiKey::key";
  const stack = (inputs: Json): StackContents =>
    contentsOf(
      { deployment: { pending_operations: [{ type: "creating", resource: { urn: urnOfKey, inputs } }] } },
      "s",
    );

  const orphansOf = (inputs: Json) =>
    matchPending(
      stack(inputs),
      keys().map((answer) => accountObject(declarationOf("ApiKey"), answer.id as string, answer)),
      plugin.settings,
    );

  test.each([[args], [{ description: "key" }]])(
    "is named by orphans as one whose secret is lost: %j",
    async (inputs) => {
      const id = await killedKey(inputs);
      await emulator.seed({ api_keys: [{ id: "ak_stranger", description: "another" }] });
      expect(orphansOf(inputs)).toMatchObject([{ kind: "secret lost", objects: [{ id }] }]);
    },
  );

  test("is left alone by the next up without a stamp, because it may be in use elsewhere", async () => {
    const id = await killedKey(args);
    const next = await plugin.create("ApiKey", args);
    expect(keys().map((key) => key.id)).toEqual([id, next.id]);
    expect(requestsTo(emulator).map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH"]);
  });

  test("is deleted by the next up where its stamp names the resource", async () => {
    const stamped = (name: string) => ({
      description: "key",
      metadata: stampText({ project: "p", stack: "s", name }),
      __urn: `urn:pulumi:s::p::pulumi-nodejs:dynamic/tunnel-gateway:ApiKey::${name}`,
    });
    const id = await killedKey(stamped("pipeline"));
    expect(orphansOf(stamped("pipeline"))).toMatchObject([{ kind: "secret lost", objects: [{ id }] }]);
    const other = await plugin.create("ApiKey", stamped("another"));
    expect(keys().map((key) => key.id)).toEqual([id, other.id]);
    const next = await plugin.create("ApiKey", stamped("pipeline"));
    expect(keys().map((key) => key.id)).toEqual([other.id, next.id]);
    expect(keys().map((key) => key.metadata)).toEqual([
      stamped("another").metadata,
      stamped("pipeline").metadata,
    ]);
    expect(next.state.token).toEqual(expect.any(String));
  });
});

describe("keys of one name and stamp that are created at once", () => {
  const type = "pulumi-nodejs:dynamic/tunnel-gateway:ApiKey";
  const metadata = stampText({ project: "p", stack: "s", name: "ci" });
  const rotation = { rotateAfterDays: 30, overlapDays: 3 };
  const resources: [string, Json][] = [
    ["ApiKey", { __urn: `urn:pulumi:s::p::${type}::ci` }],
    ["ApiKey", { __urn: `urn:pulumi:s::p::shop:index:Team$${type}::ci` }],
    ["RotatingApiKey", { ...rotation, __urn: `urn:pulumi:s::p::${type.replace("Api", "RotatingApi")}::ci` }],
    ["ApiKey", {}],
    ["ApiKey", {}],
  ];

  test.each<[string, FaultRule[]]>([
    ["", []],
    [", though answers are lost", [{ kind: "dropAfter", method: "POST", times: 3 }]],
    [
      ", though a gateway answers",
      [{ kind: "status", status: 504, method: "POST", afterWork: true, times: 2 }],
    ],
  ])("are all there, each once%s", async (_, rules) => {
    emulator.setFaults({ rules });
    const made = await Promise.all(
      resources.map(([of, args]) => plugin.create(of, { metadata, description: "ci", ...args })),
    );
    expect(
      keys()
        .map(({ id }) => String(id))
        .sort(),
    ).toEqual(made.map(({ id, state }) => (state.keyId as string | undefined) ?? id).sort());
    expect(new Set(keys().map((key) => key.metadata))).toEqual(new Set([metadata]));
  });

  test("leave the key of another one that was killed, and delete their own", async () => {
    const [one, other] = resources.map(([, args]) => ({ metadata, ...args }));
    const left = await killedKey(one!);
    const second = await plugin.create("ApiKey", other!);
    expect(keys().map(({ id }) => id)).toEqual([left, second.id]);
    const first = await plugin.create("ApiKey", one!);
    expect(keys().map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});

describe("a key whose wanted metadata does not get through", () => {
  const failing = async (args: Json) => {
    emulator.setFaults({ rules: [{ kind: "status", status: 500, method: "PATCH" }] });
    const failure = await failureOf<unknown>(plugin.hooks("ApiKey").create(args));
    emulator.setFaults();
    expect(failure).toBeInstanceOf(PartialFailure);
    const { id, properties } = failure as PartialFailure;
    expect(emulator.snapshot().api_keys).toMatchObject([
      { id, metadata: expect.stringMatching(/^pulumi-tunnel-gateway creation /) as string },
    ]);
    return { id, state: plain(properties) };
  };

  test.each([[{ metadata: "wanted" }], [{}]])("is repaired by the next up: %j", async (args: Json) => {
    const { id, state } = await failing(args);
    expect(state.token).toEqual(expect.any(String));
    expect(await plugin.hooks("ApiKey").diff(id, state, args)).toMatchObject({ changes: true, replaces: [] });
    const updated = await plugin.update("ApiKey", id, state, args);
    expect(updated.token).toBe(state.token);
    expect(emulator.snapshot().api_keys).toMatchObject([{ id, metadata: args.metadata ?? "" }]);
    expect(await plugin.hooks("ApiKey").diff(id, updated, args)).toMatchObject({ changes: false });
  });

  test.each([[{ metadata: "wanted" }], [{}]])(
    "is drift to a refresh, which the next up repairs: %j",
    async (args: Json) => {
      const { id, state } = await failing(args);
      const found = await plugin.read("ApiKey", id, state);
      expect(found.state.token).toBe(state.token);
      expect(found.inputs).toMatchObject({ metadata: expect.stringMatching(/creation/) as string });
      const { changes } = await plugin.hooks("ApiKey").diff(id, found.state, args);
      expect(changes).not.toBe(false);
      const updated = await plugin.update("ApiKey", id, found.state, args);
      expect(updated.token).toBe(state.token);
      expect(emulator.snapshot().api_keys).toMatchObject([{ id, metadata: args.metadata ?? "" }]);
      const again = await plugin.read("ApiKey", id, updated);
      expect(again.inputs).toBeUndefined();
    },
  );
});

test("every declaration with a secret that only creation returns can carry the mark", () => {
  const needy = declarations.filter(({ fields }) => secretsOfCreation(fields).length > 0);
  expect(needy.map(({ type }) => type)).toEqual(["ApiKey", "RotatingApiKey"]);
  for (const { fields } of needy) {
    expect(fields.metadata).toMatchObject({ presence: "optional", shape: { kind: "string" } });
    expect(fields.metadata!.traits.replace).toBeUndefined();
  }
});

test("a lost answer that asks for more time than there is does not end the search for the object", async () => {
  const gateway = { kind: "status", status: 503, retryAfter: 3600, afterWork: true } as const;
  onPost(gateway);
  const { id } = await create("x");
  expect(policies()).toMatchObject([{ id }]);
  onPost(gateway);
  await expect(plugin.create("ApiKey", {})).rejects.toThrow(/ failed: 503 ERR_INJECTED: [^;]*$/);
  expect(keys()).toEqual([]);
});

test("where the search fails too the error says that the object may exist", async () => {
  emulator.setFaults({
    rules: [
      { kind: "dropAfter", method: "POST", times: 1 },
      { kind: "status", status: 500, method: "GET" },
    ],
  });
  await expect(create("x")).rejects.toThrow(
    /It is not known whether it was created, because the search for it failed too: .*500.*before you run pulumi up again/,
  );
  emulator.setFaults();
  // The collection is not blocked for ever.
  await create("y");
});

test.each([502, 503, 504])("a %d in the service's own words is a lost answer too", async (status) => {
  onPost({ kind: "status", status, afterWork: true });
  const { id } = await create("x");
  expect(policies().map((policy) => policy.id)).toEqual([id]);
  expect(requestsTo(emulator)).toEqual(["POST /ip_policies", "GET /ip_policies?limit=100"]);
});
