/**
 * The same worlds on the small engine and on the real one. Keys and certificates of arguments are made before the
 * machinery of the simulation is loaded, so that their times are those of today.
 */
import { randomBytes } from "node:crypto";
import { startEmulator } from "../../../src/emulator";
import { smallWorldOf, undisturbed, worldOf, type World } from "../../worlds/plan";
import { Tally } from "../../worlds/tally";
import { RealStack } from "../../soak/stack";
import { runReally, type Setting } from "../../soak/stage";
import { leave } from "../machine/entropy";
import { runWorld } from "../world-run";
import { difference, Recorder, type CommandRecord, type Labels } from "./records";

leave();

interface Taken {
  readonly seed: number;
  readonly first: number;
  readonly worlds: number;
}

/** The worlds that scripts/simulate.mjs passes on; without it those of `npm run test:full`. */
export function takenWorlds(first: number, worlds: number): Taken {
  const given = process.env.TUNNEL_GATEWAY_REAL;
  return given === undefined ? { seed: 1, first, worlds } : (JSON.parse(given) as Taken);
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
  const { seed, first, worlds } = takenWorlds(4, 2); // two small ones: a large one takes minutes
  const numbers = Array.from({ length: worlds }, (_, i) => first + i).filter((n) => n % parts === part);

  // A file without any test fails.
  (numbers.length === 0 ? test.skip : test)(
    `${numbers.length} worlds of seed ${seed} from ${numbers[0]} on send, make and store the same on both engines`,
    async () => {
      const emulator = await startEmulator({
        apiKey: `REAL-KEY-${randomBytes(12).toString("hex")}`,
        accessHistory: true,
      });
      const setting = { emulator, program: RealStack.program() };
      const tally = new Tally();
      const wrong: string[] = [];
      let commands = 0;
      try {
        for (const number of numbers) {
          const [small, real] = await throughBoth(worldFor(seed, number), setting, tally);
          const found = difference(small, real);
          if (found !== undefined) wrong.push(`Seed ${seed}, world ${number}: ${found}`);
          commands += real.length;
        }
      } finally {
        await emulator.close();
      }
      if (wrong.length > 0) throw new Error(wrong.join("\n\n"));
      expect(commands).toBeGreaterThanOrEqual(4 * numbers.length);
      expect(tally.counts.rounds).toBeGreaterThanOrEqual(2 * numbers.length);
    },
    numbers.length * 300_000,
  );
}
