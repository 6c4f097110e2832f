/**
 * A service may keep another form of what an entry of a set is sent. Whatever member it changes, it gets one write for it,
 * ever, or the write fails because the member decides who has access. Real drift is found all the same.
 */
import { secretSignature } from "../../../../src/schema/secrets";
import type { Json } from "../../../../src/schema/json";
import { isRecord } from "../../../../src/schema/unknown";
import { Plugin } from "../../../support/plugin";
import { emulatorForTests } from "../../../support/emulators";
import { plain } from "../../../support/in-process/values";
import { failureOf } from "../../../support/failure";

const type = "IpPolicyRuleSet";
const [range, other, added] = ["10.0.0.0/8", "192.0.2.0/24", "198.51.100.0/24"];

/** What a service may make of a value that it is sent, or that it is not sent. */
type Change = (value: unknown) => unknown;
const ofText = (change: (value: string) => string): Change => {
  return (value) => (typeof value === "string" && value !== "" ? change(value) : value);
};
const forms: Readonly<Record<string, Change>> = {
  trimmed: ofText((value) => value.trim()),
  shortened: ofText((value) => value.slice(0, 3)),
  "in other case": ofText((value) => value.toUpperCase()),
  completed: ofText((value) => `${value} (managed)`),
  "left out": () => null,
  "filled in": (value) => (value === null || value === undefined || value === "" ? "of the service" : value),
};
const members = ["description", "metadata"];
const entries: Readonly<Record<string, unknown>> = {
  "its action alone": "allow",
  "a description": { action: "allow", description: " an Office " },
  "a description and metadata": { action: "allow", description: " an Office ", metadata: " some Data " },
};

const cases = members.flatMap((member) =>
  Object.keys(forms).flatMap((form) => Object.keys(entries).map((entry) => [member, form, entry] as const)),
);

describe("an entry of a set whose service normalises", () => {
  const emulator = emulatorForTests();

  /** A process behind a gateway that changes the member of the rule of the range in every answer. */
  function behind(change: (rule: Json) => Json): Plugin {
    const plugin = Plugin.for(emulator);
    const send = plugin.http.send.bind(plugin.http);
    const shown = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(shown);
      if (!isRecord(value)) return value;
      if (typeof value.cidr === "string") return value.cidr === range ? change(value) : value;
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shown(each)]));
    };
    plugin.http.send = async (...call) => {
      const answer = await send(...call);
      return { ...answer, body: shown(answer.body) };
    };
    return plugin;
  }

  const rule = () => emulator.snapshot().ip_policy_rules!.find(({ cidr }) => cidr === range)!;
  const writes = (): string[] => {
    const sent = emulator.requests.filter(({ method }) => method !== "GET");
    emulator.clearRequests();
    return sent.map(({ method, body }) => `${method} ${JSON.stringify(body)}`);
  };
  const isChange = async (plugin: Plugin, id: string, state: Json, args: Json): Promise<boolean> =>
    (await plugin.hooks(type).diff(id, state, args)).changes !== false;

  it.each(cases)("has its %s %s at the cost of one write: %s", async (member, form, entry) => {
    const change = forms[form]!;
    const start = (): Plugin => behind((object) => ({ ...object, [member]: change(object[member]) }));
    const ipPolicyId = (await start().create("IpPolicy", {})).id;
    const args = { ipPolicyId, rules: { [range]: entries[entry], [other]: "deny" } };
    emulator.clearRequests();
    const { id, state } = await start().create(type, args);
    expect(writes()).toHaveLength(2);

    expect(await isChange(start(), id, state, args)).toBe(false);
    const read = await start().read(type, id, state);
    expect(read.inputs).toBeUndefined();
    expect(await isChange(start(), id, read.state, args)).toBe(false);

    const more = { ...args, rules: { ...args.rules, [added]: "allow" } };
    const updated = await start().update(type, id, read.state, more);
    expect(writes()).toEqual([expect.stringMatching(/^POST .*198\.51\.100\.0/)]);
    expect(await isChange(start(), id, updated, more)).toBe(false);
    const again = await start().read(type, id, updated);
    expect(again.inputs).toBeUndefined();

    // Drift of the member is found, repaired with one write, and accepted again.
    await Plugin.for(emulator).update(
      "IpPolicyRule",
      String(rule().id),
      {
        ipPolicyId,
        cidr: range,
        action: "allow",
        __args: ["cidr", "ipPolicyId", "action", "description", "metadata"],
      },
      { ipPolicyId, cidr: range, action: "allow", description: "by hand", metadata: "by hand" },
    );
    emulator.clearRequests();
    const unaltered = behind((object) => object);
    const found = await unaltered.read(type, id, again.state);
    expect(found.inputs).toBeDefined();
    expect(await isChange(unaltered, id, found.state, more)).toBe(true);
    const repaired = await start().update(type, id, found.state, more);
    expect(writes()).toEqual([expect.stringMatching(/^PATCH/)]);
    const last = await start().read(type, id, repaired);
    expect(last.inputs).toBeUndefined();
    expect(await isChange(start(), id, last.state, more)).toBe(false);
    expect(writes()).toEqual([]);
  });

  const trimming = (): Plugin =>
    behind((object) => ({ ...object, description: forms.trimmed!(object.description) }));
  const given = { [range]: { action: "allow", description: " office " }, [other]: "deny" };

  it("is named with what was sent and what the service keeps, until the program has that", async () => {
    const ipPolicyId = (await trimming().create("IpPolicy", {})).id;
    const { id, state } = await trimming().create(type, { ipPolicyId, rules: given });
    const plugin = trimming();
    await plugin.hooks(type).diff(id, state, { ipPolicyId, rules: given });
    expect(plugin.lines).toEqual([
      expect.stringContaining(`rules["10.0.0.0/8"].description: the service keeps "office" for " office "`),
    ]);

    const kept = { ipPolicyId, rules: { ...given, [range]: { action: "allow", description: "office" } } };
    const next = trimming();
    expect(await isChange(next, id, state, kept)).toBe(false);
    expect(next.lines).toEqual([]);
  });

  it("is recorded as a secret, because the program may have marked what it sent", async () => {
    const ipPolicyId = (await trimming().create("IpPolicy", {})).id;
    const made = await trimming().hooks(type).create({ ipPolicyId, rules: given });
    expect((made.outs as Json).__acceptedEntries).toEqual({
      ...secretSignature,
      value: { [range]: given[range] },
    });
    const summarized = { ipPolicyId: (await trimming().create("IpPolicy", {})).id, summarize: true };
    const { outs } = await trimming()
      .hooks(type)
      .create({ ...summarized, rules: given });
    expect((outs as Json).__heldRules).toMatchObject(secretSignature);
  });

  it("costs no second write where another entry failed in the same update", async () => {
    const ipPolicyId = (await trimming().create("IpPolicy", {})).id;
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 422, after: 1, times: 1 }] });
    const failure = await failureOf<{ properties: Json }>(
      trimming().create(type, { ipPolicyId, rules: given }),
    );
    emulator.setFaults();
    const state = plain(failure.properties);
    writes();
    const made = Object.keys(state.rules as Json);
    expect(made).toHaveLength(1);
    const updated = await trimming().update(type, ipPolicyId, state, { ipPolicyId, rules: given });
    expect(writes().map((line) => line.split(" ")[0])).toEqual(["POST"]);
    expect((await trimming().read(type, ipPolicyId, updated)).inputs).toBeUndefined();
  });

  it("keeps its accepted form where the entry changes in another member", async () => {
    const ipPolicyId = (await trimming().create("IpPolicy", {})).id;
    const { id, state } = await trimming().create(type, { ipPolicyId, rules: given });
    writes();
    const changed = { ...given, [range]: { action: "allow", description: " office ", metadata: "more" } };
    const updated = await trimming().update(type, id, state, { ipPolicyId, rules: changed });
    expect(writes()).toEqual(['PATCH {"metadata":"more"}']);
    expect(await isChange(trimming(), id, updated, { ipPolicyId, rules: changed })).toBe(false);
    expect((await trimming().read(type, id, updated)).inputs).toBeUndefined();
  });

  it("fails where the service answers an update of it with the value from before", async () => {
    const ignoring = (): Plugin => behind((object) => ({ ...object, description: "before" }));
    const ipPolicyId = (await ignoring().create("IpPolicy", {})).id;
    const before = { ipPolicyId, rules: { [range]: { action: "allow", description: "before" } } };
    const { id, state } = await ignoring().create(type, before);
    const after = { ipPolicyId, rules: { [range]: { action: "allow", description: "after" } } };
    await expect(ignoring().update(type, id, state, after)).rejects.toThrow(
      /10\.0\.0\.0\/8: description was not changed: sent "after", kept "before"/,
    );
  });

  it.each([
    ["action", { action: "deny" }, /action decides who has access.* sent "allow", kept "deny"/],
    [
      "cidr",
      { cidr: "10.0.0.0/9" },
      /cidr decides who has access.* sent "10\.0\.0\.0\/8", kept "10\.0\.0\.0\/9"/,
    ],
  ])("fails where the service keeps another %s, and leaves no such rule", async (_name, kept, message) => {
    for (const exclusive of [true, false]) {
      const start = (): Plugin => behind((object) => ({ ...object, ...kept }));
      const ipPolicyId = (await start().create("IpPolicy", {})).id;
      await expect(
        start().create(type, { ipPolicyId, exclusive, rules: { [range]: "allow" } }),
      ).rejects.toThrow(message);
      expect(emulator.snapshot().ip_policy_rules).toEqual([]);
    }
  });

  it("fails where the service answers an update of it with another action", async () => {
    const args = { ipPolicyId: "", rules: { [range]: "allow" } };
    args.ipPolicyId = (await trimming().create("IpPolicy", {})).id;
    const { id, state } = await trimming().create(type, args);
    const denying = behind((object) => (object.description ? { ...object, action: "deny" } : object));
    const described = { ...args, rules: { [range]: { action: "allow", description: "office" } } };
    await expect(denying.update(type, id, state, described)).rejects.toThrow(
      /10\.0\.0\.0\/8: action decides who has access.* sent "allow", kept "deny"/,
    );
  });
});
