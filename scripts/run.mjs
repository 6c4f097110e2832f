#!/usr/bin/env node
// The one entry point of the npm scripts: `node scripts/run.mjs <task> [arguments]`. It runs on any Node >= 20 and
// before anything is installed, so it uses Node's own modules only.
import { fileURLToPath } from "node:url";
import { betterNode, ensureInstalled, taskEnv } from "./lib/install.mjs";
import { run } from "./lib/process.mjs";

try {
  await ensureInstalled();
  const node = betterNode();
  if (node) {
    // from here on everything, down to Pulumi's language host and plugins, runs on the newer Node
    process.exitCode = await run(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
      env: taskEnv(),
    });
  } else {
    Object.assign(process.env, taskEnv());
    const { runTask } = await import("./lib/tasks.mjs");
    process.exitCode = await runTask(...process.argv.slice(2));
  }
} catch (error) {
  console.error(error.message);
  if (["test", "test:full"].includes(process.argv[2])) {
    const { report } = await import("./lib/report.mjs");
    report({ passed: 0, failed: 1 }); // CI reads this line, whatever happens
  }
  process.exitCode = 1;
}
