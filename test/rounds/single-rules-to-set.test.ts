/** A program that replaces single rules by a set of the same ranges, all in one deployment. */
import { IpPolicy, IpPolicyRule, IpPolicyRuleSet } from "../../src";
import { InProcessStack } from "../support/in-process/stack";
import { emulatorForTests } from "../support/emulators";

const emulator = emulatorForTests();
let stack: InProcessStack;
beforeEach(() => {
  stack = new InProcessStack({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
});

const rules = { "10.0.0.0/8": "allow", "192.0.2.0/24": "deny", "198.51.100.0/24": "allow" } as const;
const single = () => {
  const policy = new IpPolicy("office");
  for (const [cidr, action] of Object.entries(rules))
    new IpPolicyRule(cidr, { ipPolicyId: policy.id, cidr, action });
};
const held = () => emulator.snapshot().ip_policy_rules!.map(({ id, cidr, action }) => [id, cidr, action]);

it.each([true, false])("keeps the rules, which the set has adopted (exclusive: %s)", async (exclusive) => {
  const together = () =>
    new IpPolicyRuleSet("office", { ipPolicyId: new IpPolicy("office").id, rules, exclusive });
  await stack.up(single);
  const before = held();
  emulator.clearRequests();
  await stack.up(together);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  expect(held()).toEqual(before);
  await stack.refresh();
  expect((await stack.preview(together)).changes).toEqual([]);
});

it("deletes the rules that the set does not name", async () => {
  await stack.up(single);
  const together = () =>
    new IpPolicyRuleSet("office", {
      ipPolicyId: new IpPolicy("office").id,
      exclusive: false,
      rules: { "10.0.0.0/8": "allow" },
    });
  await stack.up(together);
  expect(held().map(([, cidr]) => cidr)).toEqual(["10.0.0.0/8"]);
});
