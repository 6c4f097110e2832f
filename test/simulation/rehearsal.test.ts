/** The rehearsals and reviews of the deployments of random worlds against the deployments themselves, on the small engine. */
import "./machine/entropy";
import { cases, seedOf } from "../support/cases";
import { leave } from "./machine/entropy";
import { rehearsedWorld, rehearseSimulated } from "./rehearsals";

afterAll(leave);

const worlds = cases(8, 2_500);
const seed = seedOf(1);

describe("A rehearsal", () => {
  test.each(["dynamic", "native"] as const)(
    `of the plans of ${worlds} worlds sends what the deployment sends, and leads to the account and the access of their reviews (%s)`,
    async (door) => {
      const wrong: string[] = [];
      let [writes, unknown, knownPlaces] = [0, 0, 0];
      for (let number = 1; number <= worlds; number++) {
        const rehearsed = await rehearseSimulated(rehearsedWorld(seed, number), door);
        wrong.push(...rehearsed.differences.map((each) => `Seed ${seed}, world ${number}, ${each}`));
        writes += rehearsed.writes;
        unknown += rehearsed.unknown;
        knownPlaces += rehearsed.knownPlaces;
      }
      expect(wrong).toEqual([]);
      expect(writes).toBeGreaterThan(5 * worlds);
      expect(knownPlaces).toBeGreaterThan(2 * worlds);
      // A map with an unknown key is unknown as a whole.
      expect(unknown).toBeLessThan(worlds / 10);
    },
    300_000 + worlds * 3000,
  );
});
