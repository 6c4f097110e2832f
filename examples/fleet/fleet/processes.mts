/** The processes that the runner and its workers start. Each is waited for, also after an interrupt: none stays behind. */
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { UserError } from "./errors.mts";

export interface RunOptions {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Interrupts the process, which ends in its own time. */
  readonly signal?: AbortSignal;
  /** Whether it uses the streams of this process. Its output is empty then. */
  readonly inherits?: boolean;
}

export interface Output {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A process that ended with another exit code than 0. */
export class ProcessError extends UserError {
  readonly output: Output;

  constructor(command: string, output: Output) {
    super(`${command} ended with exit code ${output.exitCode}${textOf(output).replace(/^(?=.)/s, ":\n")}`);
    this.output = output;
  }
}

/** Runs a process to its end. Throws a ProcessError where it fails. */
export async function run(command: readonly string[], options: RunOptions): Promise<Output> {
  const output = await outputOf(command, options);
  if (output.exitCode !== 0) throw new ProcessError(nameOf(command), output);
  return output;
}

/** Runs a process to its end, with any exit code. */
export async function outputOf(command: readonly string[], options: RunOptions): Promise<Output> {
  const { cwd, env, signal, inherits = false } = options;
  if (signal?.aborted) throw new UserError(`interrupted before ${nameOf(command)}`);
  const [file = "", ...args] = command;
  const stdio = inherits ? "inherit" : "pipe";
  const child = spawn(file, args, { cwd, env, stdio: [inherits ? "inherit" : "ignore", stdio, stdio] });
  const interrupt = (): void => void child.kill("SIGINT");
  signal?.addEventListener("abort", interrupt);
  const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
    const chunks: Buffer[] = [];
    stream?.on("data", (chunk: Buffer) => chunks.push(chunk));
    return () => Buffer.concat(chunks).toString();
  });
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.on("error", (error) => reject(new UserError(`${file} could not be started: ${error.message}`)));
      child.on("close", (code) => resolve(code ?? 130));
    });
    return { exitCode, stdout: stdout!(), stderr: stderr!() };
  } finally {
    signal?.removeEventListener("abort", interrupt);
  }
}

/** The command line of pulumi-tunnel-gateway. Node runs it itself: npx would not pass an interrupt on to all of it. */
export function gateway(...args: string[]): string[] {
  const manifest = createRequire(import.meta.url).resolve("pulumi-tunnel-gateway/package.json");
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: Record<string, string> };
  return [process.execPath, join(dirname(manifest), bin["pulumi-tunnel-gateway"]!), ...args];
}

/** The Pulumi CLI, which asks nobody. */
export function pulumi(...args: string[]): string[] {
  return ["pulumi", ...args, "--non-interactive", "--color", "never"];
}

/** Whether a process runs; with a negative id, whether one of its group does. */
export function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  if (process.platform !== "linux") return true;
  // Where nobody collects ended processes, they stay as zombies.
  const pids = id > 0 ? [String(id)] : readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.some((pid) => {
    const [state, , group] = statOf(pid);
    return state !== undefined && !["Z", "X"].includes(state) && (id > 0 || group === String(-id));
  });
}

/** The state, the parent and the group of a process of Linux. Empty for one that has ended. */
function statOf(pid: string): string[] {
  try {
    // The name in brackets can contain spaces and brackets.
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}

/** Does the work for all items, at most so many at once. */
export async function atOnce<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: most }, lane));
}

function nameOf([file = "", ...args]: readonly string[]): string {
  const words = file === process.execPath ? ["pulumi-tunnel-gateway", ...args.slice(1)] : [file, ...args];
  return words.filter((word) => !["--non-interactive", "--color", "never"].includes(word)).join(" ");
}

function textOf({ stdout, stderr }: Output): string {
  return stderr.trim() || stdout.trim();
}
