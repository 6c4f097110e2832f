/** The memory that the review takes for large previews and logs. */
import { join } from "node:path";
import { engineSetup } from "../support/engine-setup";
import { newFolder, root, succeed } from "./package/support";

/** The most memory of a command that the benchmark measures, and the length of its preview, by a process of its own. */
async function measured(
  measure: string,
  preview: string,
  count: number,
): Promise<{ length: number; memory: number }> {
  const folder = newFolder("review-memory");
  const module = (name: string): string => JSON.stringify(join(root, "scripts/lib/bench", name));
  const script = `
    import { ${measure} } from ${module("commands.mjs")};
    import { ${preview} } from ${module("previews.mjs")};
    const [row] = await ${measure}(${JSON.stringify({ own: engineSetup().template, folder })}, ${count}, 1);
    console.log(JSON.stringify({ length: ${preview}(${count}).length, memory: row.most("memory") }));
  `;
  const stdout = await succeed(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  return JSON.parse(stdout) as { length: number; memory: number };
}

it("reviews 15,000 changed rules in less than 1 GB; their preview has more than 100 MB", async () => {
  const { length, memory } = await measured("reviewOfRules", "previewOfRules", 15_000);
  expect(length).toBeGreaterThan(100e6);
  expect(memory).toBeGreaterThan(50e6);
  expect(memory).toBeLessThan(1e9);
});

it("reads a log of a million lines with half a million clients against 10,000 ranges in less than 1 GB", async () => {
  const { memory } = await measured("reviewOfLog", "previewOfAccess", 10_000);
  expect(memory).toBeGreaterThan(50e6);
  expect(memory).toBeLessThan(1e9);
});
