import { ensurePulumi } from "../pulumi-cli.mjs";
import { build, ensureBuilt } from "./build.mjs";
import { runJest } from "./jest.mjs";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

const tool =
  (command, ...args) =>
  (...more) =>
    run(command, [...args, ...more], { cwd: root });

const eslint = tool("eslint");
const depcruise = tool("depcruise", "--config", ".dependency-cruiser.cjs");

/** Tests of the packed package. */
async function packed(project, args) {
  await ensureBuilt();
  await ensurePulumi(); // here rather than in jest, whose output would hide the progress line
  return runJest(project, args);
}

/** What each task does, given the arguments behind its name; resolves with an exit code. */
const tasks = {
  lint: async () => (await eslint(".")) || depcruise("src"),
  unused: tool("knip"),
  format: tool("prettier", "--check", "."),
  "format:fix": tool("prettier", "--write", "."),
  types: tool("tsc", "--noEmit"),
  build,
  docs: async () => (await import("../docs.mjs")).docs(),
  "docs:check": async () => (await import("../docs.mjs")).docs({ check: true }),
  unit: (...args) => runJest("unit", args),
  engine: (...args) => packed("engine", args),
  full: (...args) => packed("full", args),
  "release:check": async (...args) => (await import("./release.mjs")).checkRelease(...args),
  pulumi: async (...args) => {
    const { bin, env } = await ensurePulumi();
    return run(bin, args, { env });
  },
  quickstart: async () => {
    await ensureBuilt();
    const { quickstart } = await import("../quickstart.mjs");
    return quickstart();
  },
  bench: async (...args) => {
    await ensureBuilt();
    return (await import("../bench.mjs")).bench(args);
  },
  pictures: async (...args) => {
    await ensureBuilt();
    return (await import("../pictures.mjs")).pictures(args);
  },
  coverage: async () => (await import("../coverage.mjs")).coverage(),
  mutation: async () => (await import("../mutation.mjs")).mutation(),
  test: async (...args) => (await import("./test-all.mjs")).test(args),
  "test:full": async (...args) => (await import("./test-all.mjs")).testFull(args),
};

export async function runTask(name, ...args) {
  if (!Object.hasOwn(tasks, name ?? "")) {
    throw new Error(`node scripts/run.mjs: give one of the tasks ${Object.keys(tasks).join(", ")}.`);
  }
  return tasks[name](...args);
}
