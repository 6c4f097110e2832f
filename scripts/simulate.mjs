// The simulation: random worlds in virtual time, the same for the same seed. docs/development/simulation.md says what it checks.
import { fork } from "node:child_process";
import { join } from "node:path";
import { whenInterrupted } from "./lib/interrupt.mjs";
import { runTestsOf } from "./lib/jest.mjs";
import { flag, oneOf, readOptions, text, wholeNumber } from "./lib/options.mjs";
import { root } from "./lib/paths.mjs";
import { planted } from "./planted.mjs";

const table = {
  seed: wholeNumber("1", "the same seed gives the same worlds, to the byte"),
  first: wholeNumber("1", "the first world, to repeat one that failed"),
  worlds: wholeNumber("1000", "how many worlds"),
  points: oneOf(
    ["crash", "fault", "back"],
    "small worlds, each once for every moment at which processes may die, or every way in which a request may fail; with back, changes of each class that are taken back after it",
  ),
  rehearsals: flag("each deployment is rehearsed first, and must then do what its rehearsal did"),
  broker: flag(
    "deployments of what was approved are broken at a write by a kill of the broker, the plugin or all of Pulumi, and must be resumed",
  ),
  real: flag("each world on the real Pulumi CLI too: both engines must send, make and store the same"),
  disturbed: flag(
    "with --real, worlds with faults, kills and changes by others, on the real Pulumi CLI alone",
  ),
  from: text("<file>", "each world begins with the resources of this stack, from pulumi stack export"),
  planted: text(
    "<name>",
    'what finds the mistakes whose names contain this; "" takes all (test/simulation/planted)',
  ),
  processes: wholeNumber("2", "how many processes work"),
};

export async function simulate(args) {
  const options = readOptions("simulate", args, table);
  if (options === undefined) return 2;
  whenInterrupted(() => `The simulation from seed ${options.seed} was interrupted.`);
  if (options.real) {
    process.env.TUNNEL_GATEWAY_REAL = JSON.stringify(options);
    return runTestsOf(["real"], [options.disturbed ? "real/disturbed" : "real/re"]);
  }
  if (options.planted !== undefined) return planted(options);
  const begun = performance.now();
  const numbers = Array.from({ length: options.processes }, (_, i) => i);
  const results = await Promise.all(numbers.map((number) => oneProcess({ ...options, process: number })));
  const seconds = (performance.now() - begun) / 1000;
  console.log(inWords(options, results, seconds));
  return results.every((result) => result?.findings === 0) ? 0 : 1;
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
  return (
    `Seed ${seed}, worlds ${first} to ${first + worlds - 1}: ${counts.join(", ")}, faults ${faults}, ` +
    `moments ${sum((result) => result.moments)}, findings ${sum((result) => result.findings)}; ${seconds.toFixed(0)} s.`
  );
}
