// The soak: random programs, edits, faults and kills on the real engine. docs/reliability.md says what it checks.
import { parseArgs } from "node:util";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runPacked } from "./lib/jest.mjs";

const usage = `npm run soak -- [options]
  --minutes 1   for how long new worlds begin
  --seed 1      the same seed gives the same worlds
  --first 1     the first world, to repeat one that failed`;

export async function soak(args) {
  const options = optionsOf(args);
  if (options === undefined) {
    console.log(usage);
    return 2;
  }
  whenInterrupted(() => `The soak from seed ${options.seed} was interrupted.`);
  process.env.TUNNEL_GATEWAY_SOAK = JSON.stringify(options);
  return runPacked("soak", []);
}

function optionsOf(args) {
  try {
    const number = (value) => ({ type: "string", default: value });
    const options = { minutes: number("1"), seed: number("1"), first: number("1") };
    const { values } = parseArgs({ args, options });
    const [minutes, seed, first] = ["minutes", "seed", "first"].map((name) => Number(values[name]));
    const isRight =
      minutes > 0 &&
      minutes < Infinity &&
      [seed, first].every((each) => Number.isSafeInteger(each) && each > 0);
    return isRight ? { minutes, seed, first } : undefined;
  } catch {
    return undefined;
  }
}
