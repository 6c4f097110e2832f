import type { Command } from "commander";
import type { StackDrift } from "../../review/drift";
import { semanticsIn } from "../../review/config";
import { UsageError, exitCode, newCommand, withOutput } from "../command";
import type { OutputFlags } from "../command";
import { configOf } from "../input/review-settings";
import { parallelOf, selectedStack, stacksLike, withStacks } from "../input/stacks";
import type { StacksFlags } from "../input/stacks";
import { driftJson, printDrift } from "../terminal/drift-report";
import { printJson } from "../terminal/output";
import { inParallel } from "../work/parallel";
import { stackDriftOf } from "../work/stack-drift";

interface Flags extends StacksFlags, OutputFlags {
  stack?: string;
  config?: string;
}

export function driftCommand(): Command {
  const command = newCommand("drift")
    .summary("compare the states of stacks with their accounts")
    .description(
      "Compares the state of stacks with their accounts by a preview with a refresh, and evaluates the access tests of the\n" +
        "configuration file on the accounts as they are. It changes nothing, neither an account nor a state, and shows no secret.",
    )
    .option("--stack <name>", "the stack (default: the selected one)");
  return withOutput(withStacks(command))
    .option("--cwd <folder>", "the folder of the Pulumi project (default: the current folder)")
    .option(
      "--config <file>",
      "the configuration file with the access tests (default: .tunnel-gateway-review.json, if it exists)",
    )
    .addHelpText("after", help)
    .action(run);
}

const help = `
Exit codes:
  0  every account matches the state of its stack, and all access tests hold
  1  a stack could not be compared; the others are reported
  2  wrong usage of the command
  3  an account differs, a rule with until has ended and still stands, or an access test fails

Examples:
  $ tunnel-gateway drift
  $ tunnel-gateway drift --stack production --json
  $ tunnel-gateway drift --stacks 'prod-*' --parallel 4`;

async function run(flags: Flags): Promise<void> {
  const { stack, stacks, cwd } = flags;
  if (stack !== undefined && stacks !== undefined) throw new UsageError("use --stack or --stacks, not both");
  if (stacks === undefined && flags.parallel !== undefined) throw new UsageError("--parallel needs --stacks");
  const { accessTests: tests = [], semantics: given = {} } = configOf(flags);
  const semantics = semanticsIn(given);
  const names = stacks === undefined ? [stack ?? (await selectedStack(cwd))] : await stacksLike(stacks, cwd);
  const isMany = stacks !== undefined;
  const progress = (done: number): string =>
    `Comparing ${names.length} stacks with their accounts: ${done} done`;
  const all = await inParallel(names, parallelOf(flags), progress, (name) =>
    stackDriftOf({ stack: name, cwd, tests, semantics, isMany }),
  );
  if (flags.json) printJson(driftJson(all, semantics));
  else printDrift(all, semantics);
  if (all.some(({ errors }) => errors.length > 0)) process.exitCode = exitCode.failure;
  else if (all.some(differs)) process.exitCode = exitCode.findings;
}

function differs({ drift, ended, failures }: StackDrift): boolean {
  return drift.length + ended.length + failures.length > 0;
}
