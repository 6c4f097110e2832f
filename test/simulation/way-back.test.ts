/** The way back: a change of an object of each class is refused or killed at each request, and the program is taken back. */
import { cases } from "../support/cases";
import { classesWithPlace } from "../worlds/plan";
import { simulated } from "./child";

/** Classes of which no two objects may be at one place come first: once with another place, once with other changes. */
test("a change that is refused or killed at any moment and taken back leaves each object once, and nothing was missing meanwhile", async () => {
  const worlds = cases(2, classesWithPlace);
  const { moments } = await simulated({ seed: 1, first: 1, worlds, points: "back" });
  expect(moments).toBeGreaterThan(6 * worlds);
});
