import { semanticsWith } from "../../../access/semantics";
import type { StackDrift } from "../../../review/drift";
import { driftOfStacks } from "../../../review/drift-of-stacks";
import { selectedStack, stacksLike } from "../../../stack/stacks";
import { UsageError, exitCode } from "../../command";
import { configOf } from "../../input/review-config";
import { parallelOf } from "../../shared-options";
import type { OutputFlags, StacksFlags } from "../../shared-options";
import { printJson, printBlocks } from "../../terminal/output";
import { clear, note, status } from "../../terminal/progress";
import type { Semantics } from "../../../access/semantics";
import { paragraph, textTable } from "../../../output/document";
import type { DocumentBlock } from "../../../output/document";
import type { Difference } from "../../../review/differences";
import { namesText } from "../../../review/stack-scope";
import { shownNames, withoutNames } from "../../../review/own-names";
import { valueText } from "../../../review/value-text";
import { isUnknown, mapDeep } from "../../../../schema/unknown";
import { secretMask } from "../../../stack/mask";
import { counted, shortened } from "../../../../schema/text/phrase";
import { failureCells, semanticsBlocks } from "../../terminal/access-blocks";

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

/** The version of the JSON format; an incompatible change raises it. */
const driftVersion = 1;

function driftJson(stacks: readonly StackDrift[], semantics: Semantics): object {
  const document = { version: driftVersion, counts: countsIn(stacks), semantics, stacks };
  // The engine's marker of an unknown value means nothing to other readers.
  return mapDeep(document, (value) => (isUnknown(value) ? "[unknown]" : value)) as object;
}

function countsIn(stacks: readonly StackDrift[]) {
  const sum = (countOf: (stack: StackDrift) => number): number =>
    stacks.reduce((total, stack) => total + countOf(stack), 0);
  return {
    stacks: stacks.length,
    drift: sum(({ drift }) => drift.length),
    ended: sum(({ ended }) => ended.length),
    failures: sum(({ failures }) => failures.length),
    failedStacks: stacks.filter(({ errors }) => errors.length > 0).length,
  };
}

function printDrift(stacks: readonly StackDrift[], semantics: Semantics): void {
  for (const text of errorTexts(stacks)) note(text);
  const failures = stacks.flatMap(({ stack, failures: own }) =>
    own.map((failure) => [nameOfStack(stack), ...failureCells(failure)]),
  );
  const columns = ["stack", "resource", "field", "in state", "in account"];
  printBlocks([
    textTable(columns, stacks.flatMap(driftRows), "difference"),
    textTable(["stack", "resource", "failure of an access test"], failures, "failure"),
    ...stacks.flatMap(pendingBlocks),
    paragraph(summaryOf(stacks)),
    ...semanticsBlocks(semantics),
  ]);
}

function pendingBlocks({ stack, pending }: StackDrift): DocumentBlock[] {
  const parts = Object.entries(pending).filter(([, count]) => count > 0);
  if (parts.length === 0) return [];
  const text = parts.map(([action, count]) => `${count} to ${action}`).join(", ");
  return [paragraph(`${nameOfStack(stack)} has changes that are not deployed: ${text}`)];
}

/** The errors. Errors of several stacks that differ only in the stacks' names are merged. */
function errorTexts(all: readonly StackDrift[]): string[] {
  const each = all.flatMap(({ stack, errors }) => errors.map((error) => ({ stack, error })));
  const unnamed = ({ stack, error }: { stack: string; error: string }): string =>
    withoutNames(error, { stackName: undefined, stack, ids: new Map() });
  return [...Map.groupBy(each, unnamed)].map(([text, same]) => {
    const stacks = [...new Set(same.map(({ stack }) => stack))];
    const shown = stacks.length === 1 ? same[0]!.error : shownNames(text);
    return `${namesText(stacks)} could not be compared: ${shown}`;
  });
}

function driftRows({ stack, drift, ended }: StackDrift): string[][] {
  const cells = (resource: { type: string; name: string }): string[] => [
    nameOfStack(stack),
    `${resource.type} ${resource.name}`,
  ];
  return [
    ...drift.flatMap((resource) => [
      ...(resource.gone ? [[...cells(resource), "", "exists", "deleted"]] : []),
      ...resource.differences.map((difference) => [
        ...cells(resource),
        shortened(difference.path, 100),
        ...(difference.secret
          ? [secretMask, `${secretMask} (changed)`]
          : [sideText(difference.old, difference), sideText(difference.next, difference)]),
      ]),
    ]),
    ...ended.map((entry) => [
      ...cells(entry),
      shortened(entry.key, 100),
      `ended ${entry.until}`,
      "still stands",
    ]),
  ];
}

/** A value, or its replacement if there is none. */
function sideText(value: unknown, difference: Difference): string {
  return value === undefined && difference.default !== undefined
    ? `${valueText(difference.default)} (default)`
    : valueText(value);
}

/** "3 stacks: 2 resources differ, 1 ended rule stands, 1 access test failure, 1 stack could not be compared" */
function summaryOf(stacks: readonly StackDrift[]): string {
  const { drift, ended, failures, failedStacks } = countsIn(stacks);
  const parts = [
    [drift, "resource differs", "resources differ"],
    [ended, "ended rule stands", "ended rules stand"],
    [failures, "access test failure", "access test failures"],
    [failedStacks, "stack could not be compared", "stacks could not be compared"],
  ] as const;
  const found = parts.flatMap(([count, one, many]) => (count > 0 ? [counted(count, one, many)] : []));
  return `${counted(stacks.length, "stack")}: ${found.join(", ") || "no drift"}`;
}

function nameOfStack(stack: string): string {
  return shortened(stack, 60);
}
