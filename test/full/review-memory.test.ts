/** A preview may be larger than the memory that the review takes. */
import { join } from "node:path";
import { engineSetup } from "../support/engine-setup";
import { newFolder, root, succeed } from "./package/support";

it("reviews 10,000 changed rules in less than 300 MB, although their preview has more than 100 MB", async () => {
  const cli = join(engineSetup().template, "node_modules/pulumi-tunnel-gateway/dist/cli/index.js");
  const folder = newFolder("review-memory");
  const script = `
    import { reviewCost } from ${JSON.stringify(join(root, "scripts/lib/bench/review.mjs"))};
    console.log(JSON.stringify(await reviewCost(...${JSON.stringify([cli, folder, 10_000, 1])})));
  `;
  const stdout = await succeed(process.execPath, ["--input-type=module", "-e", script], { cwd: folder });
  const { fileBytes, memory } = JSON.parse(stdout) as { fileBytes: number; memory: number };
  expect(fileBytes).toBeGreaterThan(100e6);
  expect(memory).toBeGreaterThan(50e6);
  expect(memory).toBeLessThan(300e6);
});
