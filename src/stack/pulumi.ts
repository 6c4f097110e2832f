/** The Pulumi CLI, as commands of this package use it. */
import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { GatewayError } from "../provider/errors";

export interface PulumiCall {
  readonly cwd?: string;
  /** What is written to its stdin. */
  readonly input?: string;
  /** Its output goes to the terminal as it comes, and is not in the result. */
  readonly show?: boolean;
  /** It is short and writes something, so an interrupt waits for its end. */
  readonly brief?: boolean;
}

export interface PulumiResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** Somebody interrupted the work, by ctrl-C or a signal. */
export class InterruptedError extends GatewayError {}

/** The CLI ended with another exit code than 0. */
export class PulumiError extends GatewayError {
  constructor(
    message: string,
    readonly exitCode: number,
  ) {
    super(message);
  }
}

const signals = ["SIGINT", "SIGTERM"] as const;
const underWay = new Set<ChildProcess>();

/** Whether the CLI is at work: it gets an interrupt then, and whoever waits for it an InterruptedError. */
export function isPulumiAtWork(): boolean {
  return underWay.size > 0;
}

/**
 * A group of its own: ctrl-C on the terminal reaches it once, from here, since a second one makes Pulumi drop its
 * work; and where this process is killed, Pulumi ends what it began. Windows has no such groups.
 */
const ownGroup = process.platform !== "win32";

/**
 * Runs the CLI. Throws where it is missing, a PulumiError where it fails, and an InterruptedError when it has ended
 * after an interrupt.
 */
export function pulumi(args: readonly string[], call: PulumiCall = {}): Promise<PulumiResult> {
  const given = [...args, "--non-interactive", "--color", "never"];
  return new Promise((resolve, reject) => {
    // What is shown is written by the CLI itself: a pipe would break, and end it, with this process. The result of
    // a command of this package is on stdout; what Pulumi tells meanwhile is not.
    const stdio: StdioOptions = call.show ? ["pipe", 2, 2] : "pipe";
    const child = spawn("pulumi", given, { cwd: call.cwd, detached: ownGroup, stdio });
    let interrupted = false;
    const interrupt = (): void => {
      interrupted = true;
      if (ownGroup && !call.brief && child.pid !== undefined) signalGroup(child.pid, "SIGINT");
    };
    const ended = (): void => {
      underWay.delete(child);
      for (const signal of signals) process.off(signal, interrupt);
    };
    underWay.add(child);
    for (const signal of signals) process.on(signal, interrupt);
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name]?.setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
    }
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(call.input ?? "");
    child.on("error", (error: NodeJS.ErrnoException) => {
      ended();
      const missing = "the Pulumi CLI is not on the PATH, or the folder of the project does not exist";
      reject(new GatewayError(error.code === "ENOENT" ? missing : error.message));
    });
    child.on("close", (code) => {
      const settle = (): void => {
        ended();
        if (interrupted) return reject(new InterruptedError(`pulumi ${args[0]!} was interrupted`));
        if (code === 0) return resolve(text);
        const exitCode = code ?? 1;
        const why = call.show ? "see above" : text.stderr.trim() || text.stdout.trim();
        reject(new PulumiError(`pulumi ${args[0]!} ended with exit code ${exitCode}: ${why}`, exitCode));
      };
      // The launcher of the npm package ends at once and leaves the CLI proper to wind up.
      if (interrupted && ownGroup && child.pid !== undefined) void groupEnds(child.pid).then(settle);
      else settle();
    });
  });
}

/** Whether somebody got it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

const longestWindUp = 60_000;

async function groupEnds(pid: number): Promise<void> {
  for (let waited = 0; waited < longestWindUp && signalGroup(pid, 0); waited += 100) await sleep(100);
}
