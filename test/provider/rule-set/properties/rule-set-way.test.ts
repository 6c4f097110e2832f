import fc from "../../../support/fast-check";
import type { FaultRule } from "../../../../src/emulator/types";
import { overlap } from "../../../../src/schema/formats/cidr";
import type { Json } from "../../../../src/schema/json";
import { Plugin } from "../../../support/plugin";
import { until } from "../../../support/until";
import { sharedEmulator } from "../../../support/emulators";
import { plain } from "../../../support/in-process/values";
import { cases } from "../../../support/cases";

/**
 * The way of a set from one list to another: at every moment what is allowed is allowed before or after, what is denied
 * before and after is denied, and the policy holds a rule unless it holds none before or after.
 */

const type = "IpPolicyRuleSet";
type Rules = Record<string, string>;

/** Ranges inside of each other, so that allowed and denied ones overlap. */
const ranges = [
  ...["10.0.0.0/29", "10.0.0.0/30", "10.0.0.4/30", "10.0.0.0/31", "10.0.0.2/31"],
  ...["10.0.0.4/31", "10.0.0.6/31", "10.0.0.1/32", "10.0.0.6/32"],
];
const addresses = Array.from({ length: 8 }, (_, i) => `10.0.0.${i}/32`);

const list: fc.Arbitrary<Rules> = fc.dictionary(
  fc.constantFrom(...ranges),
  fc.constantFrom("allow", "deny"),
  { maxKeys: 6 },
);
/** A set is summarized now and then, with more or fewer rules than needed. */
const summarizing: fc.Arbitrary<Json> = fc.oneof(
  fc.constant({}),
  fc.record({ summarize: fc.boolean(), extraRulesPercent: fc.constantFrom(0, 25, 1000) }),
);
const fault = fc.record({
  kind: fc.constantFrom("dropBefore", "dropAfter", "status"),
  method: fc.constantFrom("POST", "DELETE"),
  status: fc.constantFrom(400, 422, 429, 503),
  after: fc.nat(5),
  times: fc.integer({ min: 1, max: 2 }),
}) as fc.Arbitrary<FaultRule>;

/** Who gets in: the address is covered by allowed ranges alone, by denied ones alone, by both or by none. */
function verdict(rules: readonly (readonly [string, string])[], address: string): string {
  const covers = (action: string): boolean =>
    rules.some(([range, each]) => each === action && overlap(range, address));
  if (covers("allow")) return covers("deny") ? "undecided" : "allowed";
  return covers("deny") ? "denied" : "unmatched";
}

describe("the way of a rule set from one list to another", () => {
  const emulator = sharedEmulator();

  const held = (policy: string): [string, string][] =>
    emulator
      .snapshot()
      .ip_policy_rules!.filter((rule) => (rule.ip_policy as { id: string }).id === policy)
      .map(({ cidr, action }) => [String(cidr), String(action)]);

  /** A process that sends one request at a time, and notes what the policy holds after each. */
  const watched = (policy: string, moments: [string, string][][]): Plugin => {
    const plugin = Plugin.for(emulator);
    const send = plugin.http.send.bind(plugin.http);
    let turn: Promise<unknown> = Promise.resolve();
    plugin.http.send = (...call) => {
      const answer = turn.then(() => send(...call));
      turn = answer.then(
        () => moments.push(held(policy)),
        () => moments.push(held(policy)),
      );
      return answer;
    };
    return plugin;
  };

  /** What an update does, with its moments; the state that the engine stores. */
  async function deploy(
    policy: string,
    state: Json | undefined,
    rules: Rules,
    moments: [string, string][][],
    more: Json = {},
  ) {
    const args = { ipPolicyId: policy, rules, ...more };
    const plugin = watched(policy, moments);
    try {
      const next =
        state === undefined
          ? (await plugin.create(type, args)).state
          : await plugin.update(type, policy, state, args);
      return { state: next, ended: true };
    } catch (error) {
      return { state: plain((error as { properties: Json }).properties) as Json | undefined, ended: false };
    }
  }

  it.each<[string, string]>([
    ["10.0.0.0/29", "10.0.0.0/30"],
    ["10.0.0.0/30", "10.0.0.1/32"],
    ["10.0.0.1/32", "10.0.0.6/32"],
  ])("keeps a rule that allows while %s and %s change their actions with each other", async (one, other) => {
    for (const [from, to] of [
      ["allow", "deny"],
      ["deny", "allow"],
    ] as const) {
      const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
      const moments: [string, string][][] = [];
      const { state } = await deploy(policy, undefined, { [one]: from, [other]: to }, []);
      const { ended } = await deploy(policy, state, { [one]: to, [other]: from }, moments);
      expect(ended).toBe(true);
      expect(moments.length).toBeGreaterThan(4);
      for (const moment of moments) expect(moment.filter(([, action]) => action === "allow")).not.toEqual([]);
      expect(Object.fromEntries(held(policy))).toEqual({ [one]: to, [other]: from });
    }
  });

  it("keeps the promise after every write, whatever is refused or lost on the way", async () => {
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(list, summarizing), { minLength: 2, maxLength: 4 }),
        fc.array(fault, { maxLength: 2 }),
        async (lists, faults) => {
          const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
          let state: Json | undefined;
          for (const [rules, more] of lists) {
            const before = held(policy);
            const moments: [string, string][][] = [];
            emulator.setFaults({ rules: faults });
            const outcome = await deploy(policy, state, rules, moments, more);
            emulator.setFaults();
            changes += 1;
            state = outcome.state ?? state;
            const after = Object.entries(rules);
            for (const moment of moments) {
              for (const address of addresses) {
                const ends = [verdict(before, address), verdict(after, address)];
                const now = verdict(moment, address);
                if (now === "allowed") expect(ends).toContain("allowed");
                if (ends.every((end) => end === "denied")) expect(now).toBe("denied");
              }
              const allows = (all: readonly (readonly [string, string])[]) =>
                all.some(([, action]) => action === "allow");
              if (allows(before) && allows(after))
                expect([before, after, allows(moment)]).toEqual([before, after, true]);
              // A single address has no part that could stand in for it.
              const isSingle = before.some(([range]) => range.endsWith("/32"));
              if (before.length > 0 && after.length > 0 && !isSingle) expect(moment).not.toEqual([]);
            }
            if (!outcome.ended) continue;
            if (more.summarize !== true) expect(Object.fromEntries(held(policy))).toEqual(rules);
            for (const address of addresses)
              expect(verdict(held(policy), address)).toBe(verdict(after, address));
            const read = await Plugin.for(emulator).read(type, policy, state!);
            expect(read.inputs).toBeUndefined();
          }
        },
      ),
      { numRuns: cases(30, 240) },
    );
    expect(changes).toBeGreaterThan(cases(40, 320));
  }, 120_000);

  const flip = async (from: Rules, to: Rules) => {
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const { state } = await deploy(policy, undefined, from, []);
    emulator.clearRequests();
    const moments: [string, string][][] = [];
    const outcome = await deploy(policy, state, to, moments);
    expect(outcome.ended).toBe(true);
    expect(Object.fromEntries(held(policy))).toEqual(to);
    const writes = emulator.requests.filter(({ method }) => method !== "GET");
    return {
      moments,
      writes: writes.map(({ method, body }) => `${method} ${(body as Rules | undefined)?.cidr ?? ""}`),
    };
  };

  it("puts a half in the place of the only range while its action changes, with two requests more", async () => {
    const { moments, writes } = await flip({ "10.0.0.0/8": "allow" }, { "10.0.0.0/8": "deny" });
    expect(writes).toEqual(["POST 10.0.0.0/9", "DELETE ", "POST 10.0.0.0/8", "DELETE "]);
    expect(moments).not.toContainEqual([]);
  });

  it("sends nothing more where another range keeps the policy from being empty", async () => {
    const { moments, writes } = await flip(
      { "10.0.0.0/8": "allow", "192.0.2.1/32": "deny" },
      { "10.0.0.0/8": "deny", "192.0.2.1/32": "allow" },
    );
    expect(writes).toHaveLength(4);
    expect(moments).not.toContainEqual([]);
    expect(
      (await flip({ "10.0.0.0/8": "allow" }, { "10.0.0.0/8": "deny", "192.0.2.1/32": "allow" })).writes,
    ).toHaveLength(3);
  });

  it("has a moment without a rule only where a single address is the only one", async () => {
    const { moments, writes } = await flip({ "192.0.2.1/32": "allow" }, { "192.0.2.1/32": "deny" });
    expect(writes).toHaveLength(2);
    expect(moments).toContainEqual([]);
  });

  it("removes a half that a killed process left", async () => {
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const { state } = await deploy(policy, undefined, { "10.0.0.0/8": "allow" }, []);
    const killed = Plugin.for(emulator);
    const send = killed.http.send.bind(killed.http);
    let writes = 0;
    killed.http.send = (call, budget) =>
      call.method !== "GET" && ++writes > 1 ? new Promise(() => undefined) : send(call, budget);
    const args = { ipPolicyId: policy, rules: { "10.0.0.0/8": "deny" } };
    void killed.update(type, policy, state!, args);
    await until(() => held(policy).length >= 2);
    expect((await deploy(policy, state, args.rules, [])).ended).toBe(true);
    expect(held(policy)).toEqual([["10.0.0.0/8", "deny"]]);
  });
});
