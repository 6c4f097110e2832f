/** Faults, kills and changes by others on the real engine: worlds that the simulation takes in virtual time. */
import { writeSync } from "node:fs";
import { worldOf, type World } from "../../worlds/plan";
import { Tally } from "../../worlds/tally";
import { inShort, type Way } from "../finding";
import { leave } from "../machine/entropy";
import type { Finding } from "../world-run";
import { runReally, type Setting } from "./stage";
import { takenWorlds, throughReal } from "./worlds";

leave();

const { seed, numbers } = takenWorlds(32, 1); // one with two kills

const say = (line: string): void => void writeSync(1, `${line}\n`);

test(
  `Account, state and program agree after each disturbed round of ${numbers.length} worlds of seed ${seed} on the real engine`,
  async () => {
    const tally = new Tally();
    await throughReal(numbers, async (number, setting) => {
      const world = worldOf(seed, number);
      try {
        await runReally(world, setting, { tally });
        say(`world ${number}: ${world.rounds.length} rounds; so far ${tally.inWords()}`);
        return [];
      } catch (error) {
        return [await explained(world, error as Finding, setting)];
      }
    });
    say(`Faults: ${[...tally.faults].map(([kind, count]) => `${kind} ${count}`).join(", ")}.`);
    expect(tally.counts.rounds).toBeGreaterThanOrEqual(3 * numbers.length);
  },
  // What fails is made shorter.
  numbers.length * 300_000 + 1_800_000,
);

/** What is wrong, what happened in the round until then, and the shortest world that was found. */
async function explained(world: World, finding: Finding, setting: Setting): Promise<string> {
  const { message, round, trace } = finding;
  const said = `Seed ${seed}, world ${world.number}, round ${round + 1} fails:\n${message}\n\nUntil then:\n`;
  const all = said + trace.join("\n").slice(-20_000);
  say(`${all}\nLooking for a shorter world …`);
  const way: Way = {
    option: " --real --disturbed",
    run: (candidate) => runReally(candidate, setting, {}),
    effort: { mostAttempts: 16, longestMs: 5 * 60_000 },
  };
  const shortest = await inShort(world, finding, undefined, way);
  return `${all}\n\nThe shortest one fails with ${shortest.message}\nAs a test, if the simulation shows it too:\n${shortest.test}`;
}
