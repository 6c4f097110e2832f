// Measures how much of src the tests reach: the unit tests in jest's own processes, and the engine tests of the
// command line, which run the packed package in processes of its own. Writes docs/development/coverage.md and fails below the
// limits.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import coverageMaps from "istanbul-lib-coverage";
import { format, resolveConfig } from "prettier";
import { build } from "./lib/build.mjs";
import { coverageOfProcesses } from "./lib/coverage/processes.mjs";
import { runTestsOf } from "./lib/jest.mjs";
import { root } from "./lib/paths.mjs";
import { ensurePulumi } from "./pulumi-cli.mjs";

const limits = { lines: 95, branches: 90 };

/** The engine tests that run the command line. */
const commandLineTests = ["cli", "functions", "import", "orphans", "review"];

export async function coverage() {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-coverage-"));
  const dumps = join(folder, "processes");
  mkdirSync(dumps);
  try {
    if ((await build("--sourceMap")) !== 0)
      throw new Error("The build failed: see the compiler's messages above.");
    await ensurePulumi();
    const reporters = ["--coverage", "--coverageReporters=json", `--coverageDirectory=${folder}`];
    const unit = await runTestsOf(["unit"], reporters);
    process.env.TUNNEL_GATEWAY_TEST_COVERAGE = dumps;
    const engine = await runTestsOf(
      ["engine"],
      commandLineTests.map((name) => `test/engine/${name}`),
    );
    if (unit !== 0 || engine !== 0)
      throw new Error("A test failed, so the coverage is incomplete: fix the test and run this again.");
    const all = coverageMaps.createCoverageMap(
      JSON.parse(readFileSync(join(folder, "coverage-final.json"), "utf8")),
    );
    all.merge(await coverageOfProcesses(dumps));
    return await report(all);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await build(); // without the maps
  }
}

async function report(all) {
  const page = join(root, "docs/development/coverage.md");
  const text = await format(pageOf(all), { ...(await resolveConfig(page)), filepath: page });
  writeFileSync(page, text);
  const missed = Object.entries(limits).filter(([what, limit]) => all.getCoverageSummary()[what].pct < limit);
  for (const [what, limit] of Object.entries(limits))
    console.log(`${what}: ${all.getCoverageSummary()[what].pct} % (at least ${limit} %)`);
  console.log(`Written: ${page}`);
  return missed.length === 0 ? 0 : 1;
}

function pageOf(all) {
  const folders = new Map();
  for (const file of all.files()) {
    const name = relative(root, file).split("/").slice(0, 2).join("/");
    const folder = name.endsWith(".ts") ? "src" : name;
    const summary = folders.get(folder) ?? coverageMaps.createCoverageSummary();
    summary.merge(all.fileCoverageFor(file).toSummary());
    folders.set(folder, summary);
  }
  const rows = [...folders]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, summary]) => row(`\`${name}\``, summary));
  return `# Coverage

<!-- Written by \`npm run coverage\`. Do not edit. -->

What the tests reach of \`src\`: the unit tests, and the engine tests of the command line, which run the packed
package. What the other engine tests reach in the plugin is not counted. The limits are ${limits.lines} % of the lines and
${limits.branches} % of the branches. Measured on ${new Date().toISOString().slice(0, 10)}.

| Folder | Lines | Branches |
| --- | --: | --: |
${[...rows, row("all", all.getCoverageSummary())].join("\n")}
`;
}

function row(name, { lines, branches }) {
  return `| ${name} | ${lines.pct.toFixed(1)} % | ${branches.pct.toFixed(1)} % |`;
}
