/** Two files share the worlds, so that two processors do. */
import { simulated } from "./child";

/** How many kinds of faults worlds have. */
const kinds = 19;

/** Tests so many worlds from the first one on. */
export function testWorlds(seed: number, first: number, worlds: number): void {
  test(`account, state and program agree after each round of ${worlds} worlds from ${first} on, through both doors alike`, async () => {
    const { counts, faults } = await simulated({ seed, first, worlds });
    // They have really met what disturbs them.
    expect(counts.rounds).toBeGreaterThan(4 * worlds);
    expect(counts.kills).toBeGreaterThan(worlds / 2);
    expect(counts.byHand).toBeGreaterThan(2 * worlds);
    expect(Object.entries(counts).filter(([, count]) => count < worlds / 50)).toEqual([]);
    const often = faults.filter(([, count]) => count >= worlds / 20);
    expect(often.length).toBeGreaterThanOrEqual(kinds);
  });
}
