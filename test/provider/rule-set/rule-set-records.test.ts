/** What the operations of a rule set record, and what they leave to others. */
import type { FaultRule } from "../../../src/emulator/types";
import { newClient } from "../../../src/provider/life-cycle/connection";
import { ApiError } from "../../../src/provider/errors";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import { declarationOf } from "../../../src/resources/registry";
import type { Json } from "../../../src/schema/json";
import { isRecord } from "../../../src/schema/unknown";
import { Plugin } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { plain } from "../../support/in-process/values";

const type = "IpPolicyRuleSet";

const emulator = emulatorForTests();
let ipPolicyId: string;

beforeEach(async () => {
  ipPolicyId = (await run().create("IpPolicy", {})).id;
});

/** Another process of the provider, which is another run of pulumi. */
const run = (): Plugin => Plugin.for(emulator);
const args = (rules: Json, more: Json = {}) => ({ ipPolicyId, rules, ...more });
const create = async (rules: Json, more: Json = {}) => (await run().create(type, args(rules, more))).state;
const rules = () => emulator.snapshot().ip_policy_rules!;
const held = (): string[] =>
  rules()
    .map(({ cidr }) => String(cidr))
    .sort();
const byHand = (cidr: string, action = "allow") => run().create("IpPolicyRule", { ipPolicyId, cidr, action });
const deleteByHand = (cidr: string) =>
  run()
    .hooks("IpPolicyRule")
    .delete(String(rules().find((rule) => rule.cidr === cidr)!.id));
const fail = (...rules: FaultRule[]) => emulator.setFaults({ rules });
const refuse = (method: string, more: Partial<FaultRule> = {}): FaultRule => ({
  ...{ kind: "status", status: 422, method, path: "/ip_policy_rules" },
  ...more,
});
/** The error of an operation, and what the engine stores of it; undefined where it stores nothing. */
async function failure(work: Promise<unknown>): Promise<{ message: string; recorded?: Json }> {
  const error = await work.then(
    () => new Error("it did not fail"),
    (thrown: unknown) => thrown as Error,
  );
  emulator.setFaults();
  if (!(error instanceof PartialFailure)) return { message: error.message };
  return { message: error.message, recorded: plain(error.properties).rules as Json };
}

describe("a policy", () => {
  it("without rules is an empty set, and not gone", async () => {
    const state = await create({});
    expect(await run().read(type, ipPolicyId, state)).toMatchObject({ id: ipPolicyId, state: { rules: {} } });
  });

  it("is not read for itself while it holds rules", async () => {
    const state = await create({ "10.0.0.0/8": "allow" });
    emulator.clearRequests();
    await run().update(type, ipPolicyId, state, args({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" }));
    expect(emulator.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /ip_policy_rules",
      "POST /ip_policy_rules",
    ]);
  });

  it("shows the commands of the package all of its rules as a set", async () => {
    await create({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" });
    const found = await newClient(declarationOf(type), run().http).lookUp(ipPolicyId);
    expect(Object.keys(found!.rules as Json).sort()).toEqual(held());
  });

  it("that is gone fails an update before anything is sent", async () => {
    const state = await create({});
    await run().hooks("IpPolicy").delete(ipPolicyId);
    emulator.clearRequests();
    const { message } = await failure(run().update(type, ipPolicyId, state, args({ "10.0.0.0/8": "allow" })));
    expect(message).toBe(
      `changing the IP policy rule set ${ipPolicyId} failed: ${ipPolicyId} does not exist. If it was deleted ` +
        "outside of this stack, run pulumi refresh, then pulumi up",
    );
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

describe("a failed operation", () => {
  const before = { "10.0.0.0/8": "allow" };
  const after = { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" };

  it("is recorded where an answer was lost and the policy cannot be read again", async () => {
    const state = await create(before);
    fail(
      { kind: "dropAfter", method: "POST", times: 1 },
      refuse("GET", { status: 400, after: 1, exact: true }),
    );
    const { message, recorded } = await failure(run().update(type, ipPolicyId, state, args(after)));
    expect(message).toMatch(
      /not all entries were changed\n {2}outcome unknown, because the service gave no answer: 192\.0\.2\.0\/24\n {2}stopped: listing the IP policy rules failed: 400/,
    );
    expect(recorded).toEqual(before);
    expect(held()).toEqual(Object.keys(after));
  });

  it("is recorded where no answer comes within the time for retries", async () => {
    const state = await create(before);
    fail({ kind: "dropBefore", method: "POST" });
    const { message, recorded } = await failure(run().update(type, ipPolicyId, state, args(after)));
    expect(message).toMatch(
      /not all entries were changed\n {2}outcome unknown, because the service gave no answer: 192\.0\.2\.0\/24\n {2}stopped: creating the IP policy rule/,
    );
    expect(recorded).toEqual(before);
    expect(emulator.requests.filter(({ method }) => method === "POST").length).toBeGreaterThan(3);
  });

  it("is recorded where an answer was lost while the key was refused for another entry", async () => {
    const state = await create(before);
    fail({ kind: "dropAfter", method: "POST", times: 1 }, refuse("POST", { status: 401 }));
    const more = { ...after, "198.51.100.0/24": "deny" };
    const { message, recorded } = await failure(run().update(type, ipPolicyId, state, args(more)));
    expect(message).toContain("stopped: creating the IP policy rule");
    expect(recorded).toEqual(Object.fromEntries(rules().map(({ cidr, action }) => [cidr, action])));
    expect(held()).toHaveLength(2);
  });

  it("names what was not answered where it is not known what came of it", async () => {
    const state = await create(before);
    fail({ kind: "dropBefore", method: "POST", times: 1 }, refuse("POST", { status: 401 }));
    const more = { ...after, "198.51.100.0/24": "deny" };
    const { message, recorded } = await failure(run().update(type, ipPolicyId, state, args(more)));
    expect(message).toMatch(
      /outcome unknown, because the service gave no answer: (192\.0\.2|198\.51\.100)\.0\/24\n/,
    );
    expect(recorded).toEqual(before);
  });

  it("is recorded where it leaves the rule that stands in for another one, and undone with the change", async () => {
    const shared = { exclusive: false };
    const state = await create(before, shared);
    fail(refuse("DELETE"));
    const changed = args({ "10.0.0.0/8": "deny" }, shared);
    const error = await failureOf(run().update(type, ipPolicyId, state, changed));
    expect(held()).toEqual(["10.0.0.0/8", "10.0.0.0/9"]);
    emulator.setFaults();
    expect(error).toBeInstanceOf(PartialFailure);
    const left = (error as PartialFailure).properties as Json;
    expect((await run().hooks(type).diff(ipPolicyId, left, args(before, shared))).changes).not.toBe(false);
    await run().update(type, ipPolicyId, left, args(before, shared));
    expect(held()).toEqual(["10.0.0.0/8"]);
  });

  it("is not recorded where a lost answer turns out to be of nothing done, and the rest is refused", async () => {
    const state = await create(before);
    fail({ kind: "dropBefore", method: "POST", times: 1 }, refuse("POST"));
    expect(await failure(run().update(type, ipPolicyId, state, args(after)))).not.toHaveProperty("recorded");
  });

  it("is not recorded where nothing was done and the policy holds just the entries of the state", async () => {
    const state = await create(before);
    fail(refuse("POST"));
    expect(await failure(run().update(type, ipPolicyId, state, args(after)))).not.toHaveProperty("recorded");
  });

  it("is not recorded where the policy holds rules of others beside those of the state", async () => {
    const shared = { exclusive: false };
    const state = await create(before, shared);
    await byHand("198.51.100.0/24");
    fail(refuse("POST"));
    const work = run().update(type, ipPolicyId, state, args(after, shared));
    expect(await failure(work)).not.toHaveProperty("recorded");
  });

  it.each<[string, () => Promise<unknown>, Json]>([
    ["a rule that nobody named", () => byHand("198.51.100.0/24"), { ...before, "198.51.100.0/24": "allow" }],
    ["a rule less", () => deleteByHand("10.0.0.0/8"), {}],
    [
      "a rule in the place of another one",
      () => deleteByHand("10.0.0.0/8").then(() => byHand("198.51.100.0/24")),
      { "198.51.100.0/24": "allow" },
    ],
    [
      "a rule with another description",
      async () => {
        const state = { ipPolicyId, cidr: "10.0.0.0/8", action: "allow", __args: ["cidr"] };
        const changed = { ipPolicyId, cidr: "10.0.0.0/8", action: "allow", description: "by hand" };
        await run().update("IpPolicyRule", String(rules()[0]!.id), state, changed);
      },
      { "10.0.0.0/8": { action: "allow", description: "by hand" } },
    ],
  ])("is recorded where the policy holds %s", async (_what, change, recorded) => {
    const state = await create(before);
    await change();
    fail(refuse("POST"), refuse("PATCH"));
    const work = run().update(type, ipPolicyId, state, args(after));
    expect((await failure(work)).recorded).toEqual(recorded);
  });

  /** A process behind a gateway that lists each rule twice, the second time with these members, and refuses deletes. */
  const doubled = (more: Json): Plugin => {
    const plugin = run();
    const send = plugin.http.send.bind(plugin.http);
    plugin.http.send = async (...call) => {
      const [{ method, operation, path }] = call;
      if (method === "DELETE") throw new ApiError(operation, 422, undefined, "refused", undefined);
      const second = (rule: Json): Json => ({ ...rule, ...more, id: `${String(rule.id)}-2` });
      const answer = await send({ ...call[0], path: path.replace(/-2$/, "") }, call[1]);
      const { body } = answer;
      if (path.endsWith("-2")) return { ...answer, body: second(body as Json) };
      if (!isRecord(body) || !Array.isArray(body.ip_policy_rules)) return answer;
      const twice = (body.ip_policy_rules as Json[]).flatMap((rule) => [rule, second(rule)]);
      return { ...answer, body: { ...body, ip_policy_rules: twice } };
    };
    return plugin;
  };

  it("is recorded where the policy holds a rule twice", async () => {
    const state = await create(before);
    fail(refuse("POST"));
    const { message, recorded } = await failure(doubled({}).update(type, ipPolicyId, state, args(after)));
    expect(message).toContain("10.0.0.0/8: deleting the IP policy rule 10.0.0.0/8 failed: 422");
    expect(recorded).toEqual(before);
  });

  it("shows of two rules for one range the one that differs from the entry", async () => {
    const state = await create(before);
    const found = await doubled({ action: "deny" }).read(type, ipPolicyId, state);
    expect(found.inputs).toEqual(args({ "10.0.0.0/8": "deny" }));
    expect((await doubled({}).read(type, ipPolicyId, state)).inputs).toBeUndefined();
  });

  it("records what the service keeps in another form, in whatever spelling the program has of its range", async () => {
    const process = run();
    const send = process.http.send.bind(process.http);
    process.http.send = async (...call) => {
      const answer = await send(...call);
      const { body } = answer;
      return isRecord(body) && "cidr" in body
        ? { ...answer, body: { ...body, description: "office" } }
        : answer;
    };
    fail(refuse("POST", { times: 1 }));
    const entry = { action: "allow", description: "Office" };
    const error = await failureOf<PartialFailure>(
      process.create(type, args({ "2001:DB8::/32": entry, "192.0.2.0/24": "deny" })),
    );
    expect(plain(error.properties).__acceptedEntries).toEqual({ "2001:DB8::/32": entry });
  });

  it("keeps no other set of the policy from its work", async () => {
    const shared = { exclusive: false };
    const one = await create({ "10.0.0.0/8": "allow" }, shared);
    const two = await create({ "192.0.2.0/24": "allow" }, shared);
    const process = run();
    fail(refuse("POST", { times: 1 }));
    const more = { "10.0.0.0/8": "allow", "10.1.0.0/16": "deny" };
    const [failed, worked] = await Promise.all([
      failure(process.update(type, ipPolicyId, one, args(more, shared))),
      process.update(type, ipPolicyId, two, args({ "198.51.100.0/24": "allow" }, shared)),
    ]);
    expect(failed.message).toContain("10.1.0.0/16: creating the IP policy rule");
    expect(worked.rules).toEqual({ "198.51.100.0/24": "allow" });
    expect(held()).toEqual(["10.0.0.0/8", "198.51.100.0/24"]);
  });
});

describe("a rule that a set takes over from a resource of its own", () => {
  it.each([true, false])(
    "stays when the resource is deleted in the same run; exclusive: %s",
    async (exclusive) => {
      const { id, state } = await byHand("10.0.0.0/8");
      const process = run();
      await process.create(type, args({ "10.0.0.0/8": "allow" }, { exclusive }));
      await process.hooks("IpPolicyRule").delete(id, state);
      expect(held()).toEqual(["10.0.0.0/8"]);
    },
  );

  it("stays too where another entry of the set failed", async () => {
    const { id, state } = await byHand("10.0.0.0/8");
    const process = run();
    fail(refuse("POST"));
    await failure(process.create(type, args({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" })));
    await process.hooks("IpPolicyRule").delete(id, state);
    expect(held()).toEqual(["10.0.0.0/8"]);
  });

  it("stays though its action changes, and one that the set did not take over goes", async () => {
    const one = await byHand("10.0.0.0/8");
    const other = await byHand("192.0.2.0/24");
    const process = run();
    await process.create(type, args({ "10.0.0.0/8": "allow" }, { exclusive: false }));
    for (const { id, state } of [one, other]) await process.hooks("IpPolicyRule").delete(id, state);
    expect(held()).toEqual(["10.0.0.0/8"]);
  });

  it("goes with its resource where the set had the entry before", async () => {
    const process = run();
    const { state } = await process.create(type, args({ "10.0.0.0/8": "allow" }));
    const next = run();
    await next.update(type, ipPolicyId, state, args({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" }));
    await next.hooks("IpPolicyRule").delete(String(rules().find(({ cidr }) => cidr === "10.0.0.0/8")!.id));
    expect(held()).toEqual(["192.0.2.0/24"]);
  });
});

describe("a set that is replaced by another one of its policy", () => {
  it("leaves what that one took over, and what it made anew", async () => {
    const old = await create({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" });
    await deleteByHand("192.0.2.0/24");
    const process = run();
    await process.create(type, args({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" }));
    await process.hooks(type).delete(ipPolicyId, old);
    expect(held()).toEqual(["10.0.0.0/8", "192.0.2.0/24"]);
  });

  it("is deleted with its other rules", async () => {
    const old = await create({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" }, { exclusive: false });
    const process = run();
    await process.create(type, args({ "10.0.0.0/8": "allow" }, { exclusive: false }));
    await process.hooks(type).delete(ipPolicyId, old);
    expect(held()).toEqual(["10.0.0.0/8"]);
  });

  it("leaves what that one made, though an answer was lost and nothing was left of the old one", async () => {
    const old = await create({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" });
    for (const range of held()) await deleteByHand(range);
    const process = run();
    fail({ kind: "dropAfter", method: "POST", times: 1 });
    await process.create(type, args({ "10.0.0.0/8": "allow", "192.0.2.0/24": "deny" }));
    await process.hooks(type).delete(ipPolicyId, old);
    expect(held()).toEqual(["10.0.0.0/8", "192.0.2.0/24"]);
  });
});
