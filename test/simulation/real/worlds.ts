/**
 * The same worlds on the small engine and on the real one. Keys and certificates of arguments are made before the
 * machinery of the simulation is loaded, so that their times are those of today.
 */
import { randomBytes } from "node:crypto";
import { startEmulator } from "../../../src/emulator";
import { smallWorldOf, undisturbed, worldOf, type World } from "../../worlds/plan";
import { Tally } from "../../worlds/tally";
import type { DoorName } from "../../support/engine";
import { leave } from "../machine/entropy";
import type { Options } from "../main";
import { runWorld } from "../world-run";
import { difference, Recorder, type CommandRecord, type Labels } from "./records";
import { RealStack } from "./stack";
import { runReally, type Setting } from "./stage";

leave();

/** The worlds that scripts/simulate.mjs passes on; without it those of `npm run test:full`. */
export function takenWorlds(first: number, worlds: number): { seed: number; numbers: readonly number[] } {
  const given = process.env.TUNNEL_GATEWAY_REAL;
  const taken = given === undefined ? { seed: 1, first, worlds } : (JSON.parse(given) as Options);
  return { seed: taken.seed, numbers: Array.from({ length: taken.worlds }, (_, i) => taken.first + i) };
}

/** Takes worlds through the real engine, one after the other; fails with all that is wrong with them. */
export async function throughReal(
  numbers: readonly number[],
  wrongIn: (number: number, setting: Setting) => Promise<readonly string[]>,
  door?: DoorName,
): Promise<void> {
  const emulator = await startEmulator({
    apiKey: `REAL-KEY-${randomBytes(12).toString("hex")}`,
    accessHistory: true,
  });
  const setting = { emulator, program: RealStack.program(door) };
  const wrong: string[] = [];
  try {
    for (const number of numbers) wrong.push(...(await wrongIn(number, setting)));
  } finally {
    await emulator.close();
  }
  if (wrong.length > 0) throw new Error(wrong.join("\n\n"));
}

/** Half of them are small. */
function worldFor(seed: number, number: number): World {
  return undisturbed(number % 4 < 2 ? smallWorldOf(seed, number) : worldOf(seed, number));
}

type Records = readonly CommandRecord[];

/** The commands of the world on the small engine and on the real one. */
async function throughBoth(world: World, setting: Setting, tally: Tally): Promise<[Records, Records]> {
  const labels: Labels = new Map();
  const [small, real] = [new Recorder(labels), new Recorder(labels)];
  try {
    await runWorld(world, { begins: Date.now(), onCommand: small.onCommand });
  } finally {
    leave();
  }
  await runReally(world, setting, { tally, onCommand: real.onCommand });
  return [small.records, real.records];
}

/** Tests that take every n-th world through both engines. */
export function compareWorlds(part: number, parts: number): void {
  const { seed, numbers: all } = takenWorlds(4, 2); // two small ones: a large one takes minutes
  const numbers = all.filter((n) => n % parts === part);

  // A file without any test fails.
  (numbers.length === 0 ? test.skip : test)(
    `${numbers.length} worlds of seed ${seed} from ${numbers[0]} on send, make and store the same on both engines`,
    async () => {
      const tally = new Tally();
      let commands = 0;
      await throughReal(numbers, async (number, setting) => {
        const [small, real] = await throughBoth(worldFor(seed, number), setting, tally);
        commands += real.length;
        const found = difference(small, real);
        return found === undefined ? [] : [`Seed ${seed}, world ${number}: ${found}`];
      });
      expect(commands).toBeGreaterThanOrEqual(4 * numbers.length);
      expect(tally.counts.rounds).toBeGreaterThanOrEqual(2 * numbers.length);
    },
    numbers.length * 300_000,
  );
}
