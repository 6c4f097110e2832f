/** A few of the questions of oracle/oracle.test: all of them take too long for each mutant. */
import { askPairs } from "../oracle/differential";

test("who gets in is what the oracle says of random previews, stacks and accounts", () => {
  askPairs(60, 1);
});
