/** The Pulumi CLI. All commands of this package start it here. */
import { spawn } from "node:child_process";
import type { ChildProcess, StdioOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { escapeControlsInLines } from "../../schema/text/escape";
import { GatewayError } from "../../provider/errors";
import { maskedText } from "./mask";

export interface PulumiCall {
  readonly cwd?: string;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Shows its output on stderr during the run; the result then does not hold the output. */
  readonly show?: boolean;
  /** It is short and writes, so an interrupt waits for its end instead of reaching it. */
  readonly brief?: boolean;
  /** It may ask the user, for example for a passphrase, if stdin is a terminal. */
  readonly mayAsk?: boolean;
}

export interface PulumiResult {
  readonly stdout: string;
  readonly stderr: string;
}

/** The user or a signal interrupted the work. */
export class InterruptedError extends GatewayError {}

/** The CLI ended with an exit code other than 0. */
export class PulumiError extends GatewayError {
  constructor(
    message: string,
    readonly exitCode: number,
    /** Its output; empty if the output was shown during the run. */
    readonly output: PulumiResult,
  ) {
    super(message);
  }

  /** The reason as the CLI prints it, with private keys masked. */
  get said(): string {
    const { stderr, stdout } = this.output;
    return maskedText(stderr.trim() || stdout.trim() || `exit code ${this.exitCode}`);
  }

  /** The reason, with advice for the user. */
  get reason(): string {
    return this.said + adviceOn(this.said);
  }
}

/** Advice for a wrong --stack or --cwd. The CLI only says what it did not find. */
const advices: readonly (readonly [said: RegExp, advice: string])[] = [
  [/no stack named '.*' found/, "Correct --stack: `pulumi stack ls` lists the stacks of the project"],
  [
    // The second text is that of `pulumi stack` for a file backend.
    /no Pulumi\.yaml project file found|pass the fully qualified name/,
    "Run the command in the folder of Pulumi.yaml, or name that folder with --cwd",
  ],
];

function adviceOn(said: string): string {
  const [, advice] = advices.find(([pattern]) => pattern.test(said)) ?? [];
  if (advice === undefined) return "";
  return said.endsWith(".") ? ` ${advice}` : `. ${advice}`;
}

/** Throws a failure of the CLI with another message, and any other error unchanged. */
export function withReason(message: (reason: string) => string): (error: unknown) => never {
  return (error) => {
    throw error instanceof PulumiError ? new GatewayError(message(error.reason)) : error;
  };
}

/** Whether the error is a failure of this part of the work, and not an interrupt of the whole. */
export function isFailure(error: unknown): error is GatewayError {
  return error instanceof GatewayError && !(error instanceof InterruptedError);
}

/** The JSON that the CLI printed. Throws a GatewayError if it is not JSON: `what` could not be read. */
export function printedJson(stdout: string, what: string): unknown {
  try {
    return JSON.parse(stdout) as unknown;
  } catch {
    throw new GatewayError(`${what} could not be read: pulumi printed no JSON`);
  }
}

/** Throws a GatewayError if the folder of --cwd is missing. */
export function requireFolder(cwd: string): void {
  if (!existsSync(cwd)) throw new GatewayError(`the folder ${cwd} does not exist: correct --cwd`);
}

export const interruptSignals = ["SIGINT", "SIGTERM"] as const;
/** The running processes, each with its handler for an interrupt. */
const running = new Map<ChildProcess, () => void>();

function interruptAll(): void {
  for (const interrupt of running.values()) interrupt();
}

/** Whether the CLI is running. It then receives interrupts, and the call fails with an InterruptedError. */
export function isPulumiRunning(): boolean {
  return running.size > 0;
}

/**
 * Runs the CLI in a process group of its own, so that Ctrl-C on the terminal reaches it once, from here: a second
 * one makes Pulumi drop its work. It also survives the end of this process and finishes what it began. Windows has
 * no such groups, and a process that asks the user must be in the terminal's own group.
 *
 * Throws a GatewayError where the CLI or the folder is missing, a PulumiError where it fails, and an InterruptedError when it has
 * ended after an interrupt.
 */
export async function pulumi(args: readonly string[], call: PulumiCall = {}): Promise<PulumiResult> {
  if (call.cwd !== undefined) requireFolder(call.cwd);
  const asks = call.mayAsk === true && process.stdin.isTTY;
  const hasOwnGroup = process.platform !== "win32" && !asks;
  const child = spawn("pulumi", [...args, ...(asks ? [] : ["--non-interactive"]), "--color", "never"], {
    cwd: call.cwd,
    env: { ...process.env, ...call.env },
    detached: hasOwnGroup,
    stdio: stdioOf(call, asks),
  });
  const output = outputOf(child, asks);
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(call.input ?? "");
  const group = hasOwnGroup ? child.pid : undefined;
  const { interrupted, exitCode } = await endOf(child, group, call.brief === true);
  if (interrupted) throw new InterruptedError(`pulumi ${args[0]!} was interrupted`);
  if (exitCode === 0) return output;
  // Plaintext secrets in the requested output must not appear in the reason.
  if (args.includes("--show-secrets")) output.stdout = "";
  const said = maskedText(output.stderr.trim() || output.stdout.trim());
  const reason = call.show || asks ? "see above" : said + adviceOn(said);
  const ended = `pulumi ${args[0]!} ended with exit code ${exitCode}`;
  throw new PulumiError(reason === "" ? ended : `${ended}: ${reason}`, exitCode, output);
}

function stdioOf({ show }: PulumiCall, asks: boolean): StdioOptions {
  const stdin = asks ? "inherit" : "pipe";
  // The CLI itself writes what is shown: a pipe would break with this process and end the CLI. It goes to stderr,
  // because stdout holds the result of this package's own command.
  return show ? [stdin, 2, 2] : [stdin, "pipe", "pipe"];
}

/** Collects the CLI's output. A question must be visible while it is asked. */
function outputOf(child: ChildProcess, asks: boolean): { stdout: string; stderr: string } {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (output.stdout += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    output.stderr += chunk;
    if (asks) process.stderr.write(escapeControlsInLines(chunk));
  });
  return output;
}

/**
 * Waits for the end of the CLI. Interrupts do not end this process meanwhile: they reach the CLI's group unless it is
 * brief, and the whole group ends then.
 */
async function endOf(
  child: ChildProcess,
  group: number | undefined,
  isBrief: boolean,
): Promise<{ interrupted: boolean; exitCode: number }> {
  let interrupted = false;
  const interrupt = (): void => {
    interrupted = true;
    if (group !== undefined && !isBrief) signalGroup(group, "SIGINT");
  };
  if (running.size === 0) for (const signal of interruptSignals) process.on(signal, interruptAll);
  running.set(child, interrupt);
  try {
    const exitCode = await closed(child);
    // The launcher of the npm package ends at once; the CLI itself is still finishing its work.
    if (interrupted && group !== undefined) await groupEnds(group);
    return { interrupted, exitCode };
  } finally {
    running.delete(child);
    if (running.size === 0) for (const signal of interruptSignals) process.off(signal, interruptAll);
  }
}

const missing =
  "the Pulumi CLI is not on the PATH: install it (https://www.pulumi.com/docs/install/), and open a new shell";

function closed(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      reject(new GatewayError(error.code === "ENOENT" ? missing : error.message));
    });
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Whether a process of the group exists and got the signal; signal 0 only checks for existence. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

/** The longest wait for the end of a group, in milliseconds. */
const groupTimeout = 60_000;

async function groupEnds(pid: number): Promise<void> {
  for (let waited = 0; waited < groupTimeout && signalGroup(pid, 0); waited += 100) await sleep(100);
}
