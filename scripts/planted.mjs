// Puts mistakes into a copy of the sources, one at a time, and says what finds each: the tests of its module, or the
// simulation. docs/development/simulation.md shows the last run.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { capture } from "./lib/process.mjs";
import { root } from "./lib/paths.mjs";
import { mistakes } from "../test/simulation/planted/mistakes.mjs";

/** What the copy does without. */
const leftOut = new Set(["node_modules", ".git", "dist", "coverage", "docs", "examples", "templates"]);

/**
 * @param options those of the simulation. `planted` chooses mistakes by a part of their names; "" chooses all.
 * @returns an exit code: 1 where something was not found.
 */
export async function planted({ seed, worlds, planted: chosen }) {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-planted-"));
  let missed = 0;
  try {
    cpSync(root, folder, { recursive: true, filter: (file) => !leftOut.has(basename(file)) });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    console.log("| Mistake | File | Tests of its module | Simulation |\n| --- | --- | --- | --- |");
    for (const mistake of mistakes.filter(({ name }) => name.includes(chosen))) {
      const file = join(folder, mistake.file);
      const text = readFileSync(file, "utf8");
      if (text.split(mistake.from).length !== 2)
        throw new Error(`${mistake.file} does not hold the text of “${mistake.name}” once.`);
      writeFileSync(
        file,
        text.replace(mistake.from, () => mistake.to),
      );
      const [byTests, bySimulation] = await Promise.all([
        tested(folder, mistake.tests),
        simulated(folder, seed, worlds),
      ]);
      writeFileSync(file, text);
      if (!byTests && bySimulation === undefined) missed += 1;
      const words = [mistake.name, `\`${mistake.file}\``, byTests ?? "–", bySimulation ?? "–"];
      console.log(`| ${words.join(" | ")} |`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return missed > 0 ? 1 : 0;
}

/** The first test of the module that fails; undefined where all succeed. */
async function tested(folder, tests) {
  const jest = join(folder, "node_modules/jest/bin/jest.js");
  const args = [jest, "--selectProjects", "unit", "--maxWorkers=1", ...tests];
  const options = { cwd: folder, timeoutMs: 300_000 };
  const { code, stderr, timedOut } = await capture(process.execPath, args, options);
  if (code === 0) return undefined;
  return timedOut ? "the tests do not end" : (/^ +● (.{1,100})/m.exec(stderr)?.[1] ?? "a file does not run");
}

/** Where the simulation first fails: a world, or a moment of a small one; undefined where it never does. */
async function simulated(folder, seed, worlds) {
  const run = (more) => {
    const args = ["-r", join(folder, "test/support/typescript.cjs"), join(folder, "test/simulation/main.ts")];
    const options = JSON.stringify({ seed, first: 1, process: 0, processes: 1, stops: true, ...more });
    return capture(process.execPath, [...args, options], { cwd: folder, timeoutMs: 3_600_000 });
  };
  for (const { what, ...more } of [
    { what: "crash point of small world", worlds: 30, points: "crash" },
    { what: "single fault of small world", worlds: 6, points: "fault" },
    { what: "way back of", worlds: 30, points: "back" },
    { what: "world", worlds },
  ]) {
    const { code, stdout, stderr } = await run(more);
    if (code === 0) continue;
    const found = stdout.split("\n").find((line) => line.startsWith("{"));
    if (found === undefined) return `${what}: the process ended: ${stderr.trim().split("\n").at(0)}`;
    const { number, message } = JSON.parse(found);
    return `${what} ${number}: ${message.split("\n")[0].replaceAll("|", "/").slice(0, 100)}`;
  }
  return undefined;
}
