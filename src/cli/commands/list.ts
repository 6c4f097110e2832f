import type { Command } from "commander";
import { collectionOf } from "../collections";
import { UsageError, newCommand, withAccount, withFilters, withOutput, withSecrets } from "../command";
import type { AccountFlags } from "../command";
import { listObjects } from "../work/objects";
import type { ListFlags } from "../work/objects";

export function listCommand(): Command {
  const command = newCommand("list")
    .summary("list a collection")
    .description("Lists all objects of a collection, over all pages.")
    .argument("<collection>", "the collection, such as ip-policies; any other word prints all names")
    .argument("[owner]", "the operator of bound-endpoints, or the subscription of event-sources");
  return withAccount(withSecrets(withOutput(withFilters(command))))
    .option(
      "--columns <fields>",
      "the columns of the table in addition to the id, such as description,deployment.name",
    )
    .addHelpText("after", help)
    .action(run);
}

const help = `
Examples:
  $ tunnel-gateway list ip-policies --filter 'description=office*'
  $ tunnel-gateway list tunnel-group-backends --filter labels.service=web --json
  $ tunnel-gateway list event-sources esb_2abc
  $ tunnel-gateway list api-keys --stack production --columns description,metadata`;

async function run(name: string, owner: string | undefined, flags: AccountFlags & ListFlags): Promise<void> {
  const collection = collectionOf(name, "lists");
  if (owner === undefined && collection.owner !== undefined) {
    throw new UsageError(`${collection.name} belong to one ${collection.owner}: add its id`);
  }
  if (owner !== undefined && collection.owner === undefined) {
    throw new UsageError(`${collection.name} belong to no other object: remove ${owner}`);
  }
  await listObjects(collection.declaration, owner, flags);
}
