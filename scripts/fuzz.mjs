// The fuzz test: every parser of foreign text reads changed texts. docs/security.md says what must hold.
import { parseArgs } from "node:util";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runJest } from "./lib/jest.mjs";

const usage = `npm run fuzz -- [options]
  --minutes 1   for how long
  --seed 1      the same seed gives the same texts`;

export async function fuzz(args) {
  const options = optionsOf(args);
  if (options === undefined) {
    console.log(usage);
    return 2;
  }
  whenInterrupted(() => `The fuzz test from seed ${options.seed} was interrupted.`);
  process.env.TUNNEL_GATEWAY_FUZZ = JSON.stringify(options);
  return runJest("fuzz", []);
}

function optionsOf(args) {
  try {
    const number = { type: "string", default: "1" };
    const { values } = parseArgs({ args, options: { minutes: number, seed: number } });
    const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
    const isRight = minutes > 0 && minutes < Infinity && Number.isSafeInteger(seed) && seed > 0;
    return isRight ? { minutes, seed } : undefined;
  } catch {
    return undefined;
  }
}
