import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { capture } from "../process.mjs";
import { watchPlugin } from "./memory.mjs";

const limitMs = 30 * 60_000;

/** A stack of the project on a file backend of its own; every step is the real CLI, timed. */
export async function makeStack({ bin, env: pulumiEnv }, dir, serviceEnv) {
  const backend = mkdtempSync(join(dir, "backend-"));
  const home = join(dir, "home");
  mkdirSync(home, { recursive: true });
  const env = {
    ...pulumiEnv,
    ...serviceEnv,
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  delete env.PULUMI_CONFIG_PASSPHRASE_FILE;
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
