/**
 * Program: a policy; another stack of the account has made an equal one some seconds ago.
 * What happens: the plugin dies when the service has made the policy, and the engine records nothing of it.
 * Expected: `tunnel-gateway orphans --planned` knows by the service's time that the update made the younger one, and the
 * repair imports it.
 * Seen: what was up to a minute older was a candidate, too, so that the recovery was undecided and imported nothing.
 * It was first met with another world, before worlds had a source of chance of their own.
 */
import { leave } from "../machine/entropy";
import { endsWell } from "../story";
import type { Round } from "../../worlds/plan";

afterAll(leave);

const args = { description: "office" };
const round = (program: Round["program"], beside?: Round["program"]): Round => ({
  program,
  byHand: [],
  command: "up",
  faults: [],
  logs: false,
  beside,
});

test("a policy whose plugin died is imported in the repair, though another stack has an older equal one", async () => {
  const rounds = [
    round([], [{ name: "theirs", type: "IpPolicy", args }]),
    round([{ name: "ours", type: "IpPolicy", args }]),
  ];
  const trace = await endsWell(
    { seed: 1, number: 1, stamps: false, rounds },
    { request: 1, strike: { kind: "kill", when: "after", isAlone: true } },
  );
  expect(trace.join("\n")).toMatch(/import: ours ipp_/);
});
