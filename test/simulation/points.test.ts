/** Every moment of small worlds: a process dies there, or a request fails. */
import { simulated } from "./child";

/** Nightly runs of `npm run simulate` take many more. */
const [seed, first] = [1, 1];

test("after a kill before and after every request and every write of the state of small worlds, the repair brings agreement", async () => {
  const { moments } = await simulated({ seed, first, worlds: 2, points: "crash" });
  expect(moments).toBeGreaterThan(30);
});

test("every single fault at every request of small worlds ends well, or is repaired", async () => {
  const { moments } = await simulated({ seed, first, worlds: 1, points: "fault" });
  expect(moments).toBeGreaterThan(8);
});
