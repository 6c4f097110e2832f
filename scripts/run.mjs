#!/usr/bin/env node
// The entry point of npm scripts that are more than one tool: `node scripts/run.mjs <task> [arguments]`. It runs on any
// Node >= 20 and before anything is installed, so it uses Node's own modules only.
import { fileURLToPath } from "node:url";
import { betterNode, ensureInstalled, taskEnv } from "./lib/install.mjs";
import { interruptible } from "./lib/interrupt.mjs";
import { run } from "./lib/process.mjs";
import { report } from "./lib/report.mjs";

const [task, ...args] = process.argv.slice(2);

try {
  // Pulumi's own command handles the signals itself.
  const handOver = task === "pulumi" ? () => {} : interruptible(task);
  await ensureInstalled();
  const node = betterNode();
  if (node) {
    // From here on everything, down to Pulumi's language host and plugins, runs on the newer Node.
    handOver();
    const forward = task === "pulumi" ? ["SIGTERM"] : ["SIGINT", "SIGTERM"];
    const self = [fileURLToPath(import.meta.url), task, ...args];
    process.exitCode = await run(node, self, { env: taskEnv(), forward });
  } else {
    Object.assign(process.env, taskEnv());
    const { runTask } = await import("./lib/tasks.mjs");
    process.exitCode = await runTask(task, ...args);
  }
} catch (error) {
  console.error(error.message);
  // CI reads this line after every failure
  if (["test", "test:full"].includes(task)) report({ passed: 0, failed: 1, failures: [error.message] });
  process.exitCode = 1;
}
