import { Plugin } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";

const type = "IpPolicyRuleSet";

describe("several rule sets of one program", () => {
  const emulator = emulatorForTests();
  let ipPolicyId: string;

  beforeEach(async () => {
    ipPolicyId = (await process().create("IpPolicy", {})).id;
  });

  /** Another process of the provider, which is another run of pulumi. */
  const process = () => Plugin.for(emulator);
  const held = (): string[] =>
    emulator
      .snapshot()
      .ip_policy_rules!.map(({ cidr }) => String(cidr))
      .sort();
  const part = (...ranges: string[]) => ({
    ipPolicyId,
    exclusive: false,
    rules: Object.fromEntries(ranges.map((range) => [range, "allow"])),
  });
  const createBoth = async (one: string[], two: string[]) => {
    const run = process();
    return [await run.create(type, part(...one)), await run.create(type, part(...two))] as const;
  };

  it("deletes the rules of one of two sets of a policy, and leaves those of the other", async () => {
    const [one, two] = await createBoth(["10.0.0.0/16"], ["10.1.0.0/16"]);
    const run = process();
    await run.update(type, ipPolicyId, two.state, part("10.1.0.0/16", "10.2.0.0/16"));
    await run.hooks(type).delete(ipPolicyId, one.state);
    expect(held()).toEqual(["10.1.0.0/16", "10.2.0.0/16"]);
  });

  it.each(["the set that gets it first", "the set that gives it first", "both at once"])(
    "moves a range from one set to another in one run: %s",
    async (order) => {
      const [from, to] = await createBoth(["10.0.0.0/16", "10.1.0.0/16"], ["10.2.0.0/16"]);
      const run = process();
      const give = () => run.update(type, ipPolicyId, from.state, part("10.0.0.0/16"));
      const take = () => run.update(type, ipPolicyId, to.state, part("10.1.0.0/16", "10.2.0.0/16"));
      if (order === "both at once") await Promise.all([take(), give()]);
      else for (const work of order.includes("gets") ? [take, give] : [give, take]) await work();
      expect(held()).toEqual(["10.0.0.0/16", "10.1.0.0/16", "10.2.0.0/16"]);
    },
  );

  it("moves the only range of a set to another one", async () => {
    const [from, to] = await createBoth(["10.0.0.0/16"], []);
    const run = process();
    await run.update(type, ipPolicyId, to.state, part("10.0.0.0/16"));
    await run.update(type, ipPolicyId, from.state, part());
    expect(held()).toEqual(["10.0.0.0/16"]);
  });

  it("lists the collection once for all sets that one run creates, and once for all that one run updates", async () => {
    const first = process();
    const policies: string[] = [];
    for (let i = 0; i < 20; i++) policies.push((await first.create("IpPolicy", {})).id);
    const args = (id: string, rules: object) => ({ ipPolicyId: id, rules });
    const lists = () =>
      emulator.requests.filter(({ method, path }) => method === "GET" && path === "/ip_policy_rules").length;
    const run = process();
    emulator.clearRequests();
    const states = await Promise.all(
      policies.map((id) => run.create(type, args(id, { "10.0.0.0/8": "allow" }))),
    );
    expect(lists()).toBe(1);
    const next = process();
    emulator.clearRequests();
    await Promise.all(
      states.map(({ id, state }) =>
        next.update(type, id, state, args(id, { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" })),
      ),
    );
    expect(lists()).toBe(1);
  });
});
