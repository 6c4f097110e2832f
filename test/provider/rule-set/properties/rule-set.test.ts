import fc from "../../../support/fast-check";
import type { FaultRule } from "../../../../src/emulator/types";
import { overlap } from "../../../../src/schema/formats/cidr";
import type { Json } from "../../../../src/schema/json";
import { Plugin } from "../../../support/plugin";
import { sharedEmulator } from "../../../support/emulators";
import { plain } from "../../../support/in-process/values";
import { cases } from "../../../support/cases";

const type = "IpPolicyRuleSet";

interface Rule {
  id: string;
  cidr: string;
  action: string;
  description?: string | null;
  ip_policy: { id: string };
}

const ranges = [
  ...Array.from({ length: 12 }, (_, i) => `10.${i}.0.0/16`),
  "2001:db8::/32",
  "2001:DB8:1::/48",
];
const range = fc.constantFrom(...ranges);
const rule = fc.oneof(
  fc.constantFrom("allow", "deny"),
  fc.record(
    { action: fc.constantFrom("allow", "deny"), description: fc.constantFrom("", "office", "guest") },
    { requiredKeys: ["action"] },
  ),
);
const rules = fc.dictionary(range, rule, { maxKeys: 12 });

const fault = fc.record({
  kind: fc.constantFrom("dropBefore", "dropAfter", "truncate", "garbage", "html", "status"),
  method: fc.constantFrom("POST", "PATCH", "DELETE", "GET"),
  status: fc.constantFrom(429, 502, 503, 504),
  after: fc.nat(4),
  times: fc.integer({ min: 1, max: 3 }),
}) as fc.Arbitrary<FaultRule>;

const byHand = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("make"), cidr: range, action: fc.constantFrom("allow", "deny") }),
    fc.record({ kind: fc.constant("delete"), at: fc.nat(20) }),
  ),
  { maxLength: 3 },
);

const more: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({}),
  fc.record({ summarize: fc.boolean(), extraRulesPercent: fc.constantFrom(0, 25, 1000) }),
);
const step = fc.record({
  rules,
  more,
  faults: fc.array(fault, { maxLength: 3 }),
  byHand,
  refresh: fc.boolean(),
});

describe("an exclusive rule set", () => {
  const emulator = sharedEmulator();

  const rulesOf = (policy: string): Rule[] =>
    (emulator.snapshot().ip_policy_rules as unknown as Rule[]).filter(
      ({ ip_policy: { id } }) => id === policy,
    );
  const inPolicy = (id: string): Record<string, string> => {
    const own = rulesOf(id);
    const entries = own.map((each): [string, string] => [
      each.cidr,
      `${each.action} ${each.description ?? ""}`,
    ]);
    expect(new Set(entries.map(([cidr]) => cidr)).size).toBe(entries.length);
    return Object.fromEntries(entries);
  };
  const wanted = (map: Json): Record<string, string> =>
    Object.fromEntries(
      Object.entries(map).map(([cidr, value]) => {
        const { action, description } = (typeof value === "string" ? { action: value } : value) as Record<
          string,
          string
        >;
        return [cidr.toLowerCase(), `${action!} ${description ?? ""}`];
      }),
    );

  /** What rules say of each of the ranges: the actions, and what is said beside them. */
  const said = (rules: Record<string, string>): string[][] =>
    [...ranges, "2001:db8:ffff::/48"].map((range) => {
      const here = Object.entries(rules).flatMap(([cidr, rule]) => (overlap(cidr, range) ? [rule] : []));
      const actions = here.map((rule) => rule.split(" ")[0]!);
      return [...new Set([...here.filter((rule) => !rule.endsWith(" ")), ...actions])].sort();
    });

  it("leaves exactly its entries in the policy after every refresh and request that end well, whatever happened before", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        const first = Plugin.for(emulator);
        const policy = await first.create("IpPolicy", {});
        const other = await first.create("IpPolicy", {});
        await first.create("IpPolicyRule", { ipPolicyId: other.id, cidr: "10.0.0.0/16", action: "allow" });
        let state: Json | undefined;
        for (const { rules, more, faults, byHand, refresh } of steps) {
          for (const change of byHand) await carryOutByHand(policy.id, change);
          const plugin = Plugin.for(emulator);
          const args = { ipPolicyId: policy.id, rules, ...more };
          emulator.setFaults({ rules: faults });
          const outcome = await run(plugin, policy.id, args, state, refresh);
          emulator.setFaults();
          state = outcome.state ?? state;
          if (!outcome.ended) continue;
          if (more.summarize === true) expect(said(inPolicy(policy.id))).toEqual(said(wanted(rules)));
          else expect(inPolicy(policy.id)).toEqual(wanted(rules));
          const read = await Plugin.for(emulator).read(type, policy.id, state!);
          expect(read.inputs).toBeUndefined();
          expect((await plugin.hooks(type).diff(policy.id, read.state, args)).changes).toBe(false);
        }
        expect(inPolicy(other.id)).toEqual({ "10.0.0.0/16": "allow " });
        emulator.setFaults();
        await Plugin.for(emulator)
          .hooks(type)
          .delete(policy.id, state ?? {});
      }),
      { numRuns: cases(15, 120) },
    );
  });

  // Found with the seed 291432813.
  it("leaves a rule that was added by hand where an update sends nothing; a refresh shows it, and then an update removes it", async () => {
    const plugin = Plugin.for(emulator);
    const { id } = await plugin.create("IpPolicy", {});
    const args = { ipPolicyId: id, rules: { "10.1.0.0/16": "deny" } };
    const { state } = await plugin.create(type, args);
    await carryOutByHand(id, { kind: "make", cidr: "10.0.0.0/16", action: "allow" });
    const defaults = { ...args, summarize: false, extraRulesPercent: 25 };
    emulator.clearRequests();
    const unsent = await plugin.update(type, id, state, defaults);
    expect(emulator.requests).toEqual([]);
    expect(inPolicy(id)).toEqual({ "10.1.0.0/16": "deny ", "10.0.0.0/16": "allow " });
    const read = await Plugin.for(emulator).read(type, id, unsent);
    expect(Object.keys(read.inputs!.rules as Json).sort()).toEqual(["10.0.0.0/16", "10.1.0.0/16"]);
    await Plugin.for(emulator).update(type, id, read.state, defaults);
    expect(inPolicy(id)).toEqual({ "10.1.0.0/16": "deny " });
  });

  async function carryOutByHand(policy: string, change: Json): Promise<void> {
    const plugin = Plugin.for(emulator);
    if (change.kind === "make") {
      const rule = { ipPolicyId: policy, cidr: String(change.cidr).toLowerCase(), action: change.action };
      await plugin.create("IpPolicyRule", rule).catch(() => undefined); // a range stands once in a policy
      return;
    }
    const held = rulesOf(policy);
    const victim = held[Number(change.at) % Math.max(held.length, 1)];
    if (victim) await plugin.hooks("IpPolicyRule").delete(victim.id, {});
  }

  /**
   * What an up does, with a refresh before it where one is wanted; what it records where it fails. An update that sends nothing
   * does not see what was done by hand: the next refresh shows it.
   */
  async function run(
    plugin: Plugin,
    id: string,
    args: Json,
    before: Json | undefined,
    refresh: boolean,
  ): Promise<{ ended: boolean; state?: Json }> {
    let state = before;
    try {
      if (state === undefined) return { ended: true, state: (await plugin.create(type, args)).state };
      if (refresh) state = (await plugin.read(type, id, state)).state;
      const { changes } = await plugin.hooks(type).diff(id, state, args);
      if (changes === false) return { ended: refresh, state };
      emulator.clearRequests();
      const after = await plugin.update(type, id, state, args);
      return { ended: refresh || emulator.requests.length > 0, state: after };
    } catch (error) {
      const { properties } = error as { properties?: Json };
      return { ended: false, state: properties ? plain(properties) : state };
    }
  }
});
