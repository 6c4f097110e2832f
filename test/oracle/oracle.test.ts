import { writeSync } from "node:fs";
import { askPairs, countsText, missing } from "./differential";

it("agrees with the package about 300 pairs of worlds, in which every kind of situation occurs", () => {
  const [number, seed] = [300, 1];
  const counts = askPairs(number, seed);
  writeSync(1, countsText(number, seed, counts));
  expect(missing(counts)).toEqual([]);
});
