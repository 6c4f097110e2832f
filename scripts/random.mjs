// The soak (random programs, edits, faults and kills on the real engine: docs/development/soak.md) and the fuzz test (every parser
// of foreign text reads changed texts: docs/security.md).
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runTestsOf } from "./lib/jest.mjs";
import { positiveNumber, readOptions, wholeNumber } from "./lib/options.mjs";

const minutes = positiveNumber("1", "for how long it begins something new");
const seed = wholeNumber("1", "the same seed gives the same worlds or texts");
const first = wholeNumber("1", "the first world, to repeat one that failed");

export const soak = (args) => runRandom("soak", args, { minutes, seed, first });
export const fuzz = (args) => runRandom("fuzz", args, { minutes, seed });

function runRandom(task, args, table) {
  const options = readOptions(task, args, table);
  if (options === undefined) return 2;
  whenInterrupted(() => `The ${task} from seed ${options.seed} was interrupted.`);
  process.env[`TUNNEL_GATEWAY_${task.toUpperCase()}`] = JSON.stringify(options);
  return runTestsOf([task], []);
}
