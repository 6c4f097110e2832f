import { counts, projectsOf } from "./jest.mjs";
import { report } from "./report.mjs";
import { runTask } from "./tasks.mjs";

/** The stages of `npm test`. A stage runs after a failure of another one, unless it needs what that one makes. */
const stages = [
  { name: "lint" },
  { name: "unused" },
  { name: "format" },
  { name: "types" },
  { name: "build" },
  { name: "unit" },
  { name: "engine", needs: "build" },
];

/** The slow stages, which `npm run test:full` adds. */
const fullStages = [{ name: "build" }, { name: "full", needs: "build" }];

/** `npm test`: all its stages, or only the test files that the arguments name. Resolves with an exit code. */
export async function test(args) {
  return runStages(args.length === 0 ? stages : await stagesFor(args));
}

/** `npm run test:full`: its stages, or only the test files of test/full that the arguments name. */
export async function testFull(args) {
  return runStages(args.length === 0 ? fullStages : [{ name: "full", args }]);
}

/** One stage for each project of jest that has files which the arguments name. */
async function stagesFor(args) {
  const projects = await projectsOf(args);
  if (projects.length === 0) throw new Error(`No test file matches ${args.join(" ")}.`);
  return projects.map((name) => ({ name, args }));
}

/** Runs stages one after the other. The last line on stdout is `N passed, N failed`, over all of their tests. */
async function runStages(all) {
  const failed = [];
  for (const { name, needs, args = [] } of all) {
    if (failed.includes(needs)) {
      failed.push(name);
      console.log(`\n== ${name}: left out, ${needs} failed`);
      continue;
    }
    console.log(`\n== ${name}`);
    const started = Date.now();
    if (!(await succeeds(name, args))) failed.push(name);
    console.log(`== ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
  if (failed.length > 0) console.log(`\nFailed: ${failed.join(", ")}`);
  report(counts);
  return failed.length > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

async function succeeds(name, args) {
  try {
    return (await runTask(name, ...args)) === 0;
  } catch (error) {
    console.error(error.message);
    return false;
  }
}
