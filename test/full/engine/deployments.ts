/** Stacks whose changes are approved and deployed through the broker, with the real CLI. */
import { withoutPreviewing } from "../../support/pulumi-command";
import type { Program, ProgramOptions, Stack } from "../../support/engine";
import { tunnelGateway, type CommandResult } from "../../engine/cli";
import { cjs } from "../../engine/support";

export interface Deployment {
  readonly program: Program;
  readonly stack: Stack;
  /** Approves what the program would deploy now. */
  readonly approve: (...args: string[]) => Promise<CommandResult>;
  readonly deploy: (...args: string[]) => Promise<CommandResult>;
  /** Deploys what was approved with more arguments of `pulumi up`, or with another command. */
  readonly deployWith: (args: readonly string[], command?: string) => Promise<CommandResult>;
}

export const approved = ["--approved", "approval.json"];

/** @param env the settings of the account. */
export async function deployed(
  body: string,
  env: Record<string, string>,
  options: Pick<ProgramOptions, "door" | "install"> = {},
): Promise<Deployment> {
  const program = cjs(body, options);
  const stack = await program.stack({ env });
  await stack.up();
  /** Without the progress that it prints on a slow machine. */
  const run = async (args: string[]): Promise<CommandResult> => {
    const result = await tunnelGateway(program, stack, args, env);
    return { ...result, stderr: withoutPreviewing(result.stderr) };
  };
  const review = ["review", "--stack", stack.name, "--fail-on", "never", "--save", "approval.json"];
  const pulumi = ["--yes", "--skip-preview", "--stack", stack.name];
  return {
    ...{ program, stack },
    approve: (...args) => run([...review, ...args]),
    deploy: (...args) => run(["deploy", ...args, "--", "pulumi", "up", ...pulumi]),
    deployWith: (args, command = "up") =>
      run(["deploy", ...approved, "--", "pulumi", command, ...pulumi, ...args]),
  };
}
