/** Processes that a jest worker starts once, so that its calls of the CLI and its emulators need not load the same again. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { engineSetup } from "./engine-setup";
import { hostVariables } from "./cli-folder";
import { isRunning } from "./processes";
import { baseEnv } from "./pulumi-command";

type Environment = Record<string, string>;

/** The environment for a call of the CLI to have its program run by this worker's language host. */
export async function inLanguageHost(): Promise<Environment> {
  return { [hostVariables["pulumi-language-nodejs"]]: await portOf("language-host.cjs") };
}

/** The environment for a call of the CLI to have its resources served by this worker's plugin host. */
export async function inPluginHost(): Promise<Environment> {
  return { [hostVariables["pulumi-resource-pulumi-nodejs"]]: await portOf("plugin-host.cjs") };
}

/** The environment for commands whose calls of the CLI run in both. */
export async function inHosts(): Promise<Environment> {
  return { ...(await inPluginHost()), ...(await inLanguageHost()) };
}

/** The port of the host of this worker's emulators, which a test may start at the same time. */
export const emulatorHost = async (): Promise<number> =>
  Number(await (emulators ??= portOf("emulator-host.cjs")));
let emulators: Promise<string> | undefined;

/** The port of a host that all test files of a jest worker share, one after the other. */
async function portOf(script: string): Promise<string> {
  const { folder, template } = engineSetup();
  const file = join(folder, `${script}-${process.env.JEST_WORKER_ID}.json`);
  const known = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Host) : undefined;
  // A worker that jest restarts does not use the host of its predecessor.
  if (known && isRunning(known.pid)) return known.port;
  const host = await start(template, script);
  writeFileSync(file, JSON.stringify(host));
  return host.port;
}

interface Host {
  readonly pid: number;
  readonly port: string;
}

async function start(template: string, script: string): Promise<Host> {
  const child = spawn(process.execPath, [join(__dirname, script)], {
    cwd: template,
    env: baseEnv(),
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  const ended = once(child, "close").then(() => {
    throw new Error(`The host of ${script} ended before it listened.`);
  });
  const [port] = (await Promise.race([once(lines, "line"), ended])) as [string];
  ended.catch(() => undefined); // later, with jest
  lines.close();
  // It must not keep jest from ending.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
  return { pid: child.pid!, port };
}
