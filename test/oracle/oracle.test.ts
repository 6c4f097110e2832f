import { writeSync } from "node:fs";
import { askPairs, countsText } from "./differential";

it("agrees with the package about 1,000 pairs of worlds", () => {
  const [number, seed] = [1000, 1];
  const counts = askPairs(number, seed);
  writeSync(1, countsText(number, seed, counts));
  for (const source of ["preview", "stack", "account"])
    for (const verdict of ["allowed", "denied", "undecided", "unmatched", "open"])
      expect(counts[`${source} ${verdict}`]).toBeGreaterThan(50);
  for (const kind of ["preview unknown", "newly allowed true", "no longer denied true", "clients change"])
    expect(counts[kind]).toBeGreaterThan(50);
});
