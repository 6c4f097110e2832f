import { join } from "node:path";
import { ensurePulumi } from "../pulumi-cli.mjs";
import { build, ensureBuilt } from "./build.mjs";
import { ensureTools, toolFolder } from "./install.mjs";
import { runTestsOf } from "./jest.mjs";
import { root } from "./paths.mjs";
import { run } from "./process.mjs";

/** The tasks. Each takes the arguments after its name and resolves with an exit code. */
const tasks = {
  build,
  archive: async (...args) => {
    await ensureBuilt();
    return (await import("./archive.mjs")).archive(...args);
  },
  unused: async () => {
    await ensureTools();
    return run(join(toolFolder, "knip"), [], { cwd: root });
  },
  docs: async () => {
    const code = await (await import("../docs.mjs")).docs();
    return code === 0 ? tasks.reference() : code;
  },
  reference: async () => {
    await ensureTools();
    return run(join(toolFolder, "typedoc"), ["--logLevel", "Warn"], { cwd: root });
  },
  "docs:check": async () => (await import("../docs.mjs")).docs({ check: true }),
  engine: (...args) => runTestsOf(["engine"], args),
  full: (...args) => runTestsOf(["full"], args),
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
  simulate: async (...args) => (await import("../simulate.mjs")).simulate(args),
  fuzz: async (...args) => (await import("../fuzz.mjs")).fuzz(args),
  mutation: async (...args) => (await import("../mutation.mjs")).mutation(args),
  test: async (...args) => (await import("./test-all.mjs")).test(args),
  "test:full": async (...args) => (await import("./test-all.mjs")).testFull(args),
};

export async function runTask(name, ...args) {
  if (!Object.hasOwn(tasks, name ?? "")) {
    throw new Error(`node scripts/run.mjs: give one of the tasks ${Object.keys(tasks).join(", ")}.`);
  }
  return tasks[name](...args);
}
