import { leave } from "./machine/entropy";
import { worldOf } from "../worlds/plan";
import { runWorld } from "./world-run";

const seed = 1;

afterAll(leave);

test("the same world has the same trace, byte for byte", async () => {
  for (const number of [2, 3, 5]) {
    const traces = [await runWorld(worldOf(seed, number), { traces: true })];
    await runWorld(worldOf(seed, number + 1));
    traces.push(await runWorld(worldOf(seed, number), { traces: true }));
    const [first, second] = traces.map(({ trace }) => trace.join("\n"));
    expect(first!.length).toBeGreaterThan(10_000);
    expect(second).toBe(first);
  }
});
