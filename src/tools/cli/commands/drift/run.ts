import { semanticsWith } from "../../../access/semantics";
import type { StackDrift } from "../../../review/drift";
import { driftOfStacks } from "../../../review/drift-of-stacks";
import { selectedStack, stacksLike } from "../../../stack/stacks";
import { UsageError, exitCode } from "../../command";
import { configOf } from "../../input/review-config";
import { parallelOf } from "../../shared-options";
import type { OutputFlags, StacksFlags } from "../../shared-options";
import { driftJson, printDrift } from "./report";
import { printJson } from "../../terminal/output";
import { clear, note, status } from "../../terminal/progress";

interface Flags extends StacksFlags, OutputFlags {
  stack?: string;
  config?: string;
}

export async function run(flags: Flags): Promise<void> {
  const { stack, stacks, cwd } = flags;
  if (stack !== undefined && stacks !== undefined) throw new UsageError("use --stack or --stacks, not both");
  const parallel = parallelOf(flags);
  const { accessTests: tests = [], semantics: given } = configOf(flags);
  const semantics = semanticsWith(given);
  const names = stacks === undefined ? [stack ?? (await selectedStack(cwd))] : await stacksLike(stacks, cwd);
  const all = await driftOfStacks(names, {
    ...{ cwd, tests, semantics, parallel },
    ...{ mayAsk: stacks === undefined, reporter: { note, status } },
  }).finally(clear);
  if (flags.json) printJson(driftJson(all, semantics));
  else printDrift(all, semantics);
  if (all.some(({ errors }) => errors.length > 0)) process.exitCode = exitCode.failure;
  else if (all.some(differs)) process.exitCode = exitCode.findings;
}

function differs({ drift, ended, failures }: StackDrift): boolean {
  return drift.length + ended.length + failures.length > 0;
}
