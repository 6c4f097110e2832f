import { Plugin } from "../../support/plugin";
import type { Json } from "../../../src/schema/json";
import { emulatorForTests } from "../../support/emulators";
import { plain } from "../../support/in-process/values";
import { failureOf } from "../../support/failure";

const type = "IpPolicyRuleSet";

describe("rules of a policy that neither the state of its set nor the program names", () => {
  const emulator = emulatorForTests();
  let ipPolicyId: string;

  beforeEach(async () => {
    ipPolicyId = (await run().create("IpPolicy", {})).id;
  });

  /** Another process of the provider, which is another run of pulumi. */
  const run = () => Plugin.for(emulator);
  const held = (): Record<string, string> => {
    const rules = emulator.snapshot().ip_policy_rules!;
    return Object.fromEntries(rules.map(({ cidr, action }) => [String(cidr), String(action)]));
  };
  const byHand = (cidr: string, action: string) => run().create("IpPolicyRule", { ipPolicyId, cidr, action });
  const flipByHand = async (cidr: string, action: string) => {
    const rule = emulator.snapshot().ip_policy_rules!.find((each) => each.cidr === cidr)!;
    await run()
      .hooks("IpPolicyRule")
      .delete(rule.id as string);
    await byHand(cidr, action);
  };
  const args = (rules: Json, more: Json = {}) => ({ ipPolicyId, rules, ...more });
  const create = async (rules: Json, more: Json = {}) => (await run().create(type, args(rules, more))).state;
  /** What a failed operation says and what the engine stores of it. */
  const failure = async (work: Promise<unknown>): Promise<{ message: string; state: Json }> => {
    const error = await failureOf<{ message: string; properties: Json }>(work);
    return { message: error.message, state: plain(error.properties) };
  };

  it("stay when another entry is changed; the error names them, and the state records them", async () => {
    const state = await create({ "10.0.0.0/16": "allow" });
    await byHand("10.0.7.0/24", "deny");
    const next = args({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow" });
    const failed = await failure(run().update(type, ipPolicyId, state, next));
    expect(held()).toEqual({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow", "10.0.7.0/24": "deny" });
    expect(failed.message).toMatch(
      /neither in the state nor in the program, so they stay: 10\.0\.7\.0\/24 \(deny\)\n[^]*pulumi up again[^]*pulumi preview --refresh/,
    );
    expect(failed.state.rules).toEqual(held());
  });

  it("are shown line by line in the next preview, and removed by the next update", async () => {
    const state = await create({ "10.0.0.0/16": "allow" });
    await byHand("10.0.7.0/24", "deny");
    await byHand("10.0.8.0/24", "deny");
    const next = args({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow" });
    const failed = await failure(run().update(type, ipPolicyId, state, next));
    const preview = run();
    expect((await preview.hooks(type).diff(ipPolicyId, failed.state, next)).changes).toBe(true);
    expect(preview.lines.toSorted()).toEqual([
      expect.stringMatching(/rules\["10\.0\.7\.0\/24"\].*removed/),
      expect.stringMatching(/rules\["10\.0\.8\.0\/24"\].*removed/),
    ]);
    const updated = await run().update(type, ipPolicyId, failed.state, next);
    expect(held()).toEqual(next.rules);
    expect((await run().hooks(type).diff(ipPolicyId, updated, next)).changes).toBe(false);
  });

  it("stay when a set is created on their policy", async () => {
    await byHand("10.0.7.0/24", "deny");
    await byHand("10.1.0.0/16", "allow");
    const wanted = args({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow" });
    const failed = await failure(run().create(type, wanted));
    expect(held()).toEqual({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow", "10.0.7.0/24": "deny" });
    expect(failed.message).toContain("10.0.7.0/24 (deny)");
    expect(failed.message).not.toContain("10.1.0.0/16");
    await run().update(type, ipPolicyId, failed.state, wanted);
    expect(held()).toEqual(wanted.rules);
  });

  it("stay where their action was changed by hand, and nothing takes their place", async () => {
    const state = await create({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow" });
    await flipByHand("10.0.0.0/16", "deny");
    const next = args({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow", "10.2.0.0/16": "allow" });
    const failed = await failure(run().update(type, ipPolicyId, state, next));
    expect(held()).toEqual({ "10.0.0.0/16": "deny", "10.1.0.0/16": "allow", "10.2.0.0/16": "allow" });
    expect(failed.message).toContain("10.0.0.0/16 (deny)");
    await run().update(type, ipPolicyId, failed.state, next);
    expect(held()).toEqual(next.rules);
  });

  it("stay where an entry of another action was to be removed", async () => {
    const state = await create({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow" });
    await flipByHand("10.0.0.0/16", "deny");
    const failed = await failure(run().update(type, ipPolicyId, state, args({ "10.1.0.0/16": "allow" })));
    expect(failed.message).toContain("10.0.0.0/16 (deny)");
    expect(held()).toEqual({ "10.0.0.0/16": "deny", "10.1.0.0/16": "allow" });
  });

  it("are at most 20 in an error, then a number", async () => {
    const state = await create({ "10.0.0.0/16": "allow" });
    for (let i = 0; i < 23; i++) await byHand(`192.0.2.${i}/32`, "deny");
    const next = args({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow" });
    const { message } = await failure(run().update(type, ipPolicyId, state, next));
    expect(message.match(/\(deny\)/g)).toHaveLength(20);
    expect(message).toContain("and 3 more");
  });

  it("are none of the business of a set that is not exclusive, unless they have one of its ranges", async () => {
    await byHand("10.0.7.0/24", "deny");
    const more = { exclusive: false };
    const state = await create({ "10.0.0.0/16": "allow" }, more);
    const next = args({ "10.0.0.0/16": "allow", "10.0.7.0/24": "allow", "10.1.0.0/16": "allow" }, more);
    const failed = await failure(run().update(type, ipPolicyId, state, next));
    expect(failed.message).toContain("10.0.7.0/24 (deny)");
    expect(held()).toEqual({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow", "10.0.7.0/24": "deny" });
  });

  it("stay where the set gives up their range and the program has the rule as an object of its own", async () => {
    const single = { ipPolicyId, cidr: "10.0.0.0/16", action: "deny" };
    const both = { "10.0.0.0/16": "deny", "10.1.0.0/16": "allow" };
    const state = await create(both, { exclusive: false });
    const { id } = emulator.snapshot().ip_policy_rules!.find(({ cidr }) => cidr === single.cidr)!;
    const process = run();
    await process.hooks("IpPolicyRule").diff(String(id), single, single);
    await process.update(type, ipPolicyId, state, args({ "10.1.0.0/16": "allow" }, { exclusive: false }));
    expect(held()).toEqual(both);
    await run().update(type, ipPolicyId, state, args({ "10.1.0.0/16": "allow" }, { exclusive: false }));
    expect(held()).toEqual({ "10.1.0.0/16": "allow" });
  });

  it("stay when the set is deleted", async () => {
    const state = await create({ "10.0.0.0/16": "allow", "10.1.0.0/16": "allow" });
    await byHand("10.0.7.0/24", "deny");
    await flipByHand("10.1.0.0/16", "deny");
    await run().hooks(type).delete(ipPolicyId, state);
    expect(held()).toEqual({ "10.0.7.0/24": "deny", "10.1.0.0/16": "deny" });
  });
});

describe("a rule of its own whose action changes", () => {
  const state = {
    ipPolicyId: "ipp_1",
    cidr: "192.0.2.1",
    action: "allow",
    __args: ["ipPolicyId", "cidr", "action"],
  };
  const said = async (args: Json): Promise<string[]> => {
    const plugin = new Plugin({});
    await plugin.hooks("IpPolicyRule").diff("ipr_1", state, { ...state, ...args });
    return plugin.lines;
  };

  it("is deleted first, and the preview says that its policy may have no rule then", async () => {
    expect(await said({ action: "deny" })).toEqual([
      expect.stringMatching(
        /192\.0\.2\.1 changes from allow to deny: .*that policy has no rule for a moment/,
      ),
    ]);
  });

  it.each([
    { action: "allow" },
    { action: "deny", cidr: "192.0.2.2" },
    { action: "deny", ipPolicyId: "ipp_2" },
  ])("is the only one of which it says so: %p", async (args) => expect(await said(args)).toEqual([]));
});
