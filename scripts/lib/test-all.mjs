import { ensurePulumi } from "../pulumi-cli.mjs";
import { ensureBuilt } from "./build.mjs";
import { whenInterrupted } from "./interrupt.mjs";
import { ensureTools } from "./install.mjs";
import { counts, onSources, projectsOf, runTestsOf, slowest } from "./jest.mjs";
import { root } from "./paths.mjs";
import { capture } from "./process.mjs";
import { report } from "./report.mjs";
import { cliVersion, newestCliVersion } from "./versions.mjs";

/**
 * The stages of `npm test`. Those without `projects` use one processor and are npm scripts, or a function `check`: two of
 * them run at a time, the longest first. The tests of all projects of a stage are one run of Jest, so that no processor
 * waits for the last file of a kind.
 */
const stages = [
  { name: "format" },
  { name: "lint" },
  // It keeps an up-to-date dist/: tests of .ci/run use it while another one interrupts this command.
  { name: "build", check: ensureBuilt },
  { name: "tests", projects: ["unit", "engine"] },
];

/** The slow tests that must pass before a merge. */
const slowTests = { name: "full", projects: ["cases", "fuzz", "real", "full"] };

/** The main job, rounds, import, review, both kinds of providers, functions and other languages, with other versions of Pulumi. */
const versionStage = (name, version, peers) => ({
  name,
  projects: ["engine", "full", "night"],
  before: () => usePulumi(version(), peers),
  args: [
    ...["main-job", "rounds", "import", "review", "native"].map((each) => `test/engine/${each}`),
    ...["engine/explicit-provider", "engine/functions", "native/first-round"].map(
      (each) => `test/full/${each}`,
    ),
    "test/night/languages",
  ],
});

/**
 * What only a night runs, because a change of the package seldom breaks it: the API reference, package managers, forms of programs,
 * other languages, pages that deploy, and other versions of Pulumi (the oldest CLI with the oldest SDK, which takes no TypeScript 6,
 * and the newest with the newest).
 */
const nightStages = [
  { name: "reference" },
  { name: "night", projects: ["night"] },
  versionStage("oldest", cliVersion, { "@pulumi/pulumi": "pulumi-oldest", typescript: "typescript-5.4" }),
  versionStage("newest", newestCliVersion, { "@pulumi/pulumi": "pulumi-newest" }),
];

/** The slow stages, which `npm run test:full` adds. */
const fullStages = [
  { name: "build", check: ensureBuilt }, // `npm test` may have just built it
  { name: "unused" },
  slowTests,
  ...nightStages,
];

/** `npm test`: all its stages, or only the test files that the arguments name. Resolves with an exit code. */
export async function test(args) {
  return runStages("npm test", args.length === 0 ? stages : await stagesFor(args));
}

/** `npm run test:full`: all stages, those before a merge (--before-merge), one stage (--stage), or the named test files. */
export async function testFull(args) {
  await ensureTools(); // before its stages, of which two would install them at the same time
  return runStages("npm run test:full", fullStagesFor(args));
}

function fullStagesFor(args) {
  if (args.length === 0) return fullStages;
  if (args[0] === "--before-merge") return fullStages.filter((each) => !nightStages.includes(each));
  if (args[0] !== "--stage") return [{ ...slowTests, projects: [...slowTests.projects, "night"], args }];
  const named = fullStages.filter(({ name }) => name === args[1]);
  if (named.length > 0) return named;
  throw new Error(`--stage takes one of ${fullStages.map(({ name }) => name).join(", ")}, not ${args[1]}.`);
}

/** Puts the CLI first on the PATH, where all tests find it, and has test/support/template.ts install these packages of tools/checks. */
async function usePulumi(wanted, peers) {
  const { bin, version, env } = await ensurePulumi(wanted);
  if (version !== wanted)
    throw new Error(`${bin} is version ${version}: take it off the PATH to test ${wanted}.`);
  process.env.PATH = env.PATH;
  process.env.TUNNEL_GATEWAY_TEST_PEERS = JSON.stringify(peers);
}

/** One stage for each project of jest that has files which the arguments name. */
async function stagesFor(args) {
  const projects = await projectsOf(args);
  if (projects.length === 0) throw new Error(`No test file matches ${args.join(" ")}.`);
  return projects.map((name) => ({ name, projects: [name], args }));
}

/** Runs stages. A failed build leaves out only the tests of the package, so that one run shows all problems. */
async function runStages(command, all) {
  const [waiting, running, failed] = [[...all], new Set(), []];
  whenInterrupted(() => {
    report({ ...counts, failed: counts.failed + running.size }); // an unfinished stage never passes
    const names = (stages) => [...stages].map(({ name }) => name).join(", ") || "nothing";
    return `${command} was interrupted during ${names(running)}. Left out: ${names(waiting)}.`;
  });

  const next = async () => {
    const stage = waiting.shift();
    if (stage === undefined) return;
    running.add(stage);
    const isBuilt = !failed.includes("build");
    if (!(await timed(isBuilt ? stage : withoutPackage(stage)))) failed.push(stage.name);
    running.delete(stage);
  };
  const lane = async () => {
    while (waiting.length > 0 && !waiting[0].projects) await next();
  };
  while (waiting.length > 0) {
    await Promise.all([lane(), lane()]);
    await next(); // tests use both processors
  }

  printSlowest();
  report(counts);
  return failed.length > 0 || counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

/** What is left of a stage after the build has failed. */
function withoutPackage({ projects, ...stage }) {
  const left = projects?.filter((each) => onSources.includes(each));
  if (left?.length === projects?.length) return { projects, ...stage };
  console.log(`\n== ${stage.name}: only ${left.join(", ")}, build failed`);
  return { projects: left, ...stage };
}

/** Runs one stage and prints its time; whether it succeeded. */
async function timed(stage) {
  const started = Date.now();
  const failedBefore = counts.failed;
  const passed = await (stage.projects ? runTests(stage) : runCheck(stage));
  // "0 failed" would say that all is well: a check counts as a test, and so do tests that did not run
  if (!passed && (!stage.projects || counts.failed === failedBefore)) {
    counts.failed += 1;
    counts.failures.push(`the stage ${stage.name}`);
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`== ${stage.name}: ${passed ? "passed" : "FAILED"} after ${seconds} s`);
  return passed;
}

async function runTests({ name, projects, args = [], before }) {
  console.log(`\n== ${name}`);
  return succeeds(async () => {
    await before?.();
    return runTestsOf(projects, args);
  });
}

/** Whether work ends without an error and without another exit code than 0. */
async function succeeds(work) {
  try {
    return ((await work()) ?? 0) === 0;
  } catch (error) {
    console.error(error.message);
    return false;
  }
}

/** The output is printed at the end, because that of stages that run at the same time would mix. */
async function runCheck({ name, check }) {
  if (check !== undefined) return succeeds(check);
  const { code, stdout, stderr } = await capture("npm", ["run", "--silent", name], { cwd: root });
  console.log(`\n== ${name}\n${stdout}${code === 0 ? "" : stderr}`.trimEnd());
  return code === 0;
}

function printSlowest() {
  if (slowest(1).length === 0) return;
  console.log("\nThe slowest tests:");
  for (const { seconds, name } of slowest(10)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
