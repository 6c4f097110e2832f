import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { withFolder, withOutput } from "../../shared-options";

export function command(): Command {
  const expire = newCommand("expire")
    .summary("delete the expired rules of a stack")
    .description(
      "Deletes in the account the rules of rule sets whose `until` has passed by the service's time, and nothing else. It\n" +
        "reads the state of the stack and runs no program, so it can run every minute, even during pulumi up. It does not change\n" +
        "the state, and the next preview shows no change.",
    )
    .option("--stack <name>", "the stack (required)")
    .option("--dry-run", "print what would be deleted, and delete nothing");
  return withOutput(withFolder(expire))
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Exit codes:
  0  no expired rule is left to delete
  1  a rule could not be deleted, the stack could not be read, or an account could not be reached; all other rules were processed
  2  wrong usage of the command

Examples:
  $ npx pulumi-tunnel-gateway expire --stack production --dry-run
  $ npx pulumi-tunnel-gateway expire --stack production --json`;
