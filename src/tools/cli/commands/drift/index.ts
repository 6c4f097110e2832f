import type { Command } from "commander";
import { lazily, newCommand } from "../../command";
import { withFolder, withOutput, withReviewConfig, withStacks } from "../../shared-options";

export function command(): Command {
  const drift = newCommand("drift")
    .summary("compare the states of stacks with their accounts")
    .description(
      "Compares the state of stacks with their accounts by a preview with a refresh, and evaluates the access tests of the\n" +
        "configuration file on the accounts as they are. It changes nothing, neither an account nor a state, and shows no secret.",
    )
    .option("--stack <name>", "the stack (default: the selected one)");
  return withReviewConfig(withFolder(withOutput(withStacks(drift))))
    .addHelpText("after", help)
    .action(lazily(async () => (await import("./run.js")).run));
}

const help = `
Exit codes:
  0  every account matches the state of its stack, and all access tests hold
  1  a stack could not be compared; the others are reported
  2  wrong usage of the command
  3  an account differs, a rule with until has ended and still stands, or an access test fails

Examples:
  $ npx pulumi-tunnel-gateway drift
  $ npx pulumi-tunnel-gateway drift --stack production --json
  $ npx pulumi-tunnel-gateway drift --stacks 'prod-*' --parallel 4`;
