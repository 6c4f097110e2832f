/** The way back: a change of an object of each class is refused or killed at each request, and the program is taken back. */
import { cases } from "../support/cases";
import { classesWithPlace } from "../worlds/plan";
import { simulated } from "./child";

/** Classes of which no two objects may be at one place come first: once with another place, once with other changes. */
const worlds = Array.from({ length: cases(2, classesWithPlace) }, (_, i) => i + 1);

test.each(worlds)(
  "a change that is refused or killed at any moment and taken back leaves each object once, and nothing was missing meanwhile (world %i)",
  async (first) => {
    const { moments } = await simulated({ seed: 1, first, worlds: 1, points: "back" });
    expect(moments).toBeGreaterThan(2);
  },
);
