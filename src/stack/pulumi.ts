/** The Pulumi CLI, as commands of this package use it. */
import { spawn } from "node:child_process";
import { GatewayError } from "../provider/errors";

export interface PulumiCall {
  readonly cwd?: string;
  /** What is written to its stdin. */
  readonly input?: string;
  /** Its output goes to the terminal as it comes. */
  readonly show?: boolean;
  /** Exit codes that are no failure, beside 0. */
  readonly accept?: readonly number[];
}

export interface PulumiResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the CLI. Throws where it is missing or ends with another exit code than the accepted ones. */
export function pulumi(args: readonly string[], call: PulumiCall = {}): Promise<PulumiResult> {
  const given = [...args, "--non-interactive", "--color", "never"];
  return new Promise((resolve, reject) => {
    const child = spawn("pulumi", given, { cwd: call.cwd, stdio: ["pipe", "pipe", "pipe"] });
    const text = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        text[name] += chunk;
        // The result of a command of this package is on stdout; what Pulumi tells meanwhile is not.
        if (call.show) process.stderr.write(chunk);
      });
    }
    child.stdin.on("error", () => undefined);
    child.stdin.end(call.input ?? "");
    child.on("error", (error: NodeJS.ErrnoException) => {
      const missing = "the Pulumi CLI is not on the PATH, or the folder of the project does not exist";
      reject(new GatewayError(error.code === "ENOENT" ? missing : error.message));
    });
    child.on("close", (code) => {
      const exitCode = code ?? 1;
      if (exitCode === 0 || call.accept?.includes(exitCode)) return resolve({ exitCode, ...text });
      const why = call.show ? "see above" : text.stderr.trim() || text.stdout.trim();
      reject(new GatewayError(`pulumi ${args[0]!} ended with exit code ${exitCode}: ${why}`));
    });
  });
}
