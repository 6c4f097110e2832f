/** The command line as a whole. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { CommanderError } from "commander";
import type { Command } from "commander";
import { InterruptedError } from "../stack/pulumi";
import { withoutCommands, escapeMessage } from "../../schema/text/escape";
import { version } from "../../provider/version";
import { ReportedFailure, UsageError, exitCode, exitCodeMeanings, newCommand } from "./command";
import { begin, clear } from "./terminal/progress";

const help = `
Settings come from the environment (TUNNEL_GATEWAY_API_KEY, TUNNEL_GATEWAY_BASE_URL, …), or with --stack from the
configuration of a Pulumi stack.

Exit codes:
${exitCodeMeanings.map(([code, meaning]) => `  ${String(code).padEnd(3)}  ${meaning}`).join("\n")}

Examples:
  $ npx pulumi-tunnel-gateway doctor
  $ npx pulumi-tunnel-gateway list ip-policies
  $ npx pulumi-tunnel-gateway sessions update --os linux --restart
  $ npx pulumi-tunnel-gateway emulator --data account.json`;

export function commandLine(): Command {
  const program = newCommand("npx pulumi-tunnel-gateway")
    .description(
      "Tools for the Pulumi resources of pulumi-tunnel-gateway: read and import an account, review previews, find drift, show who gets in, draw maps, control agents, run the emulator.",
    )
    .version(version)
    .addHelpText("after", help);
  for (const command of commands()) program.addCommand(command);
  return program;
}

/**
 * The commands: every file and folder of `commands` exports one as `command`. `--help` loads them all, so each loads its work
 * only when it runs.
 */
function commands(): Command[] {
  const folder = join(__dirname, "commands");
  const names = new Set(readdirSync(folder).map((name) => name.split(".")[0]!));
  return [...names].sort().map((name) => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- a list of imports would be a second place to name a command
    const { command } = require(join(folder, name)) as { readonly command: () => Command };
    return command();
  });
}

/** Runs the command line with these arguments. Never throws: it prints the error and sets `process.exitCode`. */
export async function main(args: readonly string[]): Promise<void> {
  begin();
  try {
    await commandLine().parseAsync(args, { from: "user" });
  } catch (error) {
    clear();
    process.exitCode = reported(error);
  }
}

/** Prints the error unless its command has done so. @returns the exit code. */
function reported(error: unknown): number {
  // Commander prints its own errors.
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.usage;
  if (error instanceof ReportedFailure) return exitCode.failure;
  console.error(withoutCommands(escapeMessage(error instanceof Error ? error.message : String(error))));
  if (error instanceof InterruptedError) return exitCode.interrupted;
  return error instanceof UsageError ? exitCode.usage : exitCode.failure;
}
