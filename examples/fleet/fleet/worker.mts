/** One command on one stack, in a process of its own: node worker.mts <command> <stack> exists|new [<approval>]. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CommandError, LocalWorkspace, Stack } from "@pulumi/pulumi/automation/index.js";
import { writeFile } from "node:fs/promises";

/** What a worker reports to the runner when it has succeeded. */
export interface Report {
  /** How many resources were created, updated and so on. */
  readonly changes: Readonly<Record<string, number>>;
}

const [command, stackName = "", existence, approval] = process.argv.slice(2);
const workDir = join(import.meta.dirname, "..");

// An interrupt has Pulumi finish the requests that are under way, write the state and release the lock. So does the end
// of the runner, however it ended.
const interrupt = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "disconnect"]) process.on(name, () => interrupt.abort());

const run = (file: string, ...args: string[]) =>
  promisify(execFile)(file, args, {
    cwd: workDir,
    maxBuffer: Infinity,
    signal: interrupt.signal,
    killSignal: "SIGINT",
  });
const pulumi = (...args: string[]) => run("pulumi", ...args, "--stack", stackName, "--non-interactive");

try {
  if (existence === "new") await pulumi("stack", "init", "--no-select");
  if (approval !== undefined) await compare(approval);
  report(await (command === "preview" ? preview() : deploy()));
} catch (error) {
  // What Pulumi has printed is in the log already.
  if (!(error instanceof CommandError)) console.error((error as Error).message);
  process.exitCode = 1;
  process.disconnect();
}

/** Throws an error if the deployment would do anything else than what was approved, also because of drift. */
async function compare(file: string): Promise<void> {
  const options = ["--stack", stackName, "--refresh", "--approved", file, "--fail-on", "never"];
  await run("npx", "pulumi-tunnel-gateway", "review", ...options).catch(
    (error: Error & { stdout?: string }) => {
      console.log(error.stdout ?? "");
      throw error;
    },
  );
}

/** Writes the preview as a review reads it. One that fails is written too: a review shows its errors. */
async function preview(): Promise<Report["changes"]> {
  const write = ({ stdout }: { stdout: string }) =>
    stdout === "" ? undefined : writeFile(join(workDir, `.fleet/previews/${stackName}.json`), stdout);
  try {
    const result = await pulumi("preview", "--json", "--show-sames");
    await write(result);
    return (JSON.parse(result.stdout) as { changeSummary?: Report["changes"] }).changeSummary ?? {};
  } catch (error) {
    await write(error as { stdout: string });
    throw error;
  }
}

async function deploy(): Promise<Report["changes"]> {
  const workspace = await LocalWorkspace.create({ workDir });
  // Each command names its stack. To select one would write a file that all processes of the project share.
  workspace.selectStack = () => Promise.resolve();
  const stack = await Stack.select(stackName, workspace);
  const print = (text: string): void => void process.stdout.write(text);
  const options = { onOutput: print, onError: print, signal: interrupt.signal, color: "never" } as const;
  // With the program, so that it is the key of today that destroys, and not the one of the last deployment.
  const { summary } =
    command === "up" ? await stack.up(options) : await stack.destroy({ ...options, runProgram: true });
  return summary.resourceChanges ?? {};
}

function report(changes: Report["changes"]): void {
  process.send?.({ changes } satisfies Report, () => process.disconnect());
}
