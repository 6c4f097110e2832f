import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

/** What all jest runs of this process counted. */
export const counts = { passed: 0, failed: 0 };

/** Runs one project of jest.config and adds up its tests. */
export async function runJest(project, args) {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-jest-"));
  const file = join(folder, "results.json");
  try {
    const code = await run(
      "jest",
      ["--maxWorkers=2", "--selectProjects", project, "--json", `--outputFile=${file}`, ...args],
      {
        cwd: root,
      },
    );
    addUp(file);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function addUp(file) {
  let results;
  try {
    results = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    counts.failed += 1; // jest itself fell over: that is never "0 failed"
    return;
  }
  counts.passed += results.numPassedTests;
  // a suite that could not even be loaded has no failed test of its own
  counts.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
}
