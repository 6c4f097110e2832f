/** `access --propose`: the smallest lists that still admit the clients in the logs. */
import { proposals } from "../../../access/proposal";
import type { ProposalBounds } from "../../../access/proposal";
import { proposalAnswer, proposalBlock, proposalTitle } from "../../../access/proposal-report";
import type { Semantics } from "../../../access/semantics";
import { logSummary, logText } from "../../../access/usage-report";
import { paragraphs } from "../../../output/document";
import { importStatement } from "../../../import/program/literal";
import type { Inventory } from "../../../inventory/inventory";
import { exitCode } from "../../command";
import type { ReadLog } from "../../input/logs";
import type { OutputFlags } from "../../shared-options";
import { semanticsBlocks } from "../../terminal/access-blocks";
import { printBlocks, printJson, printLine } from "../../terminal/output";
import { note } from "../../terminal/progress";
import { statementsFor } from "./list-statement";
import type { ListStatement } from "./list-statement";

export interface ProposeFlags extends OutputFlags {
  typescript?: boolean;
  maxRules?: number;
  minPrefix4?: number;
  minPrefix6?: number;
  atLeast?: number;
}

/** The options that only a proposal has. */
export const proposeOnly = [
  "typescript",
  "maxRules",
  "minPrefix4",
  "minPrefix6",
  "atLeast",
] as const satisfies (keyof ProposeFlags)[];

interface Settings extends Pick<ProposalBounds, "keepAccess"> {
  readonly semantics: Semantics;
}

export function printProposals(
  inventory: Inventory,
  logs: readonly ReadLog[],
  { semantics, keepAccess }: Settings,
  flags: ProposeFlags,
): void {
  const { maxRules, minPrefix4 = 0, minPrefix6 = 0, atLeast = 1, json, typescript } = flags;
  const minPrefix = { 4: minPrefix4, 6: minPrefix6 };
  const bounds: ProposalBounds = { maxRules, minPrefix, atLeast, keepAccess };
  const found = proposals(inventory, logs, bounds, semantics);
  const statements = statementsFor(found, inventory);
  const answers = found.map((proposal, i) => {
    const each = statements[i]!;
    const [statement, noStatement] = typeof each === "string" ? [undefined, each] : [each.text, undefined];
    return proposalAnswer(proposal, { statement, noStatement });
  });
  const isMissing = answers.some(({ problem, noStatement }) => problem ?? (typescript && noStatement));
  if (isMissing || answers.length === 0) process.exitCode ??= exitCode.failure;
  const summaries = logs.map(logSummary);
  if (json) {
    return printJson({
      ...{ logs: summaries, semantics, bounds: { maxRules, minPrefix4, minPrefix6, atLeast } },
      proposals: answers,
    });
  }
  if (typescript) {
    for (const answer of answers)
      if (answer.noStatement !== undefined)
        note(`${proposalTitle(answer)}: no statement: ${answer.noStatement}`);
    return printStatements(statements.filter((each) => typeof each !== "string"));
  }
  printBlocks([
    ...answers.map(proposalBlock),
    ...paragraphs([
      answers.length === 0 && "There is no edge, route or cloud endpoint.",
      ...summaries.map(logText),
    ]),
    ...semanticsBlocks(semantics),
  ]);
}

/** Prints only the statements, so that they can go to a file. */
function printStatements(statements: readonly ListStatement[]): void {
  for (const [module, own] of Map.groupBy(statements, (each) => each.module))
    printLine(importStatement([...new Set(own.map(({ type }) => type))].sort(), module));
  for (const { text } of statements) printLine(`\n${text.trimEnd()}`);
}
