/** Every moment of small worlds: a process dies there, or a request fails. */
import { cases } from "../support/cases";
import { simulated } from "./child";

const [seed, first] = [1, 1];

test("after a kill before and after every request and every write of the state of small worlds, the repair brings agreement", async () => {
  const { moments } = await simulated({ seed, first, worlds: cases(2, 10), points: "crash" });
  expect(moments).toBeGreaterThan(cases(30, 200));
});

test("every single fault at every request of small worlds ends well, or is repaired", async () => {
  const { moments } = await simulated({ seed, first, worlds: cases(1, 2), points: "fault" });
  expect(moments).toBeGreaterThan(cases(8, 50));
});
