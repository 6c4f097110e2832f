/** The rules of a set as a list, whose ranges may be Outputs; test/full/engine/rule-set.test.ts takes one through the engine. */
import type * as pulumi from "@pulumi/pulumi";
import { BotUser, IpPolicy, IpPolicyRuleSet, type IpPolicyRuleSetArgs } from "../../src";
import { unknown } from "../../src/schema/unknown";
import { emulatorForTests } from "../support/emulators";
import { failureOf } from "../support/failure";
import { InProcessStack } from "../support/in-process/stack";

const emulator = emulatorForTests();
let stack: InProcessStack;
beforeEach(() => {
  stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
});

type Rules = IpPolicyRuleSetArgs["rules"];

const set = (rules: Rules) => () =>
  void new IpPolicyRuleSet("set", { ipPolicyId: new IpPolicy("policy").id, rules });

/** A set with a range that another object produces: a preview that creates the object does not know it. */
const produced = (range: string, rules: (range: pulumi.Output<string>) => Rules, bot = "first") => {
  return () => set(rules(new BotUser(bot, { name: bot }).id.apply(() => range)))();
};

const writes = (): string[] =>
  emulator.requests
    .filter(({ method, path }) => method !== "GET" && path.startsWith("/ip_policy_rules"))
    .map(({ method, body }) => `${method} ${String((body as { cidr?: string } | undefined)?.cidr)}`);
const created = (): string[] =>
  emulator.requests
    .filter(({ method, path }) => method === "POST" && path === "/ip_policy_rules")
    .map(({ body }) => body as { cidr: string; action: string })
    .map(({ cidr, action }) => `${cidr} ${action}`)
    .sort();
const ofSet = async (program: () => void) =>
  (await stack.preview(program)).changes.find(({ name }) => name === "set");

it("is the same as the map with the same rules, in either direction", async () => {
  const until = "2100-01-01T00:00:00Z";
  const map = set({ "10.0.0.0/8": "allow", "2001:DB8::1": { action: "deny", description: "guest", until } });
  const list = set([
    { cidr: "2001:db8::1/128", action: "deny", description: "guest", until },
    { cidr: "10.0.0.0/8", action: "allow" },
  ]);
  await stack.up(map);
  const before = stack.resources.set!;
  emulator.clearRequests();
  expect((await stack.preview(list)).changes).toEqual([]);
  await stack.up(list);
  expect(stack.resources.set).toEqual(before);
  expect((await stack.preview(map)).changes).toEqual([]);
  expect(writes()).toEqual([]);
});

it("takes a range that another resource produces, in one up", async () => {
  const program = produced("198.51.100.4", (cidr) => [
    { cidr: "10.0.0.0/8", action: "allow" },
    { cidr, action: "allow", description: "gateway" },
  ]);
  await stack.up(program);
  expect(stack.resources.set!.outputs.rules).toEqual({
    "10.0.0.0/8": "allow",
    "198.51.100.4": { action: "allow", description: "gateway" },
  });
  emulator.clearRequests();
  expect((await stack.preview(program)).changes).toEqual([]);
  await stack.up(program);
  expect(writes()).toEqual([]);
});

it("shows a range that is not known yet as unknown, beside the known ones", async () => {
  const rules = (cidr: pulumi.Output<string>): Rules => [
    { cidr: "10.0.0.0/8", action: "allow" },
    { cidr, action: "deny", description: "gateway" },
  ];
  await stack.up(produced("198.51.100.4", rules));
  const next = produced("198.51.100.4", rules, "second");
  expect((await ofSet(next))?.after?.inputs.rules).toEqual({
    "10.0.0.0/8": "allow",
    "unknown (rules[1])": { action: "deny", cidr: unknown, description: "gateway" },
  });
  emulator.clearRequests();
  await stack.up(next);
  expect(writes()).toEqual([]);
  await stack.up(produced("198.51.100.5", rules, "third"));
  expect(writes()).toEqual(["POST 198.51.100.5/32", "DELETE undefined"]);
});

it("shows an entry that is unknown as a whole as such", async () => {
  const program = () => {
    const bot = new BotUser("first", { name: "first" });
    const entry = bot.id.apply(() => ({ cidr: "198.51.100.4", action: "allow" as const }));
    set([entry, { cidr: "10.0.0.0/8", action: "deny" }])();
  };
  expect((await ofSet(program))?.after?.inputs.rules).toEqual({
    "unknown (rules[0])": unknown,
    "10.0.0.0/8": "deny",
  });
  await stack.up(program);
  expect(created()).toEqual(["10.0.0.0/8 deny", "198.51.100.4/32 allow"]);
});

it("refuses a range of another entry, and a wrong one, that are known only after the deployment", async () => {
  const twice = produced("10.0.0.0/8", (cidr) => [
    { cidr: "10.0.0.0/8", action: "allow" },
    { cidr, action: "allow" },
  ]);
  await stack.preview(twice);
  expect((await failureOf(stack.up(twice))).message).toContain(
    'rules[1]: its cidr "10.0.0.0/8" is also that of rules[0]: remove one of them',
  );
  const wrong = produced("office", (cidr) => [{ cidr, action: "allow" }], "second");
  await stack.preview(wrong);
  expect((await failureOf(stack.up(wrong))).message).toContain("rules[0].cidr: must be a network address");
  expect(created()).toEqual([]);
});

it("leaves out an entry that has ended", async () => {
  const until = "2020-01-01T00:00:00Z";
  await stack.up(
    produced("198.51.100.4", (cidr) => [
      { cidr, action: "allow", until },
      { cidr: "10.0.0.0/8", action: "allow" },
    ]),
  );
  expect(created()).toEqual(["10.0.0.0/8 allow"]);
});
