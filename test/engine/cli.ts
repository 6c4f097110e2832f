import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import type { Program, Stack } from "../support/engine";
import { engineSetup } from "../support/engine-setup";
import { baseEnv } from "../support/pulumi-command";
import { inHosts } from "../support/worker-hosts";

export interface CommandResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the package's own command line, as a user of the program's folder would. */
export function tunnelGateway(
  program: Program,
  stack: Stack | undefined,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  const setup = engineSetup();
  const path = [dirname(process.execPath), dirname(setup.pulumi), setup.path].join(":");
  const cli = join(program.dir, "node_modules/pulumi-tunnel-gateway/dist/tools/cli/index.js");
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: program.dir,
    // test/tools/import compiles the programs that imports write.
    env: { ...baseEnv(), ...stack?.backendEnv, PULUMI_NODEJS_TRANSPILE_ONLY: "true", PATH: path, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const text = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (chunk: string) => (text[name] += chunk));
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ exitCode: code ?? 137, ...text }));
  });
}

/** The same with the worker's hosts, for a program that succeeds: one that fails does not end there. */
export async function hostedTunnelGateway(
  program: Program,
  stack: Stack | undefined,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandResult> {
  return tunnelGateway(program, stack, args, { ...(await inHosts()), ...env });
}
