/** Pairs of worlds for the oracle of test/oracle: 20,000 with `npm run fuzz`, 600 with `npm run test:full`. `npm test` takes 120. */
import { writeSync } from "node:fs";
import { askPairs, countsText, missing } from "../oracle/differential";

const given = process.env.TUNNEL_GATEWAY_FUZZ;
const { seed } = JSON.parse(given ?? '{ "seed": 1 }') as { seed: number };
const pairs = given === undefined ? 600 : 20_000;

test(`the oracle agrees about ${pairs} pairs of worlds from seed ${seed}, in which every kind of situation occurs`, () => {
  const counts = askPairs(pairs, seed);
  writeSync(1, countsText(pairs, seed, counts));
  expect(missing(counts)).toEqual([]);
}, 3_600_000);
