/** Every moment of small worlds: a process dies there, or a request fails. */
import { cases } from "../support/cases";
import { simulated } from "./child";

/** `npm run test:full` takes other worlds than `npm test`. */
const seed = 1;

test("after a kill before and after every request and every write of the state of small worlds, the repair brings agreement", async () => {
  const { moments } = await simulated({ seed, first: cases(1, 3), worlds: cases(2, 3), points: "crash" });
  expect(moments).toBeGreaterThan(cases(30, 60));
});

test("every single fault at every request of small worlds ends well, or is repaired", async () => {
  const { moments } = await simulated({ seed, first: cases(1, 2), worlds: 1, points: "fault" });
  expect(moments).toBeGreaterThan(8);
});
