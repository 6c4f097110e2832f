// Measures whether the tests notice mistakes in what keeps accounts whole: runs Stryker on each part of
// test/mutation/parts.cjs and writes its row in docs/development/mutation.md. Fails below the score that is required.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import parts from "../test/mutation/parts.cjs";
import { ensureTools, toolFolder } from "./lib/install.mjs";
import { flag, oneOf, readOptions } from "./lib/options.mjs";
import { root } from "./lib/paths.mjs";
import { capture, run } from "./lib/process.mjs";

/** The score that each part needs, in percent. */
const required = 95;

/** What Stryker counts as noticed. Mutants that do not compile do not count. */
const noticed = ["Killed", "Timeout"];
const unnoticed = ["Survived", "NoCoverage"];

const page = join(root, "docs/development/mutation.md");

const table = {
  part: oneOf(Object.keys(parts), `one part alone: ${Object.keys(parts).join(", ")}`, "<part>"),
  incremental: flag(
    "takes over what the last run found about mutants whose code and tests have not changed since",
  ),
};

export async function mutation(args) {
  const options = readOptions("mutation", args, table);
  if (options === undefined) return 2;
  await ensureTools();
  let isEnough = true;
  for (const part of options.part === undefined ? Object.keys(parts) : [options.part]) {
    const measured = await measure(part, options.incremental);
    if (measured === undefined) return 1;
    const { good, bad } = measured;
    console.log(`${part}: ${score(good, bad)} of ${good + bad} mutants noticed, ${required} % required.`);
    isEnough &&= (100 * good) / (good + bad) >= required;
  }
  return isEnough ? 0 : 1;
}

/** Runs a part and writes what it measured into the page; undefined where it failed. */
async function measure(part, incremental) {
  const begun = performance.now();
  const env = { ...process.env, TUNNEL_GATEWAY_MUTATION: part };
  const code = await run(join(toolFolder, "stryker"), ["run", ...(incremental ? [] : ["--force"])], {
    cwd: root,
    env,
  });
  if (code !== 0) return undefined;
  // A run that takes over results takes less time than the part does.
  const minutes = incremental ? undefined : ((performance.now() - begun) / 60_000).toFixed(1);
  const { files } = JSON.parse(readFileSync(join(root, `coverage/mutation/${part}.json`), "utf8"));
  const mutants = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file })),
  );
  const count = (statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const [good, bad] = [count(noticed), count(unnoticed)];
  const { stdout: commit } = await capture("git", ["rev-parse", "--short", "HEAD"], { cwd: root });
  const cells = [good + bad, good, bad, score(good, bad), minutes, commit.trim()];
  const survivors = mutants.filter(({ status }) => unnoticed.includes(status)).sort(byPlace);
  await write(part, cells, places(survivors).join("\n") || "None.");
  return { good, bad };
}

function score(good, bad) {
  return `${((100 * good) / (good + bad)).toFixed(1)} %`;
}

function byPlace(a, b) {
  return a.file === b.file ? a.location.start.line - b.location.start.line : a.file < b.file ? -1 : 1;
}

/** The lines of each file with mutants that no test noticed, and how many each has. The report has the mutants themselves. */
function places(survivors) {
  const files = Map.groupBy(survivors, ({ file }) => file);
  return [...files].map(([file, mutants]) => {
    const lines = Map.groupBy(mutants, ({ location }) => location.start.line);
    const texts = [...lines].map(([line, { length }]) => (length > 1 ? `${line} (${length})` : `${line}`));
    return `- \`${file}\`: ${texts.join(", ")}`;
  });
}

/** Writes the page with what a part measured, and with what it has about the others. */
async function write(measuredPart, cells, survivors) {
  const before = readFileSync(page, "utf8");
  const rows = Object.keys(parts).map((part) => {
    const [, known = "– | – | – | – | – | –"] =
      new RegExp(`^\\| \`${part}\` +\\|[^|]*\\|(.*)\\|$`, "m").exec(before) ?? [];
    const files = parts[part].files.map((file) => `\`${file}\``).join("<br>");
    const knownCells = known.split("|").map((cell) => cell.trim());
    const own = part === measuredPart ? cells.map((cell, i) => cell ?? knownCells[i]) : knownCells;
    return `| \`${part}\` | ${files} | ${own.join(" | ")} |`;
  });
  const knownSections = before.split(/^### /m).slice(1);
  const sections = Object.keys(parts).map((part) => {
    const known = knownSections.find((section) => section.startsWith(`${part}\n`))?.slice(part.length);
    return `### ${part}\n\n${part === measuredPart ? survivors : (known ?? "Not measured yet.").trim()}\n`;
  });
  const text = `# Mutation tests

<!-- Written by \`npm run mutation\`. Do not edit. -->

[Stryker](https://stryker-mutator.io) changes the code that keeps accounts whole in one place at a time and runs the
tests: a mutant that no test notices is a mistake that nobody would see. Of each part, ${required} % must be noticed.
\`npm run mutation -- --part ranges\` runs one part, and \`npm run mutation\` all of them in turn, on two processors. The files
and the tests of each part are in [\`test/mutation/parts.cjs\`](../../test/mutation/parts.cjs); worlds of the simulation are among
them.

| Part | Files | Mutants | Noticed | Not noticed | Score | Minutes | Commit |
| --- | --- | --: | --: | --: | --: | --: | --- |
${rows.join("\n")}

## Not noticed

The lines with mutants that no test notices, and how many if there are several. After a run, \`coverage/mutation\` has the
mutants.

${sections.join("\n")}`;
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
}
