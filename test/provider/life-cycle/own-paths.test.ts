/** What Pulumi asks for when a replacement goes wrong: the calls that its engine makes. */
import { Deployment } from "../../../src/provider/deployment";
import { Plugin } from "../../support/plugin";
import { plain } from "../../support/in-process/values";
import { emulatorForTests } from "../../support/emulators";
import { modules, modulePaths, moduleSeed, route } from "../../support/modules";
import { sshLine } from "../../support/ssh";
import { failureOf } from "../../support/failure";
import { temporaryFolder } from "../../support/folders";
import { idIn, namesIn } from "../../../src/provider/http/path";
import { declarationOf } from "../../../src/resources/registry";
import type { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import type { LifeCycle } from "../../../src/provider/life-cycle/life-cycle";
import type { Json } from "../../../src/schema/json";
import { unknown } from "../../../src/schema/unknown";
import { argumentsFrom } from "../../../src/schema/values";

const emulator = emulatorForTests();
beforeEach(() => emulator.seed({ ...moduleSeed, ip_policies: [{ id: "ipp_office" }, { id: "ipp_other" }] }));

const sshKey = (count: number) => sshLine("ssh-ed25519", Buffer.alloc(32, `key ${count} `));

/** Another process of the provider, which is another run of pulumi. */
const run = () => Plugin.for(emulator);

/** The processes of two providers of one deployment. */
function providers(): [Plugin, Plugin] {
  const folder = temporaryFolder("deployment");
  const [one, two] = [process.pid, process.ppid].map((writer) =>
    Plugin.for(emulator, {}, { deployment: new Deployment(folder, "127.0.0.1_1", writer) }),
  );
  return [one!, two!];
}
const other: Record<string, Json> = {
  oidc: route("three"),
  oauth: route("four"),
  webhook: route("three"),
  restriction: { edgeId: "tls2" },
  source: { type: "ip_policy_updated.v0" },
};
/** Changes of an object where it is. */
const changed: Record<string, Json> = {
  oidc: { issuer: "https://changed.example.com" },
  webhook: { secret: "another secret" },
  restriction: { ipPolicyIds: ["ipp_other"] },
};
const cases = Object.values(modules).map(({ name, type, args }, i) => ({
  ...{ name, type, args, path: modulePaths[i]! },
  moved: { ...args, ...other[name] } as Json,
}));
const writes = () =>
  emulator.requests.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);

/** Asks as the engine does for a replacement: check and diff with the old values, check without them. */
async function planned(hooks: LifeCycle, old: { id: string; state: Json }, olds: Json, news: Json) {
  const { inputs } = await hooks.check(olds, news);
  const diff = await hooks.diff(old.id, old.state, plain(inputs));
  return { diff, inputs: plain((await hooks.check({}, news)).inputs) };
}

describe.each(cases)("$type", ({ name, type, args, moved, path }) => {
  const create = async (hooks: LifeCycle, inputs: Json) => {
    const { id, outs } = await hooks.create(inputs);
    return { id, state: plain(outs) };
  };
  let old: { id: string; state: Json };
  beforeEach(async () => {
    old = await create(run().hooks(type), args);
    emulator.clearRequests();
  });
  const stands = async () => (await fetchOf(path)).status === 200;
  const fetchOf = (at: string) =>
    fetch(emulator.baseUrl + at, {
      headers: { Authorization: `Bearer ${emulator.apiKey}`, "service-version": "2" },
    });

  it("is created at another path before the old one is deleted", async () => {
    const plugin = run();
    const { diff } = await planned(plugin.hooks(type), old, args, moved);
    expect(diff.deleteBeforeReplace).toBe(false);
  });

  it("stands after a replacement that deleted it and is taken back: create, then delete of its path", async () => {
    await run().hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(false);
    const plugin = run();
    const { inputs } = await planned(plugin.hooks(type), old, args, args);
    await plugin.hooks(type).create(inputs);
    await plugin.hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(true);
    expect(plugin.lines).toEqual([
      expect.stringMatching(/: was not deleted, because the program declares this .*: it stays as declared/),
    ]);
  });

  it("is kept where a transform deletes it first, and updated in its place", async () => {
    const plugin = run();
    const { inputs } = await planned(plugin.hooks(type), old, args, args);
    await plugin.hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(true);
    await plugin.hooks(type).create(inputs);
    expect(writes()).toEqual(type === "EventSource" ? [] : [`PUT ${path}`]);
  });

  it("stands until its replacement exists where a transform deletes it first", async () => {
    const plugin = run();
    const { inputs } = await planned(plugin.hooks(type), old, args, moved);
    await plugin.hooks(type).delete(old.id, old.state);
    expect(writes()).toEqual([]);
    expect(plugin.lines.at(-1)).toContain(`${old.id}: is not deleted yet`);
    const made = await create(plugin.hooks(type), inputs);
    const [first, ...rest] = writes();
    expect(first).toMatch(/^P(UT|OST) /);
    expect(rest).toEqual([`DELETE ${path}`]);
    expect(made.id).not.toBe(old.id);
  });

  it("is deleted first where its next path is unknown, because what it is a part of is deleted first", async () => {
    const plugin = run();
    const [owner = ""] = namesIn(declarationOf(type).path);
    await planned(plugin.hooks(type), old, args, { ...args, [owner]: unknown });
    await plugin.hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(false);
  });

  it("stands where a transform deletes it first and its replacement is refused, also after that is taken back", async () => {
    const plugin = run();
    const { inputs } = await planned(plugin.hooks(type), old, args, moved);
    await plugin.hooks(type).delete(old.id, old.state);
    emulator.setFaults({
      rules: ["PUT", "POST"].map((method) => ({ kind: "status", method, status: 422, times: 1 })),
    });
    await expect(plugin.hooks(type).create(inputs)).rejects.toThrow("422");
    expect(writes().some((line) => line.startsWith("DELETE"))).toBe(false);
    emulator.setFaults();
    const back = run();
    const again = await planned(back.hooks(type), old, args, args);
    await back.hooks(type).create(again.inputs);
    await back.hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(true);
  });

  it("is named where a transform deletes it first and the service refuses that", async () => {
    const plugin = run();
    const { inputs } = await planned(plugin.hooks(type), old, args, moved);
    await plugin.hooks(type).delete(old.id, old.state);
    emulator.setFaults({ rules: [{ kind: "status", method: "DELETE", status: 403 }] });
    const error = await failureOf(plugin.hooks(type).create(inputs));
    expect(error).toMatchObject({ id: idIn(declarationOf(type).path, argumentsFrom(moved)) });
    expect(String(error)).toContain(`${old.id}, which this one replaces, was not deleted`);
  });

  it("is updated in its place where something else replaces it there", async () => {
    const plugin = run();
    const { inputs } = await planned(plugin.hooks(type), old, args, args);
    await plugin.hooks(type).create(inputs);
    await plugin.hooks(type).delete(old.id, old.state);
    expect(writes()).toEqual(type === "EventSource" ? [] : [`PUT ${path}`]);
  });

  it("is taken back from a move that was killed before the old one was deleted, also after a refresh and an update", async () => {
    const killed = run();
    const plan = await planned(killed.hooks(type), old, args, moved);
    const made = await create(killed.hooks(type), plan.inputs);
    const refreshed = await run().read(type, made.id, made.state);
    const state = await run().update(type, made.id, refreshed.state, moved);
    emulator.clearRequests();

    const back = run();
    const { inputs } = await planned(back.hooks(type), { id: made.id, state }, moved, args);
    const again = await create(back.hooks(type), inputs);
    await back.hooks(type).delete(old.id, old.state);
    await back.hooks(type).delete(made.id, state);
    expect(again.id).toBe(old.id);
    expect(await stands()).toBe(true);
    const deletes = writes().filter((line) => line.startsWith("DELETE"));
    expect(deletes).toHaveLength(1);
    expect(deletes).not.toContain(`DELETE ${path}`);
  });

  it("takes the place of one that moves away in the same deployment", async () => {
    const plugin = run();
    await planned(plugin.hooks(type), old, args, moved);
    const { inputs } = await plugin.hooks(type).check({}, args);
    await plugin.hooks(type).create(plain(inputs));
    await plugin.hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(true);
  });

  it("is not taken over under another name: the delete under the old one fails then, so that the state keeps it", async () => {
    const plugin = run();
    const { inputs } = await plugin.hooks(type).check({}, args);
    await expect(plugin.hooks(type).create(plain(inputs))).rejects.toThrow(/exists already.*aliases/);
    await expect(plugin.hooks(type).delete(old.id, old.state)).rejects.toThrow(
      /was not deleted: the program declares it at this path, and its creation failed/,
    );
    expect(await stands()).toBe(true);
  });

  it("is updated in its place after a taint, where a refresh has read it", async () => {
    const plugin = run();
    const found = await plugin.read(type, old.id, old.state);
    await plugin.hooks(type).diff(old.id, found.state, args);
    const { inputs } = await plugin.hooks(type).check({}, { ...args, ...changed[name] });
    await plugin.hooks(type).create(plain(inputs));
    await plugin.hooks(type).delete(old.id, old.state);
    expect(writes()).toEqual(type === "EventSource" ? [] : [`PUT ${path}`]);
  });

  it("is not taken over where the program only looks it up", async () => {
    const plugin = run();
    await plugin.read(type, old.id, { ...old.state, __account: undefined });
    const { inputs } = await plugin.hooks(type).check({}, args);
    await expect(plugin.hooks(type).create(plain(inputs))).rejects.toThrow("exists already");
  });

  it("stands where the program declares it with another provider, by whose process it was created", async () => {
    const [before, after] = providers();
    await run().hooks(type).delete(old.id, old.state);
    const { inputs } = await after.hooks(type).check({}, args);
    await after.hooks(type).create(plain(inputs));
    await before.hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(true);
    expect(before.lines.at(-1)).toContain("was not deleted, because the program declares this");
  });

  it("stands where it is refused to another provider: the delete fails then, so that the state keeps it", async () => {
    const [before, after] = providers();
    const { inputs } = await after.hooks(type).check({}, args);
    await expect(after.hooks(type).create(plain(inputs))).rejects.toThrow("exists already");
    await expect(before.hooks(type).delete(old.id, old.state)).rejects.toThrow("its creation failed");
    expect(await stands()).toBe(true);
  });

  it("is deleted where another provider declares another one", async () => {
    const [before, after] = providers();
    await after.hooks(type).check({}, moved);
    await before.hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(false);
  });

  it("is deleted where the program no longer declares it", async () => {
    await run().hooks(type).delete(old.id, old.state);
    expect(await stands()).toBe(false);
    expect(writes()).toEqual([`DELETE ${path}`]);
  });
});

it.each(cases.filter(({ name }) => name in changed))(
  "does not write the $type of another resource, which stays, with other arguments",
  async ({ name, type, args }) => {
    const old = await run().create(type, args);
    const plugin = run();
    await planned(plugin.hooks(type), old, args, args);
    await expect(plugin.create(type, { ...args, ...changed[name] })).rejects.toThrow("exists already");
  },
);

it("does not take over another module at a path that the resource left long ago", async () => {
  const { type, args, moved } = cases[0]!;
  const mover = run();
  const first = await mover.create(type, args);
  await planned(mover.hooks(type), first, args, moved);
  const made = await mover.create(type, moved);
  await run().hooks(type).delete(first.id, first.state);
  await run().create(type, { ...args, issuer: "https://other.example.com" });

  const back = run();
  const { inputs } = await planned(back.hooks(type), made, moved, args);
  await expect(back.hooks(type).create(inputs)).rejects.toThrow("exists already");
});

describe("IpPolicyRuleSet", () => {
  const type = "IpPolicyRuleSet";
  const rules = { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny", "192.0.3.0/24": "deny" };
  const held = (policy: unknown) =>
    emulator
      .snapshot()
      .ip_policy_rules!.filter(({ ip_policy }) => (ip_policy as Json).id === policy)
      .map(({ cidr }) => cidr);

  it.each([{}, { exclusive: false }, { summarize: true }])(
    "keeps its rules after a replacement that deleted them and is taken back: %p",
    async (options) => {
      const args = { ipPolicyId: "ipp_office", rules, ...options };
      const old = await run().create(type, args);
      const before = held("ipp_office");
      await run().hooks(type).delete(old.id, old.state);
      expect(held("ipp_office")).toEqual([]);
      const plugin = run();
      const { inputs } = await planned(plugin.hooks(type), old, args, args);
      await plugin.hooks(type).create(inputs);
      await plugin.hooks(type).delete(old.id, old.state);
      expect(held("ipp_office").sort()).toEqual(before.sort());
      expect(plugin.lines.at(-1)).toMatch(/: leaves \d rules that the program declares for the policy/);
    },
  );

  it.each([{}, { exclusive: false }, { summarize: true }])(
    "keeps its rules until the set of another policy exists, where a transform deletes it first: %p",
    async (options) => {
      const args = { ipPolicyId: "ipp_office", rules, ...options };
      const moved = { ...args, ipPolicyId: "ipp_other" };
      const old = await run().create(type, args);
      const before = held("ipp_office");
      const plugin = run();
      const { inputs } = await planned(plugin.hooks(type), old, args, moved);
      await plugin.hooks(type).delete(old.id, old.state);
      expect(held("ipp_office")).toEqual(before);
      emulator.setFaults({ rules: [{ kind: "status", method: "DELETE", status: 403, times: 1 }] });
      const error = await failureOf<PartialFailure>(plugin.hooks(type).create(inputs));
      expect(error.message).toContain("ipp_office, which this one replaces, was not deleted");
      expect(held("ipp_other").sort()).toEqual(before.sort());
      expect((await run().hooks(type).diff(error.id, plain(error.properties), inputs)).replaces).toEqual([]);
    },
  );

  it("keeps the ranges that a set with another provider declares for the policy", async () => {
    const args = { ipPolicyId: "ipp_office", rules, exclusive: false };
    const old = await run().create(type, args);
    const [before, after] = providers();
    const fewer = { ...args, rules: { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" } };
    const { inputs } = await after.hooks(type).check({}, fewer);
    await after.hooks(type).create(plain(inputs));
    await before.hooks(type).delete(old.id, old.state);
    expect(held("ipp_office").sort()).toEqual(["10.0.0.0/8", "192.0.2.0/24"]);
  });

  it("keeps the rules of an unchanged set where an interrupted replacement left an older one of its policy", async () => {
    const args = { ipPolicyId: "ipp_office", rules, summarize: true };
    const old = await run().create(type, args);
    const plugin = run();
    await plugin.hooks(type).check(args, args);
    emulator.clearRequests();
    await plugin.hooks(type).delete(old.id, old.state);
    expect(writes()).toEqual([]);
  });
});

describe.each([
  ["IpPolicyRule", { ipPolicyId: "ipp_office", cidr: "10.0.0.0/8", action: "deny" }, { cidr: "10.0.0.0/9" }],
  ["SshCredential", { publicKey: sshKey(1), description: "one" }, { publicKey: sshKey(2) }],
] as const)("%s, of which no two may be equal", (type, args, change) => {
  const moved = { ...args, ...change };

  it("is taken back from a replacement that was killed before the old one was deleted", async () => {
    const old = await run().create(type, args);
    const killed = run();
    const plan = await planned(killed.hooks(type), old, args, moved);
    const made = await killed.create(type, plan.inputs);
    emulator.clearRequests();

    const back = run();
    const { inputs } = await planned(back.hooks(type), made, moved, args);
    const again = await back.create(type, inputs);
    expect(again.id).toBe(old.id);
    await back.hooks(type).delete(old.id, old.state);
    await back.hooks(type).delete(made.id, made.state);
    expect(writes().filter((line) => line.startsWith("DELETE"))).toEqual([
      expect.stringContaining(made.id) as string,
    ]);
    expect(back.lines.at(-1)).toContain(`${old.id}: was not deleted, because the program declares this`);
  });

  it("is not taken over with other values from a replacement that was killed", async () => {
    const old = await run().create(type, args);
    const killed = run();
    const plan = await planned(killed.hooks(type), old, args, moved);
    const made = await killed.create(type, plan.inputs);
    const back = run();
    const { inputs } = await planned(back.hooks(type), made, moved, { ...args, description: "another" });
    await expect(back.create(type, inputs)).rejects.toThrow(`${old.id} has this`);
  });

  it("is not taken over from somebody else", async () => {
    const old = await run().create(type, args);
    await expect(run().create(type, args)).rejects.toThrow(`${old.id} has this`);
  });
});
