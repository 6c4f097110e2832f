/**
 * Program: a set whose rules that allow all become rules that deny, and the other way round.
 * What happens: the temporary rule (stand-in), which allows meanwhile, is answered 504 and created 1.4 seconds later.
 * Expected: the policy is read once more, and the temporary rule is deleted.
 * Seen: another one was created and deleted, and the first one came afterwards and stayed, although its range is denied.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";

afterAll(leave);

const round = (...actions: string[]) => {
  const ranges = ["::/0", "2001:db8::/32", "46.0.0.0/8"];
  const rules = Object.fromEntries(ranges.map((range, i) => [range, actions[i]]));
  return {
    program: [
      { name: "policy", type: "IpPolicy", args: {} },
      { name: "set", type: "IpPolicyRuleSet", args: { ipPolicyId: "@policy", rules } },
    ],
    ...({ byHand: [], command: "up", faults: [], logs: false } as const),
  };
};

test("a temporary rule that comes after its work is done does not stay", async () => {
  const late = { paths: ["/ip_policy_rules"], times: 1, milliseconds: 1_400 };
  const trace = await endsWell({
    ...{ seed: 301101, number: 1047, stamps: false },
    rounds: [round("deny", "allow", "allow"), { ...round("allow", "deny", "deny"), late }],
  });
  expect(trace.join("\n")).toContain("creating the IP policy rule 2001:db8::/33 failed: 504");
});
