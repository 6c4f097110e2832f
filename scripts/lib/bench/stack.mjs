import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { stackEnv } from "../local-stack.mjs";
import { ofProcess, processIds } from "../proc.mjs";
import { capture } from "../process.mjs";

const limitMs = 30 * 60_000;
const sampleMs = 250;

/** The plugins of both doors. */
const isPlugin = /dynamic-provider\/index\.js|pulumi-tunnel-gateway\/dist\/native\//;

/** A stack of the project on a file backend of its own; every step is the real CLI, timed. `service` is its account. */
export async function makeStack({ bin, env: pulumiEnv }, dir, service) {
  const backend = mkdtempSync(join(dir, "backend-"));
  const env = stackEnv(pulumiEnv, { backend, home: join(dir, "home"), service });
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
    write: (program) => writeFileSync(join(dir, "index.js"), program),
    /** Runs one command; resolves with its milliseconds and the peak memory of its plugin in bytes. */
    async run(...args) {
      const peak = watchPlugin(dir);
      const start = performance.now();
      try {
        await pulumi(...args);
        return { ms: performance.now() - start, memory: peak() };
      } finally {
        peak();
      }
    },
    /** The bytes of the state file. */
    stateBytes: () => readFileSync(join(backend, ".pulumi/stacks", project, "bench.json")).length,
  };
}

/**
 * Watches the plugin of the project's engine until the result is called, which returns the peak of its memory. Linux records
 * it, so samples miss only what the plugin takes after the last one. Other systems measure nothing.
 */
function watchPlugin(dir) {
  let [pid, peak] = [undefined, undefined];
  const take = () => {
    // It runs in the program's folder. The script that starts that of dynamic resources names it too, as a module.
    pid ??= processIds().find(
      (id) => isPlugin.test(ofProcess(id, "cmdline")) && ofProcess(id, "environ").includes(dir),
    );
    const kilobytes = pid && /^VmHWM:\s+(\d+) kB$/m.exec(ofProcess(pid, "status"))?.[1];
    if (kilobytes) peak = Math.max(peak ?? 0, Number(kilobytes) * 1024);
  };
  const timer = process.platform === "linux" ? setInterval(take, sampleMs) : undefined;
  return () => {
    clearInterval(timer);
    return peak;
  };
}
