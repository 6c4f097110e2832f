import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { leave } from "./machine/entropy";
import { worldOf } from "../worlds/plan";
import { runWorld } from "./world-run";

const seed = 1;

afterAll(leave);

test("the same world has the same trace, byte for byte", async () => {
  for (const number of [2, 5]) {
    const traces = [await runWorld(worldOf(seed, number), { traces: true })];
    await runWorld(worldOf(seed, number + 1));
    traces.push(await runWorld(worldOf(seed, number), { traces: true }));
    const [first, second] = traces.map(({ trace }) => trace.join("\n"));
    expect(first!.length).toBeGreaterThan(10_000);
    expect(second).toBe(first);
  }
});

test("two processes make the same traces of the same worlds, byte for byte", async () => {
  const support = join(__dirname, "../support/typescript.cjs");
  const options = { seed, first: 20, worlds: 2, process: 0, processes: 1, traces: true };
  const args = ["-r", support, join(__dirname, "main.ts"), JSON.stringify(options)];
  const run = () => promisify(execFile)(process.execPath, args);
  const [first, second] = await Promise.all([run(), run()]);
  expect(first.stdout).toMatch(/^(\d+ \d{2,} [\da-f]{64}\n){2}$/);
  expect(second.stdout).toBe(first.stdout);
});
