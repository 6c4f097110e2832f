import { existsSync } from "node:fs";
import { AddressSet } from "../../../../schema/addresses/address-set";
import { blockOf } from "../../../../schema/addresses/block";
import { accessAnswer, answerRows } from "../../../access/access-answer";
import { semanticsWith } from "../../../access/semantics";
import type { Semantics } from "../../../access/semantics";
import { accessTestFailures } from "../../../access/access-tests";
import type { AccessTest } from "../../../access/access-tests";
import type { Inventory } from "../../../inventory/inventory";
import { accessGroups } from "../../../../resources/collection";
import type { ReviewConfig } from "../../../review/config-file";
import { plainFailure } from "../../../review/drift";
import { problem } from "../../../../schema/formats/cidr";
import { counted } from "../../../../schema/text/phrase";
import { UsageError, exitCode } from "../../command";
import { logFilesOf, readLogs, readingOf } from "../../input/logs";
import { readInventory } from "../../input/read-inventory";
import { configFileOf, configOf } from "../../input/review-config";
import type { InventoryFlags, OutputFlags } from "../../shared-options";
import { failureCells, semanticsBlocks } from "../../terminal/access-blocks";
import { paragraph, paragraphs, textTable } from "../../../output/document";
import { printBlocks, printJson } from "../../terminal/output";
import { printProposals, proposeOnly } from "./propose";
import type { ProposeFlags } from "./propose";
import { logText, policyRows, ruleRows, usageAnswer, usageTexts } from "../../../access/usage-report";
import type { ReadLog } from "../../input/logs";

interface Flags extends InventoryFlags, ProposeFlags {
  test?: boolean;
  unused?: string[];
  propose?: string[];
  clientsField?: string;
  config?: string;
}

export async function run(query: string | undefined, flags: Flags): Promise<void> {
  checkMode(query, flags);
  const option = flags.unused ? "--unused" : "--propose";
  const files = logFilesOf(option, flags.unused ?? flags.propose ?? []);
  const block = blockOf(query);
  if (query !== undefined && !block) throw new UsageError(problem(query));
  const config = configOf(flags);
  const tests = flags.test ? testsOf(config, flags) : undefined;
  const semantics = semanticsWith(config.semantics);
  const inventory = await readInventory(flags, ({ group }) => accessGroups.includes(group));
  if (tests) return report(inventory, tests, semantics, flags);
  if (files.length > 0) {
    const logs = await readLogs(files, readingOf(option, flags.clientsField), inventory);
    if (flags.unused) return printUnused(inventory, logs, semantics, flags);
    return printProposals(inventory, logs, { semantics, keepAccess: config.keepAccess ?? {} }, flags);
  }
  const answer = accessAnswer(inventory, block && AddressSet.ofBlocks([block]), semantics);
  if (flags.json) return printJson(answer);
  if (answer.resources.length === 0)
    return printBlocks([paragraph("There is no edge, route or cloud endpoint.")]);
  const columns = ["resource", "verdict", "addresses", "by", "other gates"];
  printBlocks([textTable(columns, answerRows(answer), "verdict"), ...semanticsBlocks(semantics)]);
}

/** Throws a UsageError if options do not fit together. */
function checkMode(query: string | undefined, flags: Flags): void {
  const { test, unused, propose, clientsField } = flags;
  const modes = Object.entries({ test, unused, propose }).flatMap(([name, value]) =>
    value ? [`--${name}`] : [],
  );
  if (modes.length > 1) throw new UsageError(`use one of ${modes.join(" and ")}`);
  if (modes.length > 0 && query !== undefined) throw new UsageError(`${modes.join()} takes no address`);
  if (clientsField !== undefined && !unused && !propose)
    throw new UsageError("--clients-field needs a log: --unused or --propose");
  if (propose && flags.typescript && flags.json) throw new UsageError("use one of --typescript and --json");
  if (!propose && proposeOnly.some((name) => flags[name] !== undefined))
    throw new UsageError(
      "--typescript, --max-rules, --min-prefix4, --min-prefix6 and --at-least need --propose",
    );
}

/** A file without access tests must not pass: it is probably the wrong file. */
function testsOf({ accessTests = [] }: ReviewConfig, flags: Flags): readonly AccessTest[] {
  if (accessTests.length > 0) return accessTests;
  const file = configFileOf(flags);
  throw new UsageError(
    existsSync(file)
      ? `the configuration file ${file} has no accessTests: write them into it, or name another file with --config`
      : `there is no configuration file ${file}: write the accessTests into it, or name another file with --config`,
  );
}

function report(
  inventory: Inventory,
  tests: readonly AccessTest[],
  semantics: Semantics,
  { json }: Flags,
): void {
  const found = accessTestFailures(inventory, tests, semantics);
  const failures = found.map((failure) => plainFailure(failure, tests));
  if (failures.length > 0) process.exitCode ??= exitCode.findings;
  if (json) return printJson({ tests: tests.length, semantics, failures });
  printBlocks([
    textTable(["resource", "failure"], failures.map(failureCells), "failure"),
    paragraph(`${counted(tests.length, "access test")}, ${counted(failures.length, "failure")}`),
    ...semanticsBlocks(semantics),
  ]);
}

function printUnused(
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
    ...paragraphs([
      ...usageTexts(answer),
      ...answer.withoutLog.map((name) => `${name}: no log is of it`),
      ...answer.logs.map(logText),
    ]),
    ...semanticsBlocks(semantics),
  ]);
}
