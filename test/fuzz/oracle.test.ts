/** `npm run fuzz`: 20,000 pairs of worlds for the oracle of test/oracle, which `npm test` asks about 1,000. */
import { writeSync } from "node:fs";
import { askPairs, countsText, missing } from "../oracle/differential";

const { seed } = JSON.parse(process.env.TUNNEL_GATEWAY_FUZZ ?? '{ "seed": 1 }') as { seed: number };

test(`the oracle agrees about 20,000 pairs of worlds from seed ${seed}, in which every kind of situation occurs`, () => {
  const counts = askPairs(20_000, seed);
  writeSync(1, countsText(20_000, seed, counts));
  expect(missing(counts)).toEqual([]);
}, 3_600_000);
