import { cases, seedOf } from "../support/cases";
import { askPairs, missing } from "./differential";

const pairs = cases(120, 20_000);

it(
  `agrees with the package about ${pairs} pairs of worlds, in which nearly every kind of situation occurs`,
  () => {
    expect(missing(askPairs(pairs, seedOf(1))).length).toBeLessThan(cases(5, 1));
  },
  cases(300_000, 3_600_000),
);
