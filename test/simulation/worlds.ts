/** The worlds of `npm test`: two files share them, so that two processors do. */
import { leave } from "./machine/entropy";
import { faultKinds, worldOf } from "../worlds/plan";
import { Tally } from "../worlds/tally";
import { inShort } from "./finding";
import { runWorld, type Finding } from "./world-run";

const parts = 5;

/** Tests of so many worlds from the first one on. */
export function testWorlds(seed: number, first: number, worlds: number): void {
  afterAll(leave);

  test.each(Array.from({ length: parts }, (_, i) => first + (i * worlds) / parts))(
    `account, state and program agree after each round of the ${worlds / parts} worlds from %i on`,
    async (begin) => {
      const tally = new Tally();
      for (let number = begin; number < begin + worlds / parts; number++) {
        const world = worldOf(seed, number);
        try {
          await runWorld(world, { tally });
        } catch (error) {
          const { message, test } = await inShort(world, error as Finding, undefined);
          const text = `world ${number}: ${message}\n\nThe shortest one, as a test:\n${test}`;
          throw new Error(text, { cause: error });
        }
      }
      // They have really met what disturbs them.
      expect(tally.counts.rounds).toBeGreaterThan(350);
      expect(tally.counts.kills).toBeGreaterThan(30);
      expect(tally.counts.byHand).toBeGreaterThan(100);
      const never = Object.entries(tally.counts).filter(([, count]) => count === 0);
      expect(never).toEqual([]);
      expect(tally.faults.size).toBeGreaterThanOrEqual(faultKinds.length - 2);
    },
  );
}
