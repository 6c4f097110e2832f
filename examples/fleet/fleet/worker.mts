/** One command on one stack, in a process of its own: node worker.mts <task as JSON>. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  UnknownObjectsError,
  recovery,
  requireNothingPending,
  requireNothingUnrecorded,
  requireOwnAccount,
} from "./checks.mts";
import type { Commands } from "./checks.mts";
import { ProcessError, gateway, outputOf, pulumi, run } from "./processes.mts";
import type { RunOptions } from "./processes.mts";
import type { Command } from "./runner.mts";

export interface Task {
  readonly command: Command;
  readonly stack: string;
  /** Whether the stack exists. */
  readonly exists: boolean;
  /** Whether the stack was deployed with this key before, so that it is known to be the one of its account. */
  readonly knowsKey: boolean;
  /** The file of an approval. */
  readonly approval: string | undefined;
}

/** What a worker reports to the runner. */
export interface Report {
  /** How many resources were created, updated and so on. Undefined where the command failed. */
  readonly changes?: Readonly<Record<string, number>>;
  /** Whether the account differs from its stack, or fails an access test. */
  readonly differs?: boolean;
  /** What to do next. */
  readonly advice?: string;
}

const task = JSON.parse(process.argv[2]!) as Task;
const { command, stack } = task;
const cwd = join(import.meta.dirname, "..");

// An interrupt has Pulumi finish the requests that are under way, write the state and release the lock. So does the end
// of the runner, however it ended.
const interrupt = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "disconnect"]) process.on(name, () => interrupt.abort());

// The program and this process want one document, whatever the environment says.
const env = { ...process.env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "false" };
const options: RunOptions = { cwd, env, signal: interrupt.signal };
const onStack = (...args: string[]) => run(pulumi(...args, "--stack", stack), options);
const commands: Commands = {
  pulumi: onStack,
  gateway: (...args) => outputOf(gateway(...args), options),
};

try {
  const changes = command === "drift" ? await drift() : await work();
  report(changes);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
  report({ advice: await adviceAfter(error) });
}

async function work(): Promise<Report> {
  if (!task.exists) await onStack("stack", "init", "--no-select");
  else if (command !== "preview") {
    const state = await requireNothingPending(stack, commands);
    if (!task.knowsKey) await requireOwnAccount(stack, state, commands);
    await requireNothingUnrecorded(stack, commands);
  }
  if (task.approval !== undefined) await compare(task.approval);
  return { changes: await (command === "preview" ? preview() : deploy()) };
}

/** Throws an error if the deployment would do anything else than what was approved, also because of drift. */
async function compare(file: string): Promise<void> {
  const args = ["review", "--stack", stack, "--refresh", "--approved", file, "--fail-on", "never"];
  await run(gateway(...args), { ...options, inherits: true });
}

/** Writes the preview as a review reads it. One that fails is written too: a review shows its errors. */
async function preview(): Promise<Report["changes"]> {
  const { exitCode, stdout, stderr } = await outputOf(
    pulumi("preview", "--json", "--show-sames", "--show-replacement-steps", "--stack", stack),
    options,
  );
  if (stdout !== "") await writeFile(join(cwd, `.fleet/previews/${stack}.json`), stdout);
  const { changeSummary = {}, diagnostics = [] } = previewIn(stdout);
  if (exitCode === 0) return changeSummary;
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  throw new Error(
    `the preview failed:\n${errors.map(({ message }) => message).join("\n") || stderr || stdout}`,
  );
}

interface Preview {
  readonly changeSummary?: Readonly<Record<string, number>>;
  readonly diagnostics?: readonly { readonly severity: string; readonly message: string }[];
}

function previewIn(text: string): Preview {
  try {
    return JSON.parse(text) as Preview;
  } catch {
    return {};
  }
}

async function deploy(): Promise<Report["changes"]> {
  // With the program, so that it deletes with the current key, and not with the one of the last deployment.
  const args = command === "up" ? ["up"] : ["destroy", "--run-program"];
  await run(pulumi(...args, "--yes", "--skip-preview", "--stack", stack), { ...options, inherits: true });
  const { stdout } = await onStack("stack", "history", "--json", "--page-size", "1");
  const [last] = JSON.parse(stdout) as { resourceChanges?: Report["changes"] }[];
  return last?.resourceChanges ?? {};
}

async function drift(): Promise<Report> {
  const findings = 3;
  const args = gateway("drift", "--stack", stack);
  const { exitCode } = await outputOf(args, { ...options, inherits: true });
  if (exitCode !== 0 && exitCode !== findings)
    throw new Error(`${stack} could not be compared with its account`);
  return { changes: {}, differs: exitCode === findings };
}

/** The next steps, where objects may exist that the stack does not know. */
async function adviceAfter(error: unknown): Promise<string | undefined> {
  if (error instanceof UnknownObjectsError) return recovery(stack, error.planned);
  if (!(error instanceof ProcessError) || !["up", "destroy"].includes(command)) return undefined;
  try {
    // An interrupt that ended Pulumi does not end this.
    const read = (...args: string[]) => run(pulumi(...args, "--stack", stack), { cwd, env });
    await requireNothingPending(stack, { ...commands, pulumi: read });
    return undefined;
  } catch (reason) {
    console.error((reason as Error).message);
    return recovery(stack);
  }
}

function report(content: Report): void {
  process.send?.(content, () => process.disconnect());
}
