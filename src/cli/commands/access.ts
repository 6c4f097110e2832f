import type { Command } from "commander";
import { AddressSet } from "../../access/address-set";
import { blockOf } from "../../access/block";
import { accessAnswer, answerRows } from "../../access/report";
import type { Semantics } from "../../access/semantics";
import { accessTestFailures } from "../../access/tests";
import type { AccessTest } from "../../access/tests";
import type { Inventory } from "../../inventory/inventory";
import { semanticsIn } from "../../review/config";
import type { ReviewConfig } from "../../review/config";
import { plainFailure } from "../../review/drift";
import { edges, endpoints, ipPolicies } from "../../resources/groups";
import { problem } from "../../schema/formats/cidr";
import { counted } from "../../text/phrase";
import { UsageError, exitCode, newCommand, withOutput } from "../command";
import type { OutputFlags } from "../command";
import { readInventory, withInventory } from "../input/inventory";
import type { InventoryFlags } from "../input/inventory";
import { configOf } from "../input/review-settings";
import { failureCells, printSemantics } from "../terminal/drift-report";
import { printJson, printLine, printTable } from "../terminal/output";

interface Flags extends InventoryFlags, OutputFlags {
  test?: boolean;
  config?: string;
}

export function accessCommand(): Command {
  const command = newCommand("access")
    .summary("show who gets in: the verdict of the IP policies on every address, and the other gates")
    .description(
      "Shows which addresses the IP policies of a stack, an account or a preview allow and deny at each edge, route and\n" +
        "endpoint, and the rules that cause it. With an address or a range: the verdict on each of its addresses.\n" +
        "It also shows the other gates, such as a sign-in. It changes nothing and shows no secret.",
    )
    .argument(
      "[address|range]",
      "an IPv4 or IPv6 address, or a range in CIDR notation (default: all addresses)",
    );
  return withOutput(withInventory(command))
    .option("--test", "evaluate the access tests of the configuration file instead")
    .option(
      "--config <file>",
      "the configuration file of the review (default: .tunnel-gateway-review.json, if it exists)",
    )
    .addHelpText("after", help)
    .action(run);
}

const help = `
Verdicts, where the setting semantics of the configuration file does not decide:
  allowed    an allow rule covers the address, and no deny rule does
  denied     a deny rule covers it, and no allow rule does
  undecided  both do: the specification does not say which one counts
  unmatched  no rule covers it
  open       nothing restricts by address
  unknown    known only after the deployment, or decided by a policy that is not part of the program

Exit codes:
  0  the answer is complete
  1  the account, stack or preview could not be read, or the preview failed
  2  wrong usage of the command
  3  with --test: an access test fails

Examples:
  $ tunnel-gateway access --stack production
  $ tunnel-gateway access 203.0.113.7 --account
  $ tunnel-gateway access --test --account
  $ pulumi preview --json --show-sames | tunnel-gateway access 198.51.100.0/24 --preview - --json`;

async function run(query: string | undefined, flags: Flags): Promise<void> {
  if (flags.test && query !== undefined) throw new UsageError("--test takes no address");
  const block = blockOf(query);
  if (query !== undefined && !block) throw new UsageError(problem(query));
  const config = configOf(flags);
  const tests = flags.test ? testsOf(config) : undefined;
  const semantics = semanticsIn(config.semantics ?? {});
  const inventory = await readInventory(flags, ({ group }) => [edges, endpoints, ipPolicies].includes(group));
  if (tests) return report(inventory, tests, semantics, flags);
  const answer = accessAnswer(inventory, block && AddressSet.ofBlocks([block]), semantics);
  if (flags.json) return printJson(answer);
  if (answer.resources.length === 0) return printLine("There is no edge, route or cloud endpoint.");
  printTable(["resource", "verdict", "addresses", "by", "otherGates"], answerRows(answer));
  printSemantics(semantics);
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
  if (failures.length > 0) printTable(["resource", "failure"], failures.map(failureCells));
  printLine(`${counted(tests.length, "access test")}, ${counted(failures.length, "failure")}`);
  printSemantics(semantics);
}
