import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { once } from "node:events";
import { join } from "node:path";
import { engineSetup } from "./engine-setup";
import { baseEnv } from "./pulumi-command";

/** The file in a program's folder that holds the environment of the next call. */
const environmentFile = ".environment.json";

/** The commands that may run the program. */
const commands = new Set(["preview", "up", "refresh", "destroy"]);

/**
 * The option for a call of the CLI to run its plain program in this worker's language host, whose Node has the SDK
 * loaded already. None while coverage is measured, because that needs a process for each run.
 */
export async function inLanguageHost(
  folder: string,
  command: string,
  env: Record<string, string | undefined>,
): Promise<string[]> {
  if (!commands.has(command) || process.env.TUNNEL_GATEWAY_TEST_COVERAGE) return [];
  writeFileSync(join(folder, environmentFile), JSON.stringify(env));
  return [`--client=127.0.0.1:${await languageHost()}`];
}

/** The port of the host that all test files of a jest worker share, one after the other. */
async function languageHost(): Promise<string> {
  const { folder, template } = engineSetup();
  const file = join(folder, `language-host-${process.env.JEST_WORKER_ID}.json`);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Host) : undefined;
  // A worker that jest restarts does not use the host of its predecessor.
  if (known && isRunning(known.pid)) return known.port;
  const host = await start(template);
  writeFileSync(file, JSON.stringify(host));
  return host.port;
}

interface Host {
  readonly pid: number;
  readonly port: string;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function start(template: string): Promise<Host> {
  const child = spawn(process.execPath, [join(__dirname, "program-runner.cjs"), environmentFile], {
    cwd: template,
    env: baseEnv(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  const ended = once(child, "close").then(() => {
    throw new Error("The language host ended before it listened.");
  });
  const [port] = (await Promise.race([once(lines, "line"), ended])) as [string];
  ended.catch(() => undefined); // later, with jest
  lines.close();
  // It must not keep jest from ending.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
  return { pid: child.pid!, port };
}
