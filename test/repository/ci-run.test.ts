/** .ci/run with another `npm`: what its last lines say of both of its runs. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const root = resolve(__dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-ci-run-"));

afterAll(() => rmSync(folder, { recursive: true }));

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

/** The end of .ci/run, whose two calls of npm report these counts, or end without a report. */
function ciRun(test: Counts, full: Counts | undefined): { status: number | null; lines: string[] } {
  const module = pathToFileURL(join(root, "scripts/lib/report.mjs")).href;
  const script = `import { report } from ${JSON.stringify(module)};
    const counts = process.argv.at(-1) === "test" ? ${JSON.stringify(test)} : ${JSON.stringify(full ?? null)};
    if (counts !== null) report(counts);
    process.exit(counts?.failed === 0 ? 0 : 1);`;
  writeFileSync(join(folder, "report.mjs"), script);
  const npm = join(folder, "npm");
  writeFileSync(npm, `#!/bin/sh\nexec "${process.execPath}" "${join(folder, "report.mjs")}" "$@"\n`);
  chmodSync(npm, 0o755);
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  const { status, stdout } = spawnSync("sh", [join(root, ".ci/run")], { env, encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n") };
}

const good: Counts = { passed: 3, failed: 0, failures: [] };

it("adds up the tests of both runs", () => {
  const { status, lines } = ciRun(good, { ...good, passed: 4 });
  expect(status).toBe(0);
  expect(lines.at(-1)).toBe("7 passed, 0 failed");
});

it("says again at its end what failed in the first run, so that the last lines of a log are enough", () => {
  const reason = "test/a.test.ts: adds\nExpected: 3\n1 passed, 0 failed"; // a reason may look like the counts
  const { status, lines } = ciRun({ passed: 3, failed: 1, failures: [reason] }, good);
  expect(status).toBe(1);
  expect(lines.slice(-4)).toEqual([
    "FAILED test/a.test.ts: adds",
    "  Expected: 3",
    "  1 passed, 0 failed",
    "6 passed, 1 failed",
  ]);
});

it("counts a run that ends without its counts as one failure", () => {
  const { status, lines } = ciRun(good, undefined);
  expect(status).toBe(1);
  expect(lines.at(-1)).toBe("3 passed, 1 failed");
});
