/** Worlds in virtual time, through both doors. */
import { simulated } from "./child";

/** How many kinds of faults worlds have. */
const kinds = 19;

/** A nightly run of `npm run simulate` takes many more. */
const worlds = 20;

test(`account, state and program agree after each round of ${worlds} worlds, through both doors alike`, async () => {
  const { counts, faults } = await simulated({ seed: 8, first: 1, worlds });
  // They have really met what disturbs them.
  expect(counts.rounds).toBeGreaterThan(4 * worlds);
  expect(counts.kills).toBeGreaterThan(worlds / 2);
  expect(counts.byHand).toBeGreaterThan(2 * worlds);
  expect(Object.entries(counts).filter(([, count]) => count < worlds / 50)).toEqual([]);
  const often = faults.filter(([, count]) => count >= worlds / 20);
  expect(often.length).toBeGreaterThanOrEqual(kinds);
});
