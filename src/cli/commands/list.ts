import type { Command } from "commander";
import type { AccountFlags } from "../command";
import { UsageError, integer, newCommand, several, withAccount, withOutput, withSecrets } from "../command";
import type { ListFlags } from "../objects";

/** `tunnel-gateway list`. */
export function listCommand(): Command {
  const command = newCommand("list")
    .summary("list a collection")
    .description("Lists all objects of a collection, over all pages.")
    .argument("<collection>", "what to list, such as ip-policies; any other word shows all names")
    .argument("[owner]", "whose: the operator of bound-endpoints, the subscription of event-sources");
  return withAccount(withSecrets(withOutput(withFilters(command))))
    .option("--columns <fields>", "columns of the table beside the id, such as description,metadata")
    .addHelpText("after", help)
    .action(run);
}

/** Options that say which objects of a list. */
export function withFilters(command: Command): Command {
  return command
    .option("--filter <field=value>", "only these; * stands for any text; may be repeated", several)
    .option("--limit <number>", "at most so many", integer(0, 10_000_000));
}

const help = `
Examples:
  $ tunnel-gateway list ip-policies --filter 'description=office*'
  $ tunnel-gateway list tunnel-group-backends --filter labels.service=web --json
  $ tunnel-gateway list event-sources esb_2abc
  $ tunnel-gateway list api-keys --stack production --columns description,metadata`;

async function run(name: string, owner: string | undefined, flags: AccountFlags & ListFlags): Promise<void> {
  const { collectionOf } = await import("../collections.js");
  const { judgeColumns, filterOf, printList, read } = await import("../objects.js");
  const collection = collectionOf(name, "lists");
  const { readable } = collection;
  if ((owner === undefined) !== (collection.owner === undefined)) {
    throw new UsageError(
      collection.owner === undefined
        ? `${collection.name} belong to no other object: leave ${owner} out`
        : `${collection.name} belong to one ${collection.owner}: give its id`,
    );
  }
  judgeColumns(readable, flags);
  filterOf(readable, flags.filter ?? []);
  const { connect } = await import("../connect.js");
  printList(collection, await read(await connect(flags), readable, owner, flags), flags);
}
