import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { stackEnv } from "../local-stack.mjs";
import { capture } from "../process.mjs";
import { watchPlugin } from "./memory.mjs";

const limitMs = 30 * 60_000;

/**
 * A stack of the project on a file backend of its own; every step is the real CLI, timed. `service` is its account, and
 * `more` further variables.
 */
export async function makeStack({ bin, env: pulumiEnv }, dir, service, more = {}) {
  const backend = mkdtempSync(join(dir, "backend-"));
  const env = { ...stackEnv(pulumiEnv, { backend, home: join(dir, "home"), service }), ...more };
  const pulumi = async (...args) => {
    const { code, stdout, stderr, timedOut } = await capture(
      bin,
      [...args, "--stack", "bench", "--non-interactive", "--color", "never"],
      { cwd: dir, env, timeoutMs: limitMs },
    );
    if (code === 0) return;
    const why = timedOut ? "took too long" : `ended with exit code ${code}`;
    throw new Error(`pulumi ${args.join(" ")} ${why}:\n${stdout}${stderr}`);
  };
  await pulumi("stack", "init");
  const project = JSON.parse(readFileSync(join(dir, "Pulumi.yaml"), "utf8")).name;

  return {
    env,
    backend,
    write: (program) => writeFileSync(join(dir, "index.js"), program),
    /** Runs one command; resolves with its seconds and the peak memory of its plugin in bytes. */
    async run(...args) {
      const plugin = watchPlugin(dir);
      const start = performance.now();
      try {
        await pulumi(...args);
        return { seconds: (performance.now() - start) / 1000, memory: plugin.end() };
      } finally {
        plugin.end();
      }
    },
    /** The text of the state file. */
    stateText: () => readFileSync(join(backend, ".pulumi/stacks", project, "bench.json"), "utf8"),
  };
}
