import { listCacheOf } from "../../../src/provider/life-cycle/list-cache";
import { declarationOf } from "../../../src/resources/registry";
import { hasty, Plugin, requestsTo } from "../../support/plugin";
import { VirtualTime } from "../../support/virtual-time";
import { until } from "../../support/until";
import { servers } from "../../support/servers";
import { emulatorForTests } from "../../support/emulators";

const start = servers();
const set = "IpPolicyRuleSet";
const rule = "IpPolicyRule";

describe("the list that reads of one collection share", () => {
  const emulator = emulatorForTests();
  let policies: string[];
  let rules: { id: string; ipPolicyId: string }[];

  beforeEach(async () => {
    const plugin = Plugin.for(emulator);
    policies = [];
    rules = [];
    for (let i = 0; i < 3; i++) {
      const { id } = await plugin.create("IpPolicy", {});
      policies.push(id);
      for (let n = 0; n < 40; n++) {
        const made = await plugin.create(rule, {
          ipPolicyId: id,
          cidr: `10.${i}.${n}.0/24`,
          action: "allow",
        });
        rules.push({ id: made.id, ipPolicyId: id });
      }
    }
    emulator.clearRequests();
  });

  const cacheOf = (plugin: Plugin) => listCacheOf(plugin.http, declarationOf(rule));
  const pages = (): number =>
    requestsTo(emulator).filter((line) => line.startsWith("GET /ip_policy_rules?")).length;
  const prior = (id: string) => ({ ipPolicyId: id, rules: {}, __args: ["ipPolicyId", "rules"] });

  it("answers sets and single rules with the same pages", async () => {
    const plugin = Plugin.for(emulator);
    await Promise.all(policies.map((id) => plugin.read(set, id, prior(id))));
    expect(pages()).toBe(2);
    for (const { id, ipPolicyId } of rules) {
      expect((await plugin.read(rule, id, { ipPolicyId, __args: [] })).id).toBe(id);
    }
    expect(emulator.requests).toHaveLength(2);
  });

  it("continues for a set where single reads stopped", async () => {
    const plugin = Plugin.for(emulator);
    for (const { id, ipPolicyId } of rules.slice(0, 5))
      await plugin.read(rule, id, { ipPolicyId, __args: [] });
    const before = pages();
    expect(before).toBeGreaterThan(0);
    expect(await cacheOf(plugin).of(policies[0]!)).toHaveLength(40);
    expect(pages()).toBe(2);
  });

  it("is read again for a policy once one of its rules was written, and for no other", async () => {
    const plugin = Plugin.for(emulator);
    const cache = cacheOf(plugin);
    for (const id of policies) expect(await cache.of(id)).toHaveLength(40);
    await plugin.create(rule, { ipPolicyId: policies[0], cidr: "192.0.2.0/24", action: "deny" });
    expect(await cache.of(policies[1]!)).toHaveLength(40);
    expect(pages()).toBe(2);
    expect(await cache.of(policies[0]!)).toHaveLength(41);
    expect(pages()).toBe(4);
    const { id, ipPolicyId } = rules.find((each) => each.ipPolicyId === policies[1])!;
    await plugin.hooks(rule).delete(id, { ipPolicyId });
    expect(await cache.of(policies[1]!)).toHaveLength(39);
    expect(pages()).toBe(6);
  });

  it("is read again for a policy after a write that failed, which may have been done", async () => {
    const plugin = Plugin.for(emulator);
    const cache = cacheOf(plugin);
    expect(await cache.of(policies[0]!)).toHaveLength(40);
    emulator.setFaults({
      rules: [
        { kind: "dropAfter", method: "POST", path: "/ip_policy_rules", times: 1 },
        { kind: "status", status: 501, method: "GET", path: "/ip_policy_rules" },
      ],
    });
    const args = { ipPolicyId: policies[0], cidr: "192.0.2.0/24", action: "deny" };
    await expect(plugin.create(rule, args)).rejects.toThrow("It is not known whether it was created");
    emulator.setFaults();
    expect(await cache.of(policies[0]!)).toHaveLength(41);
  });

  it("is read again after 60 seconds", async () => {
    const time = new VirtualTime();
    const plugin = Plugin.for(emulator, {}, { timing: time });
    const cache = cacheOf(plugin);
    await time.run(cache.of(policies[0]!));
    await time.run(time.sleep(60_000));
    await time.run(cache.of(policies[1]!));
    expect(pages()).toBe(2);
    await time.run(time.sleep(1));
    await time.run(cache.of(policies[2]!));
    expect(pages()).toBe(4);
  });

  it("is read again after 60 seconds also where reads by id began it", async () => {
    const time = new VirtualTime();
    const plugin = Plugin.for(emulator, {}, { timing: time });
    const read = ({ id, ipPolicyId }: (typeof rules)[0]) =>
      time.run(plugin.read(rule, id, { ipPolicyId, __args: [] }));
    for (const each of rules.slice(0, 6)) await read(each);
    expect(pages()).toBe(2);
    await time.run(time.sleep(60_001));
    await read(rules[6]!);
    expect(pages()).toBeGreaterThan(2);
  });

  it("is read once for all sets, however long that takes", async () => {
    let elapsed = 0;
    const plugin = Plugin.for(emulator, {}, { timing: { ...hasty, elapsed: () => elapsed } });
    const cache = cacheOf(plugin);
    emulator.setFaults({
      rules: [{ kind: "slow", method: "GET", path: "/ip_policy_rules", exact: true, delayMs: 100 }],
    });
    const first = cache.of(policies[0]!);
    await until(() => pages() >= 2);
    elapsed = 90_000;
    expect((await Promise.all([first, cache.of(policies[1]!)])).map(({ length }) => length)).toEqual([
      40, 40,
    ]);
    elapsed = 150_000; // 60 seconds after its end
    expect(await cache.of(policies[2]!)).toHaveLength(40);
    expect(pages()).toBe(2);
  });

  it("holds no object that the service shows without an id", async () => {
    const shown = { ip_policy: { id: policies[0] }, cidr: "192.0.2.0/24", action: "allow" };
    const body = { ip_policy_rules: [shown, { ...shown, id: "ipr_1" }], next_page_uri: null };
    emulator.setFaults({
      rules: [{ kind: "garbage", method: "GET", path: "/ip_policy_rules", exact: true, status: 200, body }],
    });
    const found = await cacheOf(Plugin.for(emulator)).of(policies[0]!);
    expect(found.map(({ id }) => id)).toEqual(["ipr_1"]);
  });

  it("answers a read by id once: the next one asks what became of the object", async () => {
    const plugin = Plugin.for(emulator);
    await cacheOf(plugin).of(policies[0]!);
    const { id, ipPolicyId } = rules[0]!;
    await plugin.read(rule, id, { ipPolicyId, __args: [] });
    expect(emulator.requests).toHaveLength(2);
    await plugin.read(rule, id, { ipPolicyId, __args: [] });
    expect(requestsTo(emulator).at(-1)).toBe(`GET /ip_policy_rules/${id}`);
  });

  it("answers no read by id after a write of the process, which may have changed or deleted the object", async () => {
    const plugin = Plugin.for(emulator);
    await cacheOf(plugin).of(policies[0]!);
    const { id, ipPolicyId } = rules[0]!;
    await plugin.hooks(rule).delete(id, { ipPolicyId });
    expect((await plugin.read(rule, id, { ipPolicyId, __args: [] })).id).toBe("");
  });

  it.each([
    ["", false],
    [" whose answer is lost", true],
  ])("answers no read by id where it was read during a write%s, which it may not show", async (_, isLost) => {
    const held = { id: "ipr_1", cidr: "10.0.0.0/8", action: "allow", description: "old" };
    const others = ["ipr_2", "ipr_3", "ipr_4", "ipr_5"].map((id) => ({ ...held, id }));
    let isListed = false;
    const { baseUrl } = await start((request, response) => {
      const answer = (body: object): void => void response.end(JSON.stringify(body));
      response.setHeader("content-type", "application/json");
      if (request.method === "PATCH")
        // The service makes the change once it has answered the list.
        void until(() => isListed).then(() => {
          Object.assign(held, { description: "new" });
          return isLost ? response.destroy() : answer(held);
        });
      else if (request.url!.startsWith("/ip_policy_rules/")) answer(held);
      else {
        answer({ ip_policy_rules: structuredClone([held, ...others]), next_page_uri: null });
        isListed = true;
      }
    });
    const plugin = new Plugin({ apiKey: emulator.apiKey, baseUrl });
    const cache = cacheOf(plugin);
    const body = { description: "new" };
    const call = { method: "PATCH", path: "/ip_policy_rules/ipr_1", operation: "a write", body } as unknown;
    const writing = plugin.http.send(call as Parameters<typeof plugin.http.send>[0]).then(
      () => false,
      () => true,
    );
    for (const { id } of others) await cache.find(id);
    expect(await writing).toBe(isLost);
    expect(isListed).toBe(true);
    expect(await cache.find("ipr_1")).not.toMatchObject({ description: "old" });
  });

  it("that fails is an error for a set, and is tried again by the next one", async () => {
    const plugin = Plugin.for(emulator);
    emulator.setFaults({
      rules: [{ kind: "status", status: 501, method: "GET", path: "/ip_policy_rules", times: 1 }],
    });
    await expect(cacheOf(plugin).of(policies[0]!)).rejects.toThrow("501");
    expect(await cacheOf(plugin).of(policies[0]!)).toHaveLength(40);
  });
});
