/** A plain IP address is a rule's cidr: it is the range that holds it alone, and is sent as that. */
import { IpAccessList, IpPolicy, IpPolicyRule, IpPolicyRuleSet } from "../../src";
import { InProcessStack } from "../support/in-process/stack";
import { emulatorForTests } from "../support/emulators";

const emulator = emulatorForTests();
let stack: InProcessStack;
beforeEach(() => {
  stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
});

function program() {
  const one = new IpPolicy("one");
  new IpPolicyRule("v4", { ipPolicyId: one.id, cidr: "198.51.100.7", action: "deny" });
  new IpPolicyRule("v6", { ipPolicyId: one.id, cidr: "2001:DB8::1", action: "allow" });
  const set = new IpPolicy("set");
  new IpPolicyRuleSet("set", {
    ipPolicyId: set.id,
    rules: { "198.51.100.7": "deny", "2001:DB8::1": { action: "allow", description: "home" } },
  });
  new IpAccessList("list", { allow: ["203.0.113.9", { cidr: "2001:db8::9" }], deny: ["192.0.2.1/32"] });
}

const sentRanges = () =>
  emulator.requests
    .filter(({ method, path }) => method === "POST" && path === "/ip_policy_rules")
    .map(({ body }) => (body as { cidr: string }).cidr)
    .sort();

it("is sent with its mask by rules, rule sets and access lists, and shows no difference afterwards", async () => {
  await stack.up(program);
  expect(sentRanges()).toEqual([
    "192.0.2.1/32",
    "198.51.100.7/32",
    "198.51.100.7/32",
    "2001:db8::1/128",
    "2001:db8::1/128",
    "2001:db8::9/128",
    "203.0.113.9/32",
  ]);
  expect(stack.resources.v4!.outputs.cidr).toBe("198.51.100.7");
  emulator.clearRequests();
  expect((await stack.preview(program)).changes).toEqual([]);
  await stack.refresh();
  expect((await stack.preview(program)).changes).toEqual([]);
  await stack.up(program);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

it("is the same rule as its range, so that the program may write either", async () => {
  const rule = (cidr: string) => () => {
    const policy = new IpPolicy("policy");
    new IpPolicyRule("rule", { ipPolicyId: policy.id, cidr, action: "allow" });
    new IpPolicyRuleSet("set", { ipPolicyId: new IpPolicy("other").id, rules: { [cidr]: "allow" } });
  };
  await stack.up(rule("198.51.100.7/32"));
  expect((await stack.preview(rule("198.51.100.7"))).changes).toEqual([]);
  emulator.clearRequests();
  await stack.up(rule("198.51.100.8"));
  expect(emulator.requests.filter(({ method }) => method === "PATCH").map(({ body }) => body)).toEqual([
    { cidr: "198.51.100.8/32" },
  ]);
});
