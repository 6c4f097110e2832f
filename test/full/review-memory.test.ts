/** The memory that the review takes for large previews and logs. */
import { join } from "node:path";
import { engineSetup } from "../support/engine-setup";
import { newFolder, root, succeed } from "./package/support";

/** What a function of the benchmark measures, in a process of its own. */
async function measured<T>(module: string, name: string, ...args: readonly number[]): Promise<T> {
  const cli = join(engineSetup().template, "node_modules/pulumi-tunnel-gateway/dist/tools/cli/index.js");
  const folder = newFolder("review-memory");
  const script = `
    import { ${name} } from ${JSON.stringify(join(root, "scripts/lib/bench", module))};
    console.log(JSON.stringify(await ${name}(...${JSON.stringify([{ own: cli }, folder, ...args])})));
  `;
  const stdout = await succeed(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  return JSON.parse(stdout) as T;
}

it("reviews 10,000 changed rules in less than 1 GB; their preview has more than 100 MB", async () => {
  const { fileBytes, memory } = await measured<{ fileBytes: number; memory: number }>(
    "review.mjs",
    "reviewCost",
    ...[10_000, 1],
  );
  expect(fileBytes).toBeGreaterThan(100e6);
  expect(memory).toBeGreaterThan(50e6);
  expect(memory).toBeLessThan(1e9);
});

it("reads a log of a million lines with half a million clients against 10,000 ranges in less than 1 GB", async () => {
  const { lines, logMemory } = await measured<{ lines: number; logMemory: number }>(
    "access.mjs",
    "accessCost",
    ...[10_000, 1],
  );
  expect(lines).toBe(1_000_000);
  expect(logMemory).toBeGreaterThan(50e6);
  expect(logMemory).toBeLessThan(1e9);
});
