// The simulation: random worlds in virtual time, the same for the same seed. docs/reliability.md says what it checks.
import { fork } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runPacked } from "./lib/jest.mjs";
import { root } from "./lib/paths.mjs";
import { planted } from "./planted.mjs";

const usage = `npm run simulate -- [options]
  --seed 1           the same seed gives the same worlds, to the byte
  --first 1          the first world, to repeat one that failed
  --worlds 1000      how many worlds
  --points crash     small worlds, each once for every moment at which processes may die
  --points fault     small worlds, each once for every request and every way in which it may fail
  --real             each world on the real Pulumi CLI too: both engines must send, make and store the same
  --from <file>      each world begins with the resources of this stack, from pulumi stack export
  --planted <name>   what finds the mistakes whose names contain this; "" takes all (test/simulation/planted)
  --processes 2      how many processes work`;

export async function simulate(args) {
  const options = optionsOf(args);
  if (options === undefined) {
    console.log(usage);
    return 2;
  }
  whenInterrupted(() => `The simulation from seed ${options.seed} was interrupted.`);
  if (options.real) {
    process.env.TUNNEL_GATEWAY_REAL = JSON.stringify(options);
    return runPacked("real", []);
  }
  if (options.planted !== undefined) return planted(options);
  const begun = performance.now();
  const numbers = Array.from({ length: options.processes }, (_, i) => i);
  const results = await Promise.all(numbers.map((number) => oneProcess({ ...options, process: number })));
  const seconds = (performance.now() - begun) / 1000;
  console.log(inWords(options, results, seconds));
  return results.every((result) => result?.findings === 0) ? 0 : 1;
}

function optionsOf(args) {
  try {
    const number = (value) => ({ type: "string", default: value });
    const options = { seed: number("1"), first: number("1"), worlds: number("1000"), processes: number("2") };
    const { values } = parseArgs({
      args,
      options: {
        ...options,
        points: { type: "string" },
        real: { type: "boolean" },
        planted: { type: "string" },
        from: { type: "string" },
      },
    });
    const numbers = Object.fromEntries(Object.keys(options).map((name) => [name, Number(values[name])]));
    const isRight = Object.values(numbers).every((each) => Number.isSafeInteger(each) && each > 0);
    if (!isRight || ![undefined, "crash", "fault"].includes(values.points)) return undefined;
    const { points, real, planted: mistakes, from } = values;
    return { ...numbers, points, real, planted: mistakes, from };
  } catch {
    return undefined;
  }
}

/** Resolves with what the process did; undefined where it failed. */
function oneProcess(options) {
  const execArgv = ["-r", join(root, "test/support/typescript.cjs")];
  const child = fork(join(root, "test/simulation/main.ts"), [], { execArgv });
  return new Promise((resolve) => {
    let result;
    child.on("message", ({ found, progress, done, failed }) => {
      if (progress) console.log(`world ${progress.number}: ${progress.words}`);
      if (found) {
        const { seed, number, message, test } = found;
        console.log(
          `\nSeed ${seed}, world ${number} fails:\n${message}\n\nThe shortest one, as a test:\n${test}`,
        );
      }
      if (failed) console.error(failed);
      if (done) result = done;
      // Requests of processes that were killed in the simulation still have timers.
      if (done ?? failed) child.kill();
    });
    child.on("exit", () => resolve(result));
    child.send(options);
  });
}

function inWords({ seed, first, worlds }, results, seconds) {
  const sum = (of) => results.reduce((total, result) => total + (result ? of(result) : 0), 0);
  const counts = Object.keys(results[0]?.counts ?? {}).map((name) => {
    const words = name.replace(/([A-Z])/g, " $1").toLowerCase();
    return `${words} ${sum((result) => result.counts[name])}`;
  });
  const faults = sum((result) => result.faults.reduce((total, [, count]) => total + count, 0));
  const rounds = sum((result) => result.counts.rounds);
  const last = first + worlds - 1;
  return [
    `Seed ${seed}, worlds ${first} to ${last}: ${counts.join(", ")}, faults ${faults}, ` +
      `moments ${sum((result) => result.moments)}, findings ${sum((result) => result.findings)}.`,
    `${seconds.toFixed(0)} s, ${Math.round((rounds / seconds) * 3600).toLocaleString("en-US")} rounds an hour.`,
  ].join("\n");
}
