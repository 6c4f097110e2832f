import { askPairs, missing } from "./differential";

it("agrees with the package about 120 pairs of worlds, in which almost every kind of situation occurs", () => {
  const [number, seed] = [120, 1];
  const counts = askPairs(number, seed);
  expect(missing(counts).length).toBeLessThan(5); // `npm run test:full` requires each
});
