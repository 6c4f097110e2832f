/**
 * `npm run fuzz`: every parser of foreign text reads changed texts, for some minutes. A case fails on an error that is
 * not one of the package's own, on more than one second of processor time, and on a control character in what would be
 * printed.
 */
import { writeSync } from "node:fs";
import fc from "../support/fast-check";
import { escapeControlsInLines } from "../../src/schema/text/escape";
import { isOwnError, targets } from "./targets";
import type { Target } from "./targets";
import { Watchdog } from "./watchdog";

/** What scripts/fuzz.mjs passes on. */
const { minutes, seed } = JSON.parse(process.env.TUNNEL_GATEWAY_FUZZ ?? '{ "minutes": 0.15, "seed": 1 }') as {
  minutes: number;
  seed: number;
};

/** Cases of one target before the next one has its turn. */
const casesPerTurn = 60;
const limitMs = 1000;

// Node prints a warning as it is.
const warn = jest.spyOn(process, "emitWarning").mockReturnValue();

const watchdog = new Watchdog(30_000);
afterAll(() => watchdog.stop());

async function tryOne(target: Target, input: unknown, isAgain = false): Promise<void> {
  watchdog.begin(`${target.name}: ${JSON.stringify(input)}`);
  const before = process.cpuUsage();
  let printed: readonly string[];
  try {
    printed = await target.read(input);
  } catch (error) {
    if (!isOwnError(error)) throw error;
    // The command line cleans what it prints of an error; test/tools/cli shows it.
    printed = [];
  } finally {
    watchdog.end();
  }
  const { user, system } = process.cpuUsage(before);
  const usedMs = (user + system) / 1000;
  if (usedMs > limitMs && isAgain)
    throw new Error(`it took ${Math.round(usedMs)} ms of processor time, twice`);
  // The first time includes the work of the compiler and of the garbage collector for the cases before.
  if (usedMs > limitMs) return tryOne(target, input, true);
  // The Markdown itself has zero-width spaces in mentions and addresses, so that they notify nobody and link to nothing.
  const warnings = warn.mock.calls.splice(0).map(String);
  for (const text of [...printed, ...warnings].map((each) => each.replaceAll("\u200b", ""))) {
    const escaped = escapeControlsInLines(text);
    if (escaped === text) continue;
    const at = [...text].findIndex((character, i) => character !== [...escaped][i]);
    const around = JSON.stringify([...text].slice(Math.max(0, at - 60), at + 20).join(""));
    throw new Error(`it prints a control character: …${around}…`);
  }
}

/** The error, and the smallest input that causes it. */
function reportOf({ counterexample, errorInstance }: fc.RunDetails<[unknown]>, seed: number): string {
  const input = JSON.stringify(counterexample?.[0]) ?? "none";
  const stack = errorInstance instanceof Error ? (errorInstance.stack ?? "") : String(errorInstance);
  return `${stack.split("\n").slice(0, 6).join("\n")}\nwith seed ${seed} and ${input.slice(0, 2000)}`;
}

test(
  `every parser reads ${minutes} min of hostile texts from seed ${seed}`,
  async () => {
    const all = await targets();
    const end = Date.now() + minutes * 60_000;
    const cases = new Map(all.map(({ name }) => [name, 0]));
    const failures = new Map<string, string>();
    for (let turn = 0; turn === 0 || Date.now() < end; turn++) {
      for (const target of all.filter(({ name }) => !failures.has(name))) {
        const property = fc.asyncProperty(target.inputs, (input) => tryOne(target, input));
        const details = await fc.check(property, {
          seed: seed + turn,
          numRuns: casesPerTurn,
          interruptAfterTimeLimit: 60_000,
        });
        cases.set(target.name, cases.get(target.name)! + details.numRuns);
        if (details.failed) failures.set(target.name, reportOf(details, seed + turn));
      }
    }
    const counts = [...cases].map(([name, count]) => `${name} ${count}`).join(", ");
    writeSync(1, `Fuzzed from seed ${seed}: ${counts}\n`);
    expect(Object.fromEntries(failures)).toEqual({});
  },
  minutes * 60_000 + 600_000,
);
