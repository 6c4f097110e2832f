/** The preview that a review is about: from a file, from stdin, or made by the Pulumi CLI. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import type { AccountFlags } from "./command";
import { UsageError } from "./command";
import { clear, status } from "./progress";

export interface PreviewFlags extends AccountFlags {
  refresh?: boolean;
}

/** The text of `pulumi preview --json`. */
export async function previewText(file: string | undefined, flags: PreviewFlags): Promise<string> {
  if (flags.stack !== undefined) {
    if (file !== undefined) throw new UsageError("give a file or --stack, not both");
    return previewOf(flags.stack, flags);
  }
  for (const name of ["cwd", "refresh"] as const) {
    if (flags[name] !== undefined)
      throw new UsageError(`--${name} is about the preview of a stack, so it needs --stack`);
  }
  if (file === undefined && process.stdin.isTTY) {
    throw new UsageError(
      "give the file with what `pulumi preview --json --show-sames` prints, pipe it in, or give --stack",
    );
  }
  return file === undefined || file === "-" ? text(process.stdin) : readFileSync(file, "utf8");
}

/** Runs the preview; it may ask for a passphrase on a terminal. What fails in it stands in its JSON too. */
function previewOf(stack: string, { cwd, refresh }: PreviewFlags): Promise<string> {
  const asks = process.stdin.isTTY ? [] : ["--non-interactive"];
  const args = ["preview", "--json", "--show-sames", "--stack", stack, ...asks, "--color", "never"];
  status(`previewing the stack ${stack}`);
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", refresh ? [...args, "--refresh"] : args, {
      cwd,
      stdio: ["inherit", "pipe", "pipe"],
    });
    let [output, errors] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (output += chunk));
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
      // A question must be seen while it is asked.
      if (process.stdin.isTTY) process.stderr.write(chunk);
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      const missing = "--stack needs the Pulumi CLI on the PATH, or --cwd is no folder";
      reject(new Error(error.code === "ENOENT" ? missing : error.message));
    });
    child.on("close", (code) => {
      clear();
      if (output.trimStart().startsWith("{")) return resolve(output);
      const why = errors.trim() || output.trim() || `exit code ${String(code)}`;
      reject(new Error(`the stack ${stack} could not be previewed: ${why}`));
    });
  });
}
