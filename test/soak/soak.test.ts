/** `npm run soak`: random worlds on the real engine, for some minutes. docs/reliability.md says what a world is. */
import { randomBytes } from "node:crypto";
import { writeSync } from "node:fs";
import { startEmulator } from "../../src/emulator";
import { worldOf, type World } from "./plan";
import { shrink } from "./shrink";
import { Tally } from "./tally";
import { WorldRun } from "./world-run";

/** What scripts/soak.mjs passes on; without it the soak is as long as in .ci/run. */
const { minutes, seed, first } = JSON.parse(
  process.env.TUNNEL_GATEWAY_SOAK ?? '{ "minutes": 1, "seed": 1, "first": 1 }',
) as { minutes: number; seed: number; first: number };

/** A world that has begun ends, and a failure is made shorter. */
const extraMinutes = 30;

const say = (line: string): void => void writeSync(1, `${line}\n`);

test(
  `${minutes} min of random programs, edits, faults and kills from seed ${seed} leave account, state and program in agreement`,
  async () => {
    const emulator = await startEmulator({ apiKey: `SOAK-KEY-${randomBytes(12).toString("hex")}` });
    const tally = new Tally();
    const setting = { emulator, program: WorldRun.program(), tally };
    const end = Date.now() + minutes * 60_000;
    let number = first;
    try {
      for (; Date.now() < end; number++) {
        const world = worldOf(seed, number);
        const failure = await failureOf(world, setting);
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

type Setting = Parameters<typeof WorldRun.through>[1];

interface Failure {
  readonly round: number;
  readonly message: string;
}

async function failureOf(world: World, setting: Setting): Promise<Failure | undefined> {
  let round = 0;
  try {
    await WorldRun.through(world, setting, (index) => (round = index));
    return undefined;
  } catch (error) {
    return { round, message: (error as Error).message };
  }
}

/** The error with the seed, the round and the shortest steps that were found. */
async function inShort(world: World, failure: Failure, setting: Setting): Promise<Error> {
  const { seed, number } = world;
  say(`Seed ${seed}, world ${number}, round ${failure.round + 1} fails:\n${failure.message}`);
  say("Looking for shorter steps …");
  let { message } = failure;
  const cut = { ...world, rounds: world.rounds.slice(0, failure.round + 1) };
  const fails = async (candidate: World) => {
    const found = await failureOf(candidate, { ...setting, tally: new Tally() });
    if (found) ({ message } = found);
    return found?.message;
  };
  const shortest = await shrink(cut, fails, { mostAttempts: 16, longestMs: 5 * 60_000 });
  return new Error(
    `Seed ${seed}, world ${number}, round ${failure.round + 1} fails: ` +
      `npm run soak -- --seed ${seed} --first ${number}\n\n${message}\n\n` +
      `The shortest steps that were found:\n${JSON.stringify(shortest.rounds, null, 2)}`,
  );
}
