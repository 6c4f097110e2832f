// The fuzz test: every parser of foreign text reads changed texts (docs/security.md).
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runTestsOf } from "./lib/jest.mjs";
import { positiveNumber, readOptions, wholeNumber } from "./lib/options.mjs";

const table = {
  minutes: positiveNumber("1", "for how long it begins something new"),
  seed: wholeNumber("1", "the same seed gives the same texts"),
};

export function fuzz(args) {
  const options = readOptions("fuzz", args, table);
  if (options === undefined) return 2;
  whenInterrupted(() => `The fuzz from seed ${options.seed} was interrupted.`);
  process.env.TUNNEL_GATEWAY_FUZZ = JSON.stringify(options);
  return runTestsOf(["fuzz"], []);
}
