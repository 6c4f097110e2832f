import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Program, Running, Stack } from "../support/engine";
import { engineSetup } from "../support/engine-setup";
import { baseEnv, startCommand } from "../support/pulumi-command";

interface More {
  readonly args?: readonly string[];
  /** Code that the process of the command runs first. */
  readonly hook?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts an import without waiting, to signal it. */
export function startImport(
  program: Program,
  stack: Stack,
  { args = [], hook, env = {} }: More = {},
): Running {
  const cli = join(program.dir, "node_modules/pulumi-tunnel-gateway/dist/tools/cli/index.js");
  const before = join(stack.backend, "hook.cjs");
  if (hook !== undefined) writeFileSync(before, hook);
  const first = hook === undefined ? [] : ["--require", before];
  const run = ["import", "--run", "--stack", stack.name, ...args];
  return startCommand(process.execPath, [...first, cli, ...run], {
    cwd: program.dir,
    env: { ...importEnv(stack), ...env },
    timeoutMs: 300_000,
  });
}

/** The environment of an import into the stack. */
export function importEnv({ backendEnv }: Stack): Record<string, string | undefined> {
  const { pulumi, path } = engineSetup();
  return {
    ...baseEnv(),
    ...backendEnv,
    // test/tools/import compiles the programs that imports write.
    PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    PATH: [dirname(process.execPath), dirname(pulumi), path].join(":"),
  };
}
