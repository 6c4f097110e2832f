/** The requests of a rule set's update, one after the other, and what is left undone where one of them fails. */
import { brokerVariable } from "../../../src/provider/settings/broker-settings";
import type { HeldRule } from "../../../src/provider/rule-set/rule-plan";
import { RuleReport } from "../../../src/provider/rule-set/rule-report";
import { ApiError, TransportError } from "../../../src/provider/errors";
import type { Json } from "../../../src/schema/json";
import type { Timing } from "../../../src/provider/http/timing";
import { Plugin, hasty } from "../../support/plugin";
import { sharedEmulator } from "../../support/emulators";
import { plain } from "../../support/in-process/values";
import { failureOf } from "../../support/failure";

const type = "IpPolicyRuleSet";

/** What happens to a write: a status that it is refused with, 404 as the rule is gone, or a connection that breaks. */
type Failure = number | "lost before" | "lost after";

/** Writes are `POST|PATCH|DELETE <range> <action>`, with the status of those that were refused. */
interface Case {
  readonly from?: Json;
  readonly to?: Json;
  /** Not all rules of the policy are the set's. */
  readonly shared?: true;
  /** Rules that somebody made before the update, as `<range> <action>`. */
  readonly byHand?: readonly string[];
  /** The range of a rule that somebody deletes while a write is under way. */
  readonly deleted?: Readonly<Record<string, string>>;
  /** The failures of a write, of its first attempt, of its second one and so on. */
  readonly failures?: Readonly<Record<string, readonly Failure[]>>;
  readonly writes: readonly string[];
  /** The lines of the error, or what they match. */
  readonly error?: readonly (string | RegExp)[];
}

describe("an update of a rule set", () => {
  const emulator = sharedEmulator();

  const held = (policy: string): Json[] =>
    emulator.snapshot().ip_policy_rules!.filter((rule) => (rule.ip_policy as { id: string }).id === policy);

  /** A process that sends one request at a time, some of which fail. */
  function process(policy: string, writes: string[], { failures = {}, deleted = {} }: Case): Plugin {
    const plugin = Plugin.for(emulator);
    const send = plugin.http.send.bind(plugin.http);
    const pending = new Map(Object.entries(failures).map(([write, each]) => [write, [...each]]));
    let turn: Promise<unknown> = Promise.resolve();
    plugin.http.send = (...call) => {
      const [{ method, path, body, operation }] = call;
      const answer = turn.then(async () => {
        if (method === "GET") return send(...call);
        const isCreate = method === "POST";
        const object = isCreate ? (body as Json) : held(policy).find(({ id }) => path.endsWith(String(id)))!;
        const write = `${method} ${String(object.cidr)} ${String(object.action)}`;
        const failure = pending.get(write)?.shift();
        const victim = held(policy).find(({ cidr }) => cidr === deleted[write]);
        if (victim) await Plugin.for(emulator).hooks("IpPolicyRule").delete(String(victim.id));
        writes.push(typeof failure === "number" ? `${write} ${failure}` : write);
        if (failure === 404) await send({ method: "DELETE", path, operation });
        if (typeof failure === "number") {
          throw new ApiError(operation, failure, undefined, "refused", undefined);
        }
        if (failure !== "lost before") {
          const answered = await send(...call);
          if (failure === undefined) return answered;
        }
        throw new TransportError(operation, "the connection broke", "broken");
      });
      turn = answer.catch(() => undefined);
      return answer;
    };
    return plugin;
  }

  async function update(each: Case) {
    const { from, to, shared, byHand = [] } = each;
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const args = (rules: Json) => ({ ipPolicyId: policy, rules, ...(shared && { exclusive: false }) });
    const state = from && (await Plugin.for(emulator).create(type, args(from))).state;
    for (const text of byHand) {
      const [cidr, action] = text.split(" ");
      await Plugin.for(emulator).create("IpPolicyRule", { ipPolicyId: policy, cidr, action });
    }
    const writes: string[] = [];
    const plugin = process(policy, writes, each);
    const work =
      to === undefined
        ? plugin.hooks(type).delete(policy, state)
        : state
          ? plugin.update(type, policy, state, args(to))
          : plugin.create(type, args(to));
    const error = (await work.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )) as (Error & { properties?: Json }) | undefined;
    return { policy, writes, error, recorded: plain(error?.properties) };
  }

  const cases: Record<string, Case> = {
    "makes what denies before what allows, changes, and removes what allows before what denies": {
      from: {
        "10.0.0.0/8": "allow",
        "10.0.1.0/24": "deny",
        "192.0.2.0/24": "allow",
        "198.51.100.0/24": "allow",
      },
      to: {
        "172.16.0.0/12": "allow",
        "172.16.1.0/24": "deny",
        "192.0.2.0/24": { action: "allow", description: "office" },
        "198.51.100.0/24": "deny",
      },
      writes: [
        "POST 172.16.1.0/24 deny",
        "POST 172.16.0.0/12 allow",
        "PATCH 192.0.2.0/24 allow",
        "DELETE 198.51.100.0/24 allow",
        "POST 198.51.100.0/24 deny",
        "DELETE 10.0.0.0/8 allow",
        "DELETE 10.0.1.0/24 deny",
      ],
    },
    "replaces what will deny before what will allow": {
      from: { "10.0.0.0/8": "deny", "10.0.1.0/24": "allow", "192.0.2.0/24": "allow" },
      to: { "10.0.0.0/8": "allow", "10.0.1.0/24": "deny", "192.0.2.0/24": "allow" },
      writes: [
        "DELETE 10.0.1.0/24 allow",
        "POST 10.0.1.0/24 deny",
        "DELETE 10.0.0.0/8 deny",
        "POST 10.0.0.0/8 allow",
      ],
    },
    "makes no rule that allows what a refused one should deny, and all others": {
      to: { "10.0.0.0/8": "allow", "10.0.1.0/24": "deny", "192.0.2.0/24": "allow" },
      failures: { "POST 10.0.1.0/24 deny": [422] },
      writes: ["POST 10.0.1.0/24 deny 422", "POST 192.0.2.0/24 allow"],
      error: [
        /^the IP policy rule set of ipp_\w+: 1 of 3 entries failed$/,
        "  10.0.1.0/24: creating the IP policy rule 10.0.1.0/24 failed: 422: refused",
        "  not created, because an entry that overrides a part of it failed: 10.0.0.0/8",
      ],
    },
    "makes a rule though another one that allows was refused": {
      to: { "10.0.0.0/8": "allow", "10.0.1.0/24": "allow" },
      failures: { "POST 10.0.0.0/8 allow": [422] },
      writes: ["POST 10.0.0.0/8 allow 422", "POST 10.0.1.0/24 allow"],
      error: [/1 of 2 entries failed/, /^ {2}10\.0\.0\.0\/8: /],
    },
    "turns no rule into one that allows what a refused one should deny": {
      from: { "10.0.0.0/8": "deny", "192.0.2.0/24": "allow" },
      to: { "10.0.0.0/8": "allow", "10.0.1.0/24": "deny", "192.0.2.0/24": "allow" },
      failures: { "POST 10.0.1.0/24 deny": [422] },
      writes: ["POST 10.0.1.0/24 deny 422"],
      error: [
        /1 of 2 entries failed/,
        /^ {2}10\.0\.1\.0\/24: /,
        "  not created, because an entry that overrides a part of it failed: 10.0.0.0/8",
      ],
    },
    "keeps what allows while nothing that should allow could be made": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" },
      to: { "172.16.0.0/12": "allow" },
      failures: { "POST 172.16.0.0/12 allow": [422] },
      writes: ["POST 172.16.0.0/12 allow 422", "DELETE 192.0.2.0/24 deny"],
      error: [
        /1 of 3 entries failed/,
        /^ {2}172\.16\.0\.0\/12: /,
        "  not removed, because an entry that may take its place failed: 10.0.0.0/8",
      ],
    },
    "keeps what denies a part of what must stay allowed": {
      from: { "10.0.0.0/8": "allow", "10.0.1.0/24": "deny", "192.0.2.0/24": "deny" },
      to: { "172.16.0.0/12": "allow" },
      failures: { "POST 172.16.0.0/12 allow": [422] },
      writes: ["POST 172.16.0.0/12 allow 422", "DELETE 192.0.2.0/24 deny"],
      error: [
        /1 of 4 entries failed/,
        /^ {2}172\.16\.0\.0\/12: /,
        "  not removed, because an entry that may take its place failed: 10.0.0.0/8, 10.0.1.0/24",
      ],
    },
    "keeps one rule where no new one could be made, so that the policy is not empty": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      to: { "172.16.0.0/12": "deny" },
      failures: { "POST 172.16.0.0/12 deny": [422] },
      writes: ["POST 172.16.0.0/12 deny 422", "DELETE 10.0.0.0/8 allow"],
      error: [
        /1 of 3 entries failed/,
        /^ {2}172\.16\.0\.0\/12: /,
        "  not removed, because an entry that may take its place failed: 192.0.2.0/24",
      ],
    },
    "removes everything where nothing failed and nothing is wanted": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" },
      to: {},
      writes: ["DELETE 10.0.0.0/8 allow", "DELETE 192.0.2.0/24 deny"],
    },
    "keeps a rule that should deny until the one that allows around it is removed": {
      from: { "10.0.0.0/8": "allow", "10.0.1.0/24": "deny", "192.0.2.0/24": "deny" },
      to: {},
      failures: { "DELETE 10.0.0.0/8 allow": [422] },
      writes: ["DELETE 10.0.0.0/8 allow 422", "DELETE 192.0.2.0/24 deny"],
      error: [
        /1 of 3 entries failed/,
        /^ {2}10\.0\.0\.0\/8: deleting/,
        "  not removed, because an entry that may take its place failed: 10.0.1.0/24",
      ],
    },
    "keeps a rule that denies a part of what somebody allowed by hand": {
      from: { "10.0.1.0/24": "deny", "192.0.2.0/24": "deny" },
      byHand: ["10.0.0.0/8 allow"],
      to: { "192.0.2.0/24": "deny" },
      writes: [],
      error: [
        /there are IP policy rules that no preview showed/,
        "  not removed, because an entry that may take its place failed: 10.0.1.0/24",
        "  neither in the state nor in the program, so they stay: 10.0.0.0/8 (allow)",
        /run pulumi up again/,
      ],
    },
    "replaces one of two rules after the other, and needs no other rule for that": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      to: { "10.0.0.0/8": "deny", "192.0.2.0/24": "deny" },
      writes: [
        "DELETE 192.0.2.0/24 allow",
        "POST 192.0.2.0/24 deny",
        "DELETE 10.0.0.0/8 allow",
        "POST 10.0.0.0/8 deny",
      ],
    },
    "has half of the only range while its action changes": {
      from: { "10.0.0.0/8": "allow" },
      to: { "10.0.0.0/8": "deny" },
      writes: [
        "POST 10.0.0.0/9 deny",
        "DELETE 10.0.0.0/8 allow",
        "POST 10.0.0.0/8 deny",
        "DELETE 10.0.0.0/9 deny",
      ],
    },
    "has the other half where the first one is refused, in the next attempt": {
      from: { "10.0.0.0/8": "allow" },
      to: { "10.0.0.0/8": "deny", "10.0.0.0/9": "deny" },
      failures: { "POST 10.0.0.0/9 deny": [422] },
      writes: [
        "POST 10.0.0.0/9 deny 422",
        "POST 10.128.0.0/9 deny",
        "DELETE 10.0.0.0/8 allow",
        "POST 10.0.0.0/8 deny",
        "DELETE 10.128.0.0/9 deny",
      ],
      error: [/1 of 2 entries failed/, /^ {2}10\.0\.0\.0\/9: /],
    },
    "reads again where an answer is lost, and makes nothing twice": {
      to: { "10.0.0.0/8": "allow", "10.0.1.0/24": "deny" },
      failures: { "POST 10.0.1.0/24 deny": ["lost after"], "POST 10.0.0.0/8 allow": ["lost before"] },
      writes: ["POST 10.0.1.0/24 deny", "POST 10.0.0.0/8 allow", "POST 10.0.0.0/8 allow"],
    },
    "does not go on to what allows while it is open whether what denies was made": {
      to: { "10.0.0.0/8": "allow", "10.0.1.0/24": "deny" },
      failures: { "POST 10.0.1.0/24 deny": ["lost before", "lost before"] },
      writes: [
        "POST 10.0.1.0/24 deny",
        "POST 10.0.1.0/24 deny",
        "POST 10.0.1.0/24 deny",
        "POST 10.0.0.0/8 allow",
      ],
    },
    "does not replace the last rule while the outcome for the others is open": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      to: { "10.0.0.0/8": "deny", "192.0.2.0/24": "deny" },
      failures: { "POST 192.0.2.0/24 deny": ["lost before"] },
      writes: [
        "DELETE 192.0.2.0/24 allow",
        "POST 192.0.2.0/24 deny",
        "POST 192.0.2.0/24 deny",
        "DELETE 10.0.0.0/8 allow",
        "POST 10.0.0.0/8 deny",
      ],
    },
    "reads again where the account changed since it was read, once for each entry": {
      to: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      failures: { "POST 10.0.0.0/8 allow": [409, 409], "POST 192.0.2.0/24 allow": [409] },
      writes: [
        "POST 10.0.0.0/8 allow 409",
        "POST 192.0.2.0/24 allow 409",
        "POST 10.0.0.0/8 allow 409",
        "POST 192.0.2.0/24 allow",
      ],
      error: [
        /1 of 2 entries failed/,
        "  10.0.0.0/8: creating the IP policy rule 10.0.0.0/8 failed: 409: refused",
      ],
    },
    "reads again where a rule is gone when it is changed, and makes it": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      to: { "10.0.0.0/8": { action: "allow", description: "office" }, "192.0.2.0/24": "allow" },
      failures: { "PATCH 10.0.0.0/8 allow": [404] },
      writes: ["PATCH 10.0.0.0/8 allow 404", "POST 10.0.0.0/8 allow"],
    },
    "counts a rule that is gone when it is deleted as deleted": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      to: { "192.0.2.0/24": "allow" },
      failures: { "DELETE 10.0.0.0/8 allow": [404] },
      writes: ["DELETE 10.0.0.0/8 allow 404"],
    },
    ...Object.fromEntries(
      [401, 429].map((status): [string, Case] => [
        `sends nothing more where the key is refused, or all requests for long, with ${status}`,
        {
          from: { "198.51.100.0/24": "allow" },
          to: { "10.0.0.0/8": "deny", "192.0.2.0/24": "allow" },
          failures: { "POST 10.0.0.0/8 deny": [status] },
          writes: [`POST 10.0.0.0/8 deny ${status}`],
          error: [
            /not all entries were changed/,
            new RegExp(`^ {2}stopped: creating the IP policy rule 10\\.0\\.0\\.0/8 failed: ${status}`),
          ],
        },
      ]),
    ),
    "goes to no later step where the service fails": {
      from: { "10.0.0.0/8": "allow" },
      to: { "192.0.2.0/24": "allow", "198.51.100.0/24": "deny" },
      failures: { "POST 198.51.100.0/24 deny": [500] },
      writes: ["POST 198.51.100.0/24 deny 500"],
      error: [
        /not all entries were changed/,
        /^ {2}stopped: creating the IP policy rule 198\.51\.100\.0\/24 failed: 500/,
      ],
    },
    "goes on after a refusal of the status just below those of a failing service": {
      to: { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" },
      failures: { "POST 192.0.2.0/24 deny": [499] },
      writes: ["POST 192.0.2.0/24 deny 499", "POST 10.0.0.0/8 allow"],
      error: [/1 of 2 entries failed/, /^ {2}192\.0\.2\.0\/24: /],
    },
    "counts all entries of the set, those that wait and those that somebody else's rule blocks too": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      byHand: ["198.51.100.0/24 deny"],
      to: {
        "10.0.0.0/8": { action: "allow", description: "office" },
        "192.0.2.0/24": "deny",
        "198.51.100.0/24": "allow",
        "203.0.113.0/24": "allow",
      },
      failures: { "PATCH 10.0.0.0/8 allow": [422] },
      writes: [
        "POST 203.0.113.0/24 allow",
        "PATCH 10.0.0.0/8 allow 422",
        "DELETE 192.0.2.0/24 allow",
        "POST 192.0.2.0/24 deny",
      ],
      error: [
        /1 of 4 entries failed/,
        "  10.0.0.0/8: updating the IP policy rule 10.0.0.0/8 failed: 422: refused",
        "  neither in the state nor in the program, so they stay: 198.51.100.0/24 (deny)",
        /run pulumi up again/,
      ],
    },
    "makes a rule inside of a range that somebody else's rule blocks": {
      byHand: ["10.0.0.0/8 deny"],
      to: { "10.0.0.0/8": "allow", "10.0.1.0/24": "allow" },
      writes: ["POST 10.0.1.0/24 allow"],
      error: [
        /there are IP policy rules that no preview showed/,
        "  neither in the state nor in the program, so they stay: 10.0.0.0/8 (deny)",
        /run pulumi up again/,
      ],
    },
    "makes no rule that allows inside of a range whose denial somebody else's rule blocks": {
      byHand: ["10.0.0.0/8 allow"],
      to: { "10.0.0.0/8": "deny", "10.0.1.0/24": "allow" },
      writes: [],
      error: [
        /there are IP policy rules that no preview showed/,
        "  not created, because an entry that overrides a part of it failed: 10.0.1.0/24",
        "  neither in the state nor in the program, so they stay: 10.0.0.0/8 (allow)",
        /run pulumi up again/,
      ],
    },
    "sends no refused entry again after another one's answer was lost": {
      to: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      failures: { "POST 10.0.0.0/8 allow": [422], "POST 192.0.2.0/24 allow": ["lost before"] },
      writes: ["POST 10.0.0.0/8 allow 422", "POST 192.0.2.0/24 allow", "POST 192.0.2.0/24 allow"],
      error: [/1 of 2 entries failed/, /^ {2}10\.0\.0\.0\/8: /],
    },
    "names no rule as kept that somebody deleted meanwhile": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" },
      to: { "172.16.0.0/12": "allow" },
      failures: { "POST 172.16.0.0/12 allow": [422], "DELETE 192.0.2.0/24 deny": ["lost after"] },
      deleted: { "DELETE 192.0.2.0/24 deny": "10.0.0.0/8" },
      writes: ["POST 172.16.0.0/12 allow 422", "DELETE 192.0.2.0/24 deny"],
      error: [/1 of 3 entries failed/, /^ {2}172\.16\.0\.0\/12: /],
    },
    "has a moment without a rule where a single address is the only range": {
      from: { "192.0.2.1/32": "allow" },
      to: { "192.0.2.1/32": "deny" },
      writes: ["DELETE 192.0.2.1/32 allow", "POST 192.0.2.1/32 deny"],
    },
    "deletes with a set just its rules, those that allow first": {
      from: { "10.0.1.0/24": "deny", "10.0.0.0/8": "allow" },
      byHand: ["192.0.2.0/24 deny"],
      writes: ["DELETE 10.0.0.0/8 allow", "DELETE 10.0.1.0/24 deny"],
    },
    "fails to delete a set of which the service keeps a rule": {
      from: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" },
      failures: { "DELETE 10.0.0.0/8 allow": [422] },
      writes: ["DELETE 192.0.2.0/24 allow", "DELETE 10.0.0.0/8 allow 422"],
      error: [
        /1 of 2 entries failed/,
        "  10.0.0.0/8: deleting the IP policy rule 10.0.0.0/8 failed: 422: refused",
      ],
    },
  };

  it.each(Object.keys(cases))("%s", async (sentence) => {
    const each = cases[sentence]!;
    const { policy, writes, error, recorded } = await update(each);
    expect(writes).toEqual(each.writes);
    const lines = error?.message.replace(/\. The object ipp_\w+ exists and is recorded.*/, "").split("\n");
    const wanted = each.error?.map((line): unknown =>
      typeof line === "string" ? line : expect.stringMatching(line),
    );
    expect(lines).toEqual(wanted);
    const actions = Object.fromEntries(held(policy).map(({ cidr, action }) => [String(cidr), action]));
    if (error === undefined && each.to && !each.shared) {
      const wanted = Object.entries(each.to).map(([range, entry]) => [
        range,
        typeof entry === "string" ? entry : (entry as Json).action,
      ]);
      expect(actions).toEqual(Object.fromEntries(wanted));
    }
    if (recorded) expect(recorded.rules).toEqual(actions);
  });

  it("ends its lines about progress with it, whether it failed or not, and counts what was refused as done", async () => {
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const args = { ipPolicyId: policy, rules: { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" } };
    for (const [refused, method] of [
      [1, "POST"],
      [0, "PUT"],
    ] as const) {
      const works = new Set<() => void>();
      const every: Timing["every"] = (milliseconds, work) => {
        expect(milliseconds).toBeLessThanOrEqual(30_000);
        works.add(work);
        begun.push(work);
        return () => void works.delete(work);
      };
      const begun: (() => void)[] = [];
      const plugin = Plugin.for(emulator, {}, { timing: { ...hasty, every } });
      emulator.setFaults({ rules: [{ kind: "status", status: 422, method, times: 1 }] });
      const outcome = await plugin.create(type, args).then(
        () => 0,
        () => 1,
      );
      emulator.setFaults();
      expect(outcome).toBe(refused);
      expect(works.size).toBe(0);
      begun.at(-1)!();
      const count = refused === 1 ? "2 of 2" : "1 of 1";
      expect(plugin.lines.at(-1)).toMatch(new RegExp(`: ${count} IP policy rules done$`));
    }
  });

  it.each(["POST", "PATCH"])("reads again where the answer to a %s is of no use", async (method) => {
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const args = (rules: Json) => ({ ipPolicyId: policy, rules });
    const { state } = await Plugin.for(emulator).create(type, args({ "10.0.0.0/8": "allow" }));
    emulator.setFaults({
      rules: [{ kind: "garbage", method, afterWork: true, status: 200, body: { id: 5 }, times: 1 }],
    });
    const next = { "10.0.0.0/8": { action: "allow", description: "office" }, "192.0.2.0/24": "deny" };
    const updated = await Plugin.for(emulator).update(type, policy, state, args(next));
    emulator.setFaults();
    expect(updated.rules).toEqual(next);
    expect(held(policy)).toHaveLength(2);
  });

  it("takes no rule for deleted because a proxy answers that there is none", async () => {
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const args = (rules: Json) => ({ ipPolicyId: policy, rules });
    const rules = { "10.0.0.0/8": "allow", "192.0.2.0/24": "allow" };
    const { state } = await Plugin.for(emulator).create(type, args(rules));
    emulator.setFaults({ rules: [{ kind: "html", method: "DELETE", status: 404, afterWork: false }] });
    const error = await failureOf<{ message: string; properties: Json }>(
      Plugin.for(emulator).update(
        type,
        policy,
        state,
        args({ "10.0.0.0/8": "allow", "198.51.100.0/24": "allow" }),
      ),
    );
    emulator.setFaults();
    expect(error.message).toMatch(
      /stopped: deleting the IP policy rule 192\.0\.2\.0\/24 failed: 404.*This does not prove that it was deleted/,
    );
    expect(plain(error.properties).rules).toEqual({ ...rules, "198.51.100.0/24": "allow" });
  });

  it.each([
    [20, false],
    [23, true],
  ])("names at most 20 of %i refused entries, then a number", async (count, isMore) => {
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const ranges = Array.from({ length: count }, (_, i) => `10.${i}.0.0/16`);
    const rules = Object.fromEntries(ranges.map((range) => [range, "allow"]));
    emulator.setFaults({ rules: [{ kind: "status", method: "POST", status: 422 }] });
    const error = await failureOf(Plugin.for(emulator).create(type, { ipPolicyId: policy, rules }));
    emulator.setFaults();
    expect(error.message.match(/^ {2}10\.\d+\.0\.0\/16: creating/gm)).toHaveLength(20);
    expect(error.message.match(/^ {2}and .* more$/gm)).toEqual(isMore ? ["  and 3 more"] : null);
  });

  it("records what it made where something fails that is no answer", async () => {
    const policy = (await Plugin.for(emulator).create("IpPolicy", {})).id;
    const plugin = Plugin.for(emulator);
    const send = plugin.http.send.bind(plugin.http);
    plugin.http.send = (...call) => {
      const [{ method, body }] = call;
      const isBroken = method === "POST" && (body as Json).cidr === "192.0.2.0/24";
      return isBroken ? Promise.reject(new TypeError("broken")) : send(...call);
    };
    const rules = { "10.0.0.0/8": "deny", "192.0.2.0/24": "allow" };
    const error = await failureOf<{ message: string; properties: Json }>(
      plugin.create(type, { ipPolicyId: policy, rules }),
    );
    expect(error.message).toMatch(/not all entries were changed\n {2}stopped: broken/);
    expect(plain(error.properties).rules).toEqual({ "10.0.0.0/8": "deny" });
  });
});

it.each([
  ["", "run pulumi up again: the preview names them"],
  ["{}", "review and deploy the change again: the preview names them"],
])("says of rules that no preview showed what to do, with the broker %j", (broker, advice) => {
  process.env[brokerVariable] = broker;
  const report = new RuleReport("ipp_1");
  report.planned(0, [{ id: "ipr_1", cidr: "10.0.0.0/8", action: "allow" } as HeldRule]);
  const error = report.problem();
  delete process.env[brokerVariable];
  expect(error!.message).toContain(
    `  Add them to the program, or ${advice}, and the deployment removes them. `,
  );
});
