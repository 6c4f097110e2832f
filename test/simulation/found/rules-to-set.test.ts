/**
 * Program: single rules of a policy, which become one rule set.
 * What happens: the deployment is killed before and after each request and each write of the state, and deployed again.
 * Expected: the account has every range of the set.
 * Seen: the next deployment removed the rules that the state still had, which the set declares, and ended well.
 */
import { leave } from "../machine/entropy";
import { throughPoints } from "../points";
import type { Round } from "../../worlds/plan";
import { Tally } from "../../worlds/tally";

afterAll(leave);

const rules = { "10.0.0.0/24": "allow", "10.0.1.0/24": "deny", "10.0.2.0/24": "allow" };
const policy = { name: "office", type: "IpPolicy", args: {} };
const round = (program: Round["program"]): Round => ({
  program: [policy, ...program],
  ...{ byHand: [], command: "up", faults: [], logs: false },
});
const single = Object.entries(rules).map(([cidr, action], i) => ({
  name: `rule-${i}`,
  type: "IpPolicyRule",
  args: { ipPolicyId: "@office", cidr, action },
}));
const set = { name: "set", type: "IpPolicyRuleSet", args: { ipPolicyId: "@office", rules } };

test("single rules that become a set are all there, whenever the deployment is killed", async () => {
  const found: string[] = [];
  const world = { seed: 1, number: 1, stamps: false, rounds: [round(single), round([set])] };
  const moments = await throughPoints(world, "crash", new Tally(), ({ moment, finding }) =>
    found.push(`${JSON.stringify(moment)}: ${finding.message}`),
  );
  expect(found).toEqual([]);
  expect(moments).toBeGreaterThan(10);
});
