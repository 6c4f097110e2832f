import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { ensurePulumi } from "../pulumi-cli.mjs";
import { ensureActionlint } from "./actionlint.mjs";
import { ensureBuilt } from "./build.mjs";
import { ensureTools } from "./install.mjs";
import { root } from "./paths.mjs";
import { capture, run } from "./process.mjs";

/** The counts of all jest runs of this process, and what failed, with the first lines of its reason. */
export const counts = { passed: 0, failed: 0, failures: [] };

/** How many lines of a reason are said again at the end of the output, of which CI may keep no more than that. */
const reasonLines = 12;

/** How long each test of these runs took. */
const times = [];

/** The slowest tests so far. What a file does outside of its tests counts as one of them. */
export function slowest(count) {
  return times.sort((a, b) => b.seconds - a.seconds).slice(0, count);
}

/**
 * Tests wait for timers and other processes a part of their time, so a third worker keeps two cores busy. The slow tests on the
 * engine wait longer, so they have a fourth.
 */
const workersFor = (projects) => (isSlow(projects) ? 4 : 3);

const isSlow = (projects) => projects.includes("full") || projects.includes("night");

/** The projects on the sources; all others run the packed package. */
export const onSources = ["unit", "cases", "fuzz"];

/** Runs projects of jest.config, with what they need, and adds up their tests. */
export async function runTestsOf(projects, args) {
  if (projects.some((each) => !onSources.includes(each))) await preparePacked(projects);
  return runJest(projects, args);
}

async function runJest(projects, args) {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-jest-"));
  const file = join(folder, "results.json");
  try {
    const code = await run(
      "jest",
      [
        `--maxWorkers=${workersFor(projects)}`,
        "--selectProjects",
        ...projects,
        "--json",
        `--outputFile=${file}`,
        ...args,
      ],
      { cwd: root },
    );
    addUp(file);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function preparePacked(projects) {
  await ensureBuilt();
  if (isSlow(projects)) {
    await ensureTools();
    await ensureActionlint();
  }
  await ensurePulumi(); // here rather than in jest, whose output would hide the progress line
}

/** The projects that have test files which jest's arguments select, in the order in which they run. */
export async function projectsOf(args) {
  const { code, stdout, stderr } = await capture("jest", ["--listTests", ...args], { cwd: root });
  if (code !== 0) throw new Error(`jest --listTests ${args.join(" ")} failed:\n${stderr}`);
  const folders = stdout
    .split("\n")
    .filter((file) => file !== "")
    .map((file) => relative(root, file).split(sep));
  const found = new Set(folders.map(projectOf));
  return ["unit", "engine", "fuzz", "night", "real", "full"].filter((project) => found.has(project));
}

/** The project of a test file, by the names of its folders. */
function projectOf([, folder, part]) {
  if (folder === "simulation" && part === "real") return "real";
  return ["engine", "fuzz", "night", "full"].includes(folder) ? folder : "unit";
}

function addUp(file) {
  let results;
  try {
    results = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    counts.failed += 1; // jest itself crashed: that is never "0 failed"
    noteFailure("jest", "It ended without results.");
    return;
  }
  counts.passed += results.numPassedTests;
  // a suite that could not even be loaded has no failed test of its own
  counts.failed += results.numFailedTests + results.numRuntimeErrorTestSuites;
  for (const file of results.testResults) {
    noteTimes(file);
    noteFailures(file);
  }
}

function noteFailures({ name, message, assertionResults }) {
  const file = relative(root, name);
  const failed = assertionResults.filter(({ status }) => status === "failed");
  for (const { fullName, failureMessages } of failed)
    noteFailure(`${file}: ${fullName}`, failureMessages.join("\n"));
  if (failed.length === 0 && message) noteFailure(file, message); // it could not be loaded
}

function noteFailure(name, reason) {
  const lines = stripVTControlCharacters(reason).trim().split("\n");
  counts.failures.push([name, ...lines.slice(0, reasonLines)].join("\n"));
}

function noteTimes({ name, startTime, endTime, assertionResults }) {
  const file = relative(root, name);
  let rest = endTime - startTime;
  for (const { fullName, duration } of assertionResults) {
    times.push({ seconds: (duration ?? 0) / 1000, name: `${file}: ${fullName}` });
    rest -= duration ?? 0;
  }
  times.push({ seconds: rest / 1000, name: `${file}: loading and hooks` });
}
