// Measures whether the tests notice mistakes in the life cycle and the wire mapping: runs Stryker on
// stryker.config.mjs and writes docs/development/mutation.md. Fails below the score that the configuration requires.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import config from "../stryker.config.mjs";
import { ensureTools, toolFolder } from "./lib/install.mjs";
import { root } from "./lib/paths.mjs";
import { run } from "./lib/process.mjs";

/** What Stryker counts as noticed. Mutants that do not compile or are never loaded do not count. */
const noticed = ["Killed", "Timeout"];
const unnoticed = ["Survived", "NoCoverage"];

export async function mutation() {
  await ensureTools();
  const code = await run(join(toolFolder, "stryker"), ["run"], { cwd: root });
  const { files } = JSON.parse(readFileSync(join(root, config.jsonReporter.fileName), "utf8"));
  const page = join(root, "docs/development/mutation.md");
  writeFileSync(page, await format(report(files), { ...(await resolveConfig(page)), filepath: page }));
  console.log(`Written: ${page}`);
  return code;
}

function report(files) {
  const rows = Object.entries(files).map(([name, { mutants }]) => row(`\`${name}\``, mutants));
  const all = row(
    "all",
    Object.values(files).flatMap(({ mutants }) => mutants),
  );
  return `# Mutation tests

<!-- Written by \`npm run mutation\`. Do not edit. -->

[Stryker](https://stryker-mutator.io) changes the code of the life cycle and the wire mapping in one place at a time and
runs the tests: a mutant that no test notices is a mistake that nobody would see. The limit is
${config.thresholds.break} % noticed mutants. Measured on ${new Date().toISOString().slice(0, 10)}.

| File | Mutants | Noticed | Survived | Not reached | Score |
| --- | --: | --: | --: | --: | --: |
${[...rows, all].join("\n")}

## Survivors

${survivors(files)}
`;
}

function row(name, mutants) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [good, bad] = [count(...noticed), count(...unnoticed)];
  const score = good + bad === 0 ? "–" : `${((100 * good) / (good + bad)).toFixed(1)} %`;
  return `| ${[name, good + bad, good, count("Survived"), count("NoCoverage"), score].join(" | ")} |`;
}

function survivors(files) {
  const lines = Object.entries(files).flatMap(([name, { mutants }]) =>
    mutants
      .filter(({ status }) => unnoticed.includes(status))
      .sort((a, b) => a.location.start.line - b.location.start.line)
      .map(
        ({ location, mutatorName, replacement }) =>
          `- \`${name}:${location.start.line}\` ${mutatorName}: \`${shown(replacement)}\``,
      ),
  );
  return lines.length === 0 ? "None." : lines.join("\n");
}

function shown(text) {
  const line = text.replace(/\s+/g, " ").replaceAll("`", "'");
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
