/** A few of the questions of unit/access/verdicts.test: all of them take too long for each mutant. */
import { askedNaively } from "../unit/access/naive";

test("the verdicts about addresses of random previews, stacks and accounts are those of a naive computation", () => {
  askedNaively(3_000);
});
