import { AddressSet } from "../../../access/address-set";
import { blockOf } from "../../../access/block";
import { accessAnswer, answerRows } from "../../../access/report";
import type { Semantics } from "../../../access/semantics";
import { accessTestFailures } from "../../../access/tests";
import type { AccessTest } from "../../../access/tests";
import type { Inventory } from "../../../inventory/inventory";
import { accessGroups } from "../../../resources/groups";
import { semanticsIn } from "../../../review/config";
import type { ReviewConfig } from "../../../review/config";
import { plainFailure } from "../../../review/drift";
import { problem } from "../../../schema/formats/cidr";
import { counted } from "../../../text/phrase";
import { UsageError, exitCode } from "../../command";
import { readInventory } from "../../input/inventory";
import { configOf } from "../../input/review-config";
import type { InventoryFlags, OutputFlags } from "../../options";
import { failureCells, semanticsBlocks } from "../../terminal/drift-report";
import { textTable } from "../../../document/document";
import { printBlocks, printJson, printLine } from "../../terminal/output";

interface Flags extends InventoryFlags, OutputFlags {
  test?: boolean;
  config?: string;
}

export async function run(query: string | undefined, flags: Flags): Promise<void> {
  if (flags.test && query !== undefined) throw new UsageError("--test takes no address");
  const block = blockOf(query);
  if (query !== undefined && !block) throw new UsageError(problem(query));
  const config = configOf(flags);
  const tests = flags.test ? testsOf(config) : undefined;
  const semantics = semanticsIn(config.semantics ?? {});
  const inventory = await readInventory(flags, ({ group }) => accessGroups.includes(group));
  if (tests) return report(inventory, tests, semantics, flags);
  const answer = accessAnswer(inventory, block && AddressSet.ofBlocks([block]), semantics);
  if (flags.json) return printJson(answer);
  if (answer.resources.length === 0) return printLine("There is no edge, route or cloud endpoint.");
  const columns = ["resource", "verdict", "addresses", "by", "other gates"];
  printBlocks([textTable(columns, answerRows(answer), "verdict"), ...semanticsBlocks(semantics)]);
}

/** A test that tests nothing, because the file is another one, must not pass. */
function testsOf({ accessTests = [] }: ReviewConfig): readonly AccessTest[] {
  if (accessTests.length === 0) throw new UsageError("the configuration file has no accessTests");
  return accessTests;
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
  const text = `${counted(tests.length, "access test")}, ${counted(failures.length, "failure")}`;
  printBlocks([
    textTable(["resource", "failure"], failures.map(failureCells), "failure"),
    { kind: "paragraph", text },
    ...semanticsBlocks(semantics),
  ]);
}
