/** `npm run soak`: random worlds on the real engine, for some minutes. docs/development/soak.md says what a world is. */
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { startEmulator } from "../../src/emulator";
import { worldOf, type World } from "../worlds/plan";
import { shrink } from "../worlds/shrink";
import { Tally } from "../worlds/tally";
import type { Finding } from "../worlds/run";
import { RealStack } from "./stack";
import { runReally, type Setting } from "./stage";

/** What scripts/random.mjs passes on. */
const { minutes, seed, first } = JSON.parse(process.env.TUNNEL_GATEWAY_SOAK!) as {
  minutes: number;
  seed: number;
  first: number;
};

/** A world that has begun ends, and a failure is made shorter. */
const extraMinutes = 30;

const say = (line: string): void => void writeSync(1, `${line}\n`);

test(
  `${minutes} min of random programs, edits, faults and kills from seed ${seed} leave account, state and program in agreement`,
  async () => {
    const emulator = await startEmulator({
      apiKey: `SOAK-KEY-${randomBytes(12).toString("hex")}`,
      accessHistory: true,
    });
    const tally = new Tally();
    const setting = { emulator, program: RealStack.program() };
    const end = Date.now() + minutes * 60_000;
    let number = first;
    try {
      for (; Date.now() < end; number++) {
        const world = worldOf(seed, number);
        const failure = await failureOf(world, setting, tally);
        if (failure) throw await inShort(world, failure, setting);
        say(`world ${number}: ${world.rounds.length} rounds; so far ${tally.inWords()}`);
      }
    } finally {
      await emulator.close();
    }
    say(`Seed ${seed}, worlds ${first} to ${number - 1}: ${tally.inWords()}.`);
    say(`Faults: ${[...tally.faults].map(([kind, count]) => `${kind} ${count}`).join(", ")}.`);
  },
  (minutes + extraMinutes) * 60_000,
);

async function failureOf(world: World, setting: Setting, tally = new Tally()): Promise<Finding | undefined> {
  try {
    await runReally(world, setting, { tally });
    return undefined;
  } catch (error) {
    return error as Finding;
  }
}

/** What is wrong, and what happened in the round until then. */
const inWords = ({ message, trace }: Finding): string =>
  `${message}\n\nUntil then:\n${trace.join("\n").slice(-20_000)}`;

/** The error with the seed, the round and the shortest steps that were found. */
async function inShort(world: World, failure: Finding, setting: Setting): Promise<Error> {
  const { seed, number } = world;
  say(`Seed ${seed}, world ${number}, round ${failure.round + 1} fails:\n${inWords(failure)}`);
  say("Looking for shorter steps …");
  let message = inWords(failure);
  const cut = { ...world, rounds: world.rounds.slice(0, failure.round + 1) };
  const fails = async (candidate: World) => {
    const found = await failureOf(candidate, setting);
    if (found) message = inWords(found);
    return found?.message;
  };
  const shortest = await shrink(cut, fails, { mostAttempts: 16, longestMs: 5 * 60_000 });
  return new Error(
    `Seed ${seed}, world ${number}, round ${failure.round + 1} fails: ` +
      `npm run soak -- --seed ${seed} --first ${number}\n\n${message}\n\n` +
      `The shortest steps that were found:\n${JSON.stringify(shortest.rounds, null, 2)}`,
  );
}
