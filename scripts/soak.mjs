// The soak: random programs, edits, faults and kills on the real engine, or random schedules of the example fleet.
// docs/development/soak.md says what it checks.
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runTestsOf } from "./lib/jest.mjs";
import { positiveNumber, readOptions, wholeNumber } from "./lib/options.mjs";

const table = {
  minutes: positiveNumber("1", "for how long new worlds begin"),
  seed: wholeNumber("1", "the same seed gives the same worlds"),
  first: wholeNumber("1", "the first world or schedule, to repeat one that failed"),
  fleet: wholeNumber("0", "so many schedules of the example fleet, instead of worlds", 0),
  accounts: wholeNumber("12", "how many accounts the fleet has", 3),
};

export async function soak(args) {
  const options = readOptions("soak", args, table);
  if (options === undefined) return 2;
  whenInterrupted(() => `The soak from seed ${options.seed} was interrupted.`);
  process.env.TUNNEL_GATEWAY_SOAK = JSON.stringify(options);
  return runTestsOf(["soak"], [options.fleet === 0 ? "test/soak/soak" : "test/soak/fleet"]);
}
