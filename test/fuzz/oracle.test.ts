/** `npm run fuzz`: 20,000 pairs of worlds for the oracle of test/oracle, which `npm test` asks about 1,000. */
import { writeSync } from "node:fs";
import { askPairs, countsText } from "../oracle/differential";

const { seed } = JSON.parse(process.env.TUNNEL_GATEWAY_FUZZ ?? '{ "seed": 1 }') as { seed: number };

test(`the oracle agrees about 20,000 pairs of worlds from seed ${seed}`, () => {
  writeSync(1, countsText(20_000, seed, askPairs(20_000, seed)));
}, 3_600_000);
