/** Every moment of small worlds: a process dies there, or a request fails. */
import { simulated } from "./child";

const [seed, first] = [1, 1];

test("after a kill before and after every request and every write of the state of 30 worlds, the repair brings agreement", async () => {
  const { moments } = await simulated({ seed, first, worlds: 30, points: "crash" });
  expect(moments).toBeGreaterThan(600);
});

test("every single fault at every request of 6 worlds ends well, or is repaired", async () => {
  const { moments } = await simulated({ seed, first, worlds: 6, points: "fault" });
  expect(moments).toBeGreaterThan(200);
});
