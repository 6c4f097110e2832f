// The soak: random programs, edits, faults and kills on the real engine.
// docs/development/soak.md says what it checks.
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runTestsOf } from "./lib/jest.mjs";
import { positiveNumber, readOptions, wholeNumber } from "./lib/options.mjs";

const table = {
  minutes: positiveNumber("1", "for how long new worlds begin"),
  seed: wholeNumber("1", "the same seed gives the same worlds"),
  first: wholeNumber("1", "the first world, to repeat one that failed"),
};

export async function soak(args) {
  const options = readOptions("soak", args, table);
  if (options === undefined) return 2;
  whenInterrupted(() => `The soak from seed ${options.seed} was interrupted.`);
  process.env.TUNNEL_GATEWAY_SOAK = JSON.stringify(options);
  return runTestsOf(["soak"], []);
}
