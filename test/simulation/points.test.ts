/** Every moment of small worlds: a process dies there, or a request fails. */
import { leave } from "./machine/entropy";
import { smallWorldOf } from "../worlds/plan";
import { Tally } from "../worlds/tally";
import { inShort } from "./finding";
import { throughPoints, type PointFinding } from "./points";

const seed = 1;

afterAll(leave);

async function through(kind: "crash" | "fault", first: number, count: number): Promise<number> {
  const tally = new Tally();
  let points = 0;
  for (let number = first; number < first + count; number++) {
    const found: PointFinding[] = [];
    points += await throughPoints(smallWorldOf(seed, number), kind, tally, (each) => found.push(each));
    if (found.length === 0) continue;
    const { world, finding, moment } = found[0]!;
    const { message, test } = await inShort(world, finding, moment);
    throw new Error(`world ${number}: ${message}\n\nThe shortest one, as a test:\n${test}`, {
      cause: finding,
    });
  }
  return points;
}

test("after a kill before and after every request and every write of the state of 30 worlds, the repair brings agreement", async () => {
  expect(await through("crash", 1, 30)).toBeGreaterThan(400);
});

test("every single fault at every request of 6 worlds ends well, or is repaired", async () => {
  expect(await through("fault", 1, 6)).toBeGreaterThan(100);
});
