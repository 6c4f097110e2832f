/** `access --unused`: the ranges that no client in a log used. */
import { logText, policyRows, ruleRows, usageAnswer, usageTexts } from "../../../access/usage-report";
import type { Semantics } from "../../../access/semantics";
import { paragraph, textTable } from "../../../output/document";
import type { Inventory } from "../../../inventory/inventory";
import type { ReadLog } from "../../input/logs";
import type { OutputFlags } from "../../shared-options";
import { semanticsBlocks } from "../../terminal/access-blocks";
import { printBlocks, printJson } from "../../terminal/output";

export function printUnused(
  inventory: Inventory,
  logs: readonly ReadLog[],
  semantics: Semantics,
  { json }: OutputFlags,
): void {
  const answer = usageAnswer(inventory, logs, semantics);
  if (json) return printJson(answer);
  printBlocks([
    textTable(["resource", "rule", "declared by", "use", "clients under it"], ruleRows(answer), "rule"),
    textTable(["resource", "policy", "use"], policyRows(answer), "policy"),
    ...usageTexts(answer).map((text) => paragraph(text)),
    ...answer.withoutLog.map((name) => paragraph(`${name}: no log is of it`)),
    ...answer.logs.map((log) => paragraph(logText(log))),
    ...semanticsBlocks(semantics),
  ]);
}
