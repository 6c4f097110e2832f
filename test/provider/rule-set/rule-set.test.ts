import { VirtualTime } from "../../support/virtual-time";
import { Plugin } from "../../support/plugin";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import { temporaryMark } from "../../../src/provider/rule-set/rule-plan";
import type { Json } from "../../../src/schema/json";
import { emulatorForTests, emulators } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { plain } from "../../support/in-process/values";

const start = emulators();

const type = "IpPolicyRuleSet";

describe("a rule set", () => {
  const emulator = emulatorForTests();
  let plugin: Plugin;
  let ipPolicyId: string;

  beforeEach(async () => {
    plugin = Plugin.for(emulator);
    ipPolicyId = (await plugin.create("IpPolicy", {})).id;
  });

  /** Another process of the provider. */
  const restarted = () => Plugin.for(emulator);
  const held = (): Record<string, string> =>
    Object.fromEntries(
      emulator.snapshot().ip_policy_rules!.map((rule) => {
        const { cidr, action, description } = rule as Record<string, string>;
        return [cidr!, description ? `${action!}: ${description}` : action!];
      }),
    );
  const writes = (): string[] =>
    emulator.requests
      .filter(({ method }) => method !== "GET")
      .map(({ method, path, body }) => `${method} ${path.split("/")[1]} ${JSON.stringify(body)}`);
  const create = (rules: Json, more: Json = {}) => plugin.create(type, { ipPolicyId, rules, ...more });
  const byHand = (cidr: string, action = "allow") =>
    plugin.create("IpPolicyRule", { ipPolicyId, cidr, action });

  it("makes every entry's rule, and its id is the policy's", async () => {
    const { id, state } = await create({
      "203.0.113.0/24": "allow",
      "198.51.100.7/32": { action: "deny", description: "guest" },
    });
    expect(id).toBe(ipPolicyId);
    expect(held()).toEqual({ "203.0.113.0/24": "allow", "198.51.100.7/32": "deny: guest" });
    expect(state.rules).toEqual({
      "203.0.113.0/24": "allow",
      "198.51.100.7/32": { action: "deny", description: "guest" },
    });
  });

  it("takes over what the policy holds, and sends only what is missing", async () => {
    await byHand("203.0.113.0/24");
    emulator.clearRequests();
    await create({ "203.0.113.0/24": "allow", "192.0.2.0/24": "deny" });
    expect(writes()).toEqual([
      `POST ip_policy_rules {"cidr":"192.0.2.0/24","ip_policy_id":"${ipPolicyId}","action":"deny"}`,
    ]);
  });

  it.each(["POST", "PATCH"])(
    "deletes no rule that the answer to the %s of another one names",
    async (method) => {
      const { state } = await create({ "203.0.113.0/24": "allow", "192.0.2.0/24": "allow" });
      const { id, ...first } = emulator.snapshot().ip_policy_rules![0]!;
      const body = { ...first, id, ip_policy: { id: ipPolicyId } };
      emulator.setFaults({ rules: [{ kind: "garbage", method, body, times: 1 }] });
      const rules = { "203.0.113.0/24": "allow", "192.0.2.0/24": { action: "allow", description: "x" } };
      await restarted().update(type, ipPolicyId, state, {
        ipPolicyId,
        rules: { ...rules, "10.0.0.0/8": "deny" },
      });
      expect(held()).toEqual({
        "203.0.113.0/24": "allow",
        "192.0.2.0/24": "allow: x",
        "10.0.0.0/8": "deny",
      });
      expect(emulator.snapshot().ip_policy_rules).toContainEqual(expect.objectContaining({ id }));
    },
  );

  it("records a rule whose lost answer asks for more time than there is, so that it goes if the program is taken back", async () => {
    const rules = { "203.0.113.0/24": "allow" };
    const { state } = await create(rules);
    emulator.setFaults({
      rules: [{ kind: "status", status: 503, method: "POST", retryAfter: 3600, afterWork: true, times: 1 }],
    });
    const more = { ...rules, "192.0.2.0/24": "allow" };
    const failed = plugin.update(type, ipPolicyId, state, { ipPolicyId, rules: more });
    const recorded = plain((await failureOf<PartialFailure>(failed)).properties);
    expect(recorded.rules).toEqual(more);
    await restarted().update(type, ipPolicyId, recorded, { ipPolicyId, rules });
    expect(held()).toEqual(rules);
  });

  it("sends one request for each entry that changed", async () => {
    const rules = { "203.0.113.0/24": "allow", "198.51.100.0/24": "allow", "192.0.2.0/24": "allow" };
    const { state } = await create(rules);
    emulator.clearRequests();
    await plugin.update(type, ipPolicyId, state, {
      ipPolicyId,
      rules: {
        "203.0.113.0/24": "deny",
        "198.51.100.0/24": { action: "allow", description: "office" },
        "2001:DB8::/32": "allow",
      },
    });
    expect(held()).toEqual({
      "203.0.113.0/24": "deny",
      "198.51.100.0/24": "allow: office",
      "2001:db8::/32": "allow",
    });
    expect(writes().map((line) => line.split(" ")[0])).toEqual(["POST", "PATCH", "DELETE", "POST", "DELETE"]);
  });

  it("shows a rule made by hand as drift, and removes it", async () => {
    const args = { ipPolicyId, rules: { "203.0.113.0/24": "allow" } };
    const { state } = await plugin.create(type, args);
    await byHand("10.0.0.0/8");
    const found = await restarted().read(type, ipPolicyId, state);
    expect(found.inputs).toEqual({ ipPolicyId, rules: { "203.0.113.0/24": "allow", "10.0.0.0/8": "allow" } });
    const difference = await plugin.hooks(type).diff(ipPolicyId, found.state, args);
    expect(difference).toMatchObject({ changes: undefined, replaces: [] });
    await plugin.update(type, ipPolicyId, found.state, args);
    expect(held()).toEqual({ "203.0.113.0/24": "allow" });
  });

  it("leaves rules of others alone where it is not exclusive", async () => {
    await byHand("10.0.0.0/8");
    const args = {
      ipPolicyId,
      exclusive: false,
      rules: { "203.0.113.0/24": "allow", "192.0.2.0/24": "deny" },
    };
    const { state } = await plugin.create(type, args);
    expect((await restarted().read(type, ipPolicyId, state)).inputs).toBeUndefined();
    const next = { ...args, rules: { "192.0.2.0/24": "deny" } };
    const updated = await plugin.update(type, ipPolicyId, state, next);
    expect(held()).toEqual({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" });
    await restarted().hooks(type).delete(ipPolicyId, updated);
    expect(held()).toEqual({ "10.0.0.0/8": "allow" });
  });

  it("keeps the rules that the set that replaces it holds", async () => {
    const args = { ipPolicyId, rules: { "203.0.113.0/24": "allow" } };
    const { state } = await plugin.create(type, args);
    const again = restarted();
    await again.create(type, args);
    await again.hooks(type).delete(ipPolicyId, state);
    expect(held()).toEqual({ "203.0.113.0/24": "allow" });
  });

  it("reads what no policy holds any more as gone, and deletes it with success", async () => {
    const { state } = await create({ "203.0.113.0/24": "allow" });
    await plugin.hooks("IpPolicy").delete(ipPolicyId);
    expect((await restarted().read(type, ipPolicyId, state)).id).toBe("");
    await restarted().hooks(type).delete(ipPolicyId, state);
  });

  it("lists the collection once for all sets of a refresh", async () => {
    const sets = [];
    for (let i = 0; i < 3; i++) {
      const { id } = await plugin.create("IpPolicy", {});
      const rules = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`10.${i}.${n}.0/24`, "allow"]));
      sets.push({ id, state: (await plugin.create(type, { ipPolicyId: id, rules })).state });
    }
    emulator.clearRequests();
    const fresh = restarted();
    await Promise.all(sets.map(({ id, state }) => fresh.read(type, id, state)));
    expect(emulator.requests).toHaveLength(2);
  });

  it("reports what the service refuses, and does the rest", async () => {
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 400, times: 1 }] });
    const rules = { "203.0.113.0/24": "allow", "192.0.2.0/24": "allow", "198.51.100.0/24": "deny" };
    const failure = await failureOf(create(rules));
    expect(String(failure.message)).toMatch(
      /1 of 3 entries failed\n {2}198\.51\.100\.0\/24: creating the IP policy rule/,
    );
    expect(held()).toEqual({ "192.0.2.0/24": "allow", "203.0.113.0/24": "allow" });
    expect((failure as { properties?: Json }).properties?.rules).toEqual({
      "192.0.2.0/24": "allow",
      "203.0.113.0/24": "allow",
    });
  });

  it("keeps the known spelling of every entry that means the same, so that a preview shows only the others", async () => {
    const before = { ipPolicyId, rules: { "2001:db8::/32": "allow", "10.0.0.0/8": { action: "deny" } } };
    const after = {
      ipPolicyId,
      rules: { "10.0.0.0/8": "deny", "2001:DB8:0::/32": "allow", "192.0.2.0/24": "allow" },
    };
    const checked = (await plugin.hooks(type).check(before, after)) as { inputs: Json };
    expect(checked.inputs.rules).toEqual({ ...before.rules, "192.0.2.0/24": "allow" });
  });

  it("refuses two keys that are the same range, and a key that is no range", async () => {
    const rules = {
      "2001:db8::/32": "allow",
      "2001:DB8:0::/32": "deny",
      "192.0.2.1": "allow",
      "192.0.2.1/32": "allow",
      "10.0.0.1/8": "allow",
      "10.0.0.0/8": "block",
    };
    const { failures } = await plugin.hooks(type).check({}, { ipPolicyId, rules });
    expect(failures!.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('rules["2001:DB8:0::/32"]: its key means the same as "2001:db8::/32"'),
      expect.stringContaining('rules["192.0.2.1/32"]: its key means the same as "192.0.2.1"'),
      expect.stringMatching(/^rules\["10\.0\.0\.1\/8"\]: its key must be a network address.*10\.0\.0\.0\/8/),
      expect.stringMatching(/^rules\["10\.0\.0\.0\/8"\]\.action: must be "allow" or "deny", not "block"/),
    ]);
  });

  it("reports each of several entries with the same wrong value, beside entries that are right", async () => {
    const rules = {
      "10.0.0.0/8": "allow",
      "192.0.2.0/24": "block",
      "198.51.100.0/24": "allow",
      "203.0.113.0/24": "block",
      "2001:db8::/32": { action: "deny", descripton: "typo" },
    };
    const { failures } = await plugin.hooks(type).check({}, { ipPolicyId, rules });
    expect(failures!.map(({ reason }) => reason)).toEqual([
      'rules["192.0.2.0/24"].action: must be "allow" or "deny", not "block"',
      'rules["203.0.113.0/24"].action: must be "allow" or "deny", not "block"',
      expect.stringMatching(/^rules\["2001:db8::\/32"\]\.descripton: is not an argument here/),
    ]);
  });

  it("sees no change in entries whose keys are spelled otherwise", async () => {
    const { id, state } = await create({ "2001:db8::/32": "allow", "192.0.2.1": "deny" });
    const rules = { "192.0.2.1/32": "deny", "2001:DB8:0::/32": "allow" };
    expect(await plugin.hooks(type).diff(id, state, { ipPolicyId, rules })).toMatchObject({ changes: false });
  });

  it("names in a preview a range whose action changes with its spelling", async () => {
    const { id, state } = await create({ "2001:db8::/32": "allow" });
    await plugin.hooks(type).diff(id, state, { ipPolicyId, rules: { "2001:DB8:0::/32": "deny" } });
    expect(plugin.lines).toEqual([expect.stringContaining("2001:db8::/32 changes from allow to deny")]);
  });

  it("names in a preview the ranges whose action changes", async () => {
    const { state } = await create({ "203.0.113.0/24": "allow", "192.0.2.0/24": "allow" });
    const rules = { "203.0.113.0/24": "deny", "192.0.2.0/24": "allow" };
    await plugin.hooks(type).diff(ipPolicyId, state, { ipPolicyId, rules });
    expect(plugin.lines.join()).toMatch(
      /203\.0\.113\.0\/24 changes from allow to deny\..* the policy has no rule for the range/,
    );
    expect(plugin.lines.join()).not.toContain("192.0.2.0");
  });

  it.each([
    ["192.0.2.0/24", /a rule for 192\.0\.2\.0\/25 alone stands in/],
    ["192.0.2.1/32", /the set has no rule at all, because a single address has no half/],
  ])(
    "says in a preview what the policy holds while the action of its only range %s changes",
    async (range, said) => {
      const { state } = await create({ [range]: "allow" });
      await plugin.hooks(type).diff(ipPolicyId, state, { ipPolicyId, rules: { [range]: "deny" } });
      expect(plugin.lines).toEqual([expect.stringMatching(said)]);
    },
  );

  it("keeps what a failed entry would take the place of", async () => {
    const { state } = await create({ "203.0.113.0/24": "allow", "10.0.0.0/8": "deny" });
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 400, times: 1 }] });
    const failure = await failureOf(
      plugin.update(type, ipPolicyId, state, { ipPolicyId, rules: { "192.0.2.0/24": "allow" } }),
    );
    expect(failure.message).toMatch(
      /not removed, because an entry that may take its place failed: 203\.0\.113\.0\/24/,
    );
    expect(held()).toEqual({ "203.0.113.0/24": "allow" });
  });

  it("keeps the last rule of a policy where the others failed and no part of it can stand in", async () => {
    const { state } = await create({ "192.0.2.1/32": "deny", "10.0.0.0/8": "deny" });
    emulator.setFaults({
      rules: [{ kind: "status", status: 400, method: "POST", path: "/ip_policy_rules", after: 0, times: 1 }],
    });
    const rules = { "192.0.2.1/32": "allow", "10.0.0.0/8": "allow" };
    const failure = await failureOf(plugin.update(type, ipPolicyId, state, { ipPolicyId, rules }));
    expect(held()).toEqual({ "192.0.2.1/32": "deny" });
    expect(failure.message).toContain(
      "not replaced, because other entries failed and it is the last of the IP policy rules: 192.0.2.1/32",
    );
  });

  it("keeps a stand-in that allows where the rules that allow after the change failed", async () => {
    const { state } = await create({ "192.0.2.1/32": "deny", "10.0.0.0/8": "allow" });
    emulator.setFaults({
      rules: [{ kind: "status", status: 400, method: "POST", path: "/ip_policy_rules", after: 0, times: 1 }],
    });
    const rules = { "192.0.2.1/32": "allow", "10.0.0.0/8": "deny" };
    const failure = await failureOf<Error & { properties: Json }>(
      plugin.update(type, ipPolicyId, state, { ipPolicyId, rules }),
    );
    expect(held()).toEqual({ "10.0.0.0/8": "deny", "10.0.0.0/9": "allow" });
    expect(failure.message).toContain(
      "not removed, because an entry that may take its place failed: 10.0.0.0/9",
    );
    emulator.setFaults();
    await plugin.update(type, ipPolicyId, plain(failure.properties), { ipPolicyId, rules });
    expect(held()).toEqual(rules);
  });

  it("makes the rules that it began to make where a stand-in of an interrupted change would do for a part of them", async () => {
    const summarized = { summarize: true, extraRulesPercent: 1000 };
    const { state } = await create({ "192.0.2.0/24": "deny" }, summarized);
    await emulator.seed({
      ip_policy_rules: [
        { ip_policy_id: ipPolicyId, cidr: "192.0.2.0/25", action: "allow", metadata: temporaryMark },
      ],
    });
    const rules = { "192.0.2.0/24": "allow" };
    await plugin.update(type, ipPolicyId, state, { ipPolicyId, rules, ...summarized });
    expect(held()).toEqual(rules);
  });

  it("changes nothing where no part of the ranges is free for a stand-in that allows, and says the two steps", async () => {
    const [before, rules] = [
      { "192.0.2.0/31": "allow", "192.0.2.0/32": "deny", "192.0.2.1/32": "deny" },
      { "192.0.2.0/31": "deny", "192.0.2.0/32": "allow", "192.0.2.1/32": "allow" },
    ];
    const { state } = await create(before);
    emulator.clearRequests();
    await plugin.hooks(type).diff(ipPolicyId, plain(state), { ipPolicyId, rules });
    const why =
      "no rule that allows can stand in for 192.0.2.0/31 while it changes to deny: each part of the ranges that change has a " +
      "rule. Add an entry that allows another range, run pulumi up, and take it out again";
    expect(plugin.lines.join("\n")).toContain(why);
    const failure = await failureOf(plugin.update(type, ipPolicyId, state, { ipPolicyId, rules }));
    expect(failure.message).toContain(`1 of 3 entries failed\n  192.0.2.0/31: ${why}`);
    expect(writes()).toEqual([]);
    expect(held()).toEqual(before);

    const other = { "203.0.113.1/32": "allow" };
    const between = await plugin.update(type, ipPolicyId, state, {
      ipPolicyId,
      rules: { ...rules, ...other },
    });
    await plugin.update(type, ipPolicyId, between, { ipPolicyId, rules });
    expect(held()).toEqual(rules);
  });

  it("finds the one part that is free for a stand-in", async () => {
    const parts = [...Array(5).keys()].flatMap((i) =>
      [...Array(2 ** i).keys()].map((part) => `192.0.2.${part * 2 ** (5 - i)}/${27 + i}`),
    );
    const of = (first: string, others: string) =>
      Object.fromEntries(parts.map((part, i) => [part, i === 0 ? first : others]));
    const { state } = await create(of("allow", "deny"));
    await plugin.update(type, ipPolicyId, state, { ipPolicyId, rules: of("deny", "allow") });
    expect(held()).toEqual(of("deny", "allow"));
  });

  it("stops at once where the service accepts no request any more, and records what it made", async () => {
    const rules = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`10.0.${i}.0/24`, "allow"]));
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 401, after: 50 }] });
    emulator.clearRequests();
    const failure = await failureOf<Error & { properties: Json }>(create(rules));
    expect((failure as Error).message).toMatch(
      /not all entries were changed\n {2}stopped: creating the IP policy rule .* 401/,
    );
    const posts = emulator.requests.filter(({ method }) => method === "POST").length;
    expect(posts).toBeLessThan(80);
    expect(
      Object.keys((failure as unknown as { properties: { rules: Json } }).properties.rules).sort(),
    ).toEqual(Object.keys(held()).sort());
  });

  it("says at least every 30 seconds how far it is under a rate limit", async () => {
    const time = new VirtualTime();
    const limited = await start({ requestsPerMinute: 60, now: () => new Date(time.now()) });
    const slow = Plugin.for(limited, {}, { timing: time });
    const policy = await slow.create("IpPolicy", {});
    const rules = Object.fromEntries(
      Array.from({ length: 300 }, (_, i) => [`10.${i >> 8}.${i & 255}.0/24`, "allow"]),
    );
    const began = time.now();
    await time.run(slow.create(type, { ipPolicyId: policy.id, rules }));
    const minutes = (time.now() - began) / 60_000;
    expect(minutes).toBeGreaterThan(4);
    const lines = slow.lines.filter((line) => /\d+ of 300 IP policy rules done/.test(line));
    expect(lines.length).toBeGreaterThanOrEqual(Math.floor(minutes * 2));
  });

  it("fails without a record where the service refuses every write, so that taking the change back is no change", async () => {
    const rules = { "203.0.113.0/24": "allow" };
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 422 }] });
    const failure = await failureOf(plugin.create(type, { ipPolicyId, rules }));
    expect(failure).not.toBeInstanceOf(PartialFailure);
    expect(failure.message).toContain("1 of 1 entries failed");

    emulator.setFaults();
    const { id, state } = await create(rules);
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 422 }] });
    const more = { ...rules, "192.0.2.0/24": "deny" };
    await expect(restarted().update(type, id, state, { ipPolicyId, rules: more })).rejects.not.toBeInstanceOf(
      PartialFailure,
    );
    const part = { "198.51.100.0/24": "allow", "192.0.2.0/24": "deny" };
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 422, after: 1 }] });
    await expect(
      restarted().update(type, id, state, { ipPolicyId, rules: { ...rules, ...part } }),
    ).rejects.toBeInstanceOf(PartialFailure);
  });

  describe("with an entry that ends", () => {
    const end = "2030-06-01T12:00:00Z";
    const rules = { "203.0.113.0/24": "allow", "198.51.100.7": { action: "allow", until: end } };
    const at = (time: string): void => void jest.spyOn(Date, "now").mockReturnValue(Date.parse(time));
    const checked = async (olds: Json, given: Json = rules): Promise<Json> => {
      const result = await plugin.hooks(type).check(olds, { ipPolicyId, rules: given });
      expect(result.failures).toBeUndefined();
      return result.inputs;
    };
    const diff = async (state: Json, inputs: Json): Promise<unknown> =>
      (await plugin.hooks(type).diff(ipPolicyId, state, inputs)).changes;
    afterEach(() => jest.restoreAllMocks());

    it("never sends the end or shows it among the outputs, and changes nothing until then", async () => {
      at("2030-06-01T11:59:59.999Z");
      const inputs = await checked({});
      expect(inputs.rules).toEqual(rules);
      const { id, state } = await plugin.create(type, inputs);
      const { __local, ...shown } = state;
      expect(JSON.stringify([emulator.requests, shown])).not.toContain("until");
      expect(JSON.stringify(emulator.requests)).not.toContain("2030-06-01");
      expect(await diff(state, await checked(inputs))).toBe(false);
      expect((await plugin.read(type, id, state)).inputs).toBeUndefined();
    });

    it("shows the removal from that time on, and the update removes the rule and nothing else", async () => {
      at("2030-06-01T11:00:00Z");
      const inputs = await checked({});
      const { id, state } = await plugin.create(type, inputs);
      emulator.clearRequests();
      at(end);
      const ended = await checked(inputs);
      expect(ended.rules).toEqual({ "203.0.113.0/24": "allow" });
      expect(await diff(state, ended)).not.toBe(false);
      const after = await plugin.update(type, id, state, ended);
      expect(writes()).toEqual([expect.stringMatching(/^DELETE ip_policy_rules/)]);
      expect(held()).toEqual({ "203.0.113.0/24": "allow" });
      expect(await diff(after, await checked(ended))).toBe(false);
    });

    const moved = { ...rules, "198.51.100.7": { action: "allow", until: "2030-07-01T00:00:00Z" } };
    const forever = { ...rules, "198.51.100.7": "allow" };

    it.each([
      ["later", moved],
      ["removed", forever],
      [
        "given to another range",
        { "203.0.113.0/24": { action: "allow", until: end }, "198.51.100.7": "allow" },
      ],
    ])("is an update that writes nothing when the end is %s", async (_, changed) => {
      at("2030-06-01T11:00:00Z");
      const inputs = await checked({});
      const { state } = await plugin.create(type, inputs);
      emulator.clearRequests();
      const next = await checked(inputs, changed);
      expect(next.rules).toEqual(changed);
      expect(await diff(state, next)).not.toBe(false);
      const after = await plugin.update(type, ipPolicyId, state, next);
      expect(writes()).toEqual([]);
      expect(await diff(after, await checked(next, changed))).toBe(false);
      expect(await diff(after, await checked(next))).not.toBe(false);
    });

    it("shows no change for another spelling of the end", async () => {
      at("2030-06-01T11:00:00Z");
      const inputs = await checked({});
      const { state } = await plugin.create(type, inputs);
      const spelled = { ...rules, "198.51.100.7": { action: "allow", until: "2030-06-01T14:00:00+02:00" } };
      expect(await diff(state, await checked(inputs, spelled))).toBe(false);
    });

    it("forgets the end of an entry that somebody removed, and takes the next one as the program gives it", async () => {
      at("2030-06-01T11:00:00Z");
      const inputs = await checked({});
      const { state } = await plugin.create(type, inputs);
      const removed = emulator.snapshot().ip_policy_rules!.find(({ cidr }) => cidr === "198.51.100.7/32")!;
      await plugin.hooks("IpPolicyRule").delete(String(removed.id), { ipPolicyId });
      const { state: found } = await restarted().read(type, ipPolicyId, state);
      expect(JSON.stringify(found.__local ?? {})).not.toContain("until");
      // The program makes it last at once.
      const next = await checked(inputs, forever);
      const after = await plugin.update(type, ipPolicyId, found, next);
      expect(held()).toHaveProperty(["198.51.100.7/32"], "allow");
      expect(await diff(after, await checked(next, forever))).toBe(false);
      expect(await diff(after, await checked(next))).not.toBe(false);
    });

    it("keeps the end through a refresh, also among the inputs that show drift", async () => {
      at("2030-06-01T11:00:00Z");
      const inputs = await checked({});
      const { state } = await plugin.create(type, inputs);
      await byHand("192.0.2.0/24");
      const { state: found, inputs: drifted } = await restarted().read(type, ipPolicyId, state);
      expect(drifted!.rules).toEqual({ ...rules, "192.0.2.0/24": "allow" });
      expect(await diff(found, await checked(drifted!, forever))).not.toBe(false);
      expect(found.__local).toEqual({ rules: { "198.51.100.7": { until: end } } });
    });

    it("shows a changed end, and nothing else, of a state of a version that recorded none", async () => {
      at("2030-06-01T11:00:00Z");
      const inputs = await checked({});
      const { __local, ...state } = (await plugin.create(type, inputs)).state;
      expect(await diff(state, await checked(inputs))).toBe(false);
      for (const changed of [moved, forever]) {
        const next = await checked(inputs, changed);
        expect(await diff(state, next)).not.toBe(false);
        const after = await plugin.update(type, ipPolicyId, state, next);
        expect(await diff(after, next)).toBe(false);
      }
    });

    it("is refused with an end that is no time, and waits for one that is not known", async () => {
      at("2030-06-01T11:00:00Z");
      const wrong = { "198.51.100.7": { action: "allow", until: "tomorrow" } };
      const { failures } = await plugin.hooks(type).check({}, { ipPolicyId, rules: wrong });
      expect(failures![0]!.reason).toMatch(/^rules\["?198\.51\.100\.7"?\]\.until.*RFC 3339/);
      const unknownEnd = {
        "198.51.100.7": { action: "allow", until: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
      };
      expect((await checked({}, unknownEnd)).rules).toEqual(unknownEnd);
    });
  });
});
