import type { Command } from "commander";
import { UsageError, newCommand } from "../command";
import { withAccount, withFilters, withOutput, withSecrets } from "../shared-options";
import type { AccountFlags, ListFlags } from "../shared-options";

export function command(): Command {
  const list = newCommand("list")
    .summary("list a collection")
    .description("Lists all objects of a collection, over all pages.")
    .argument(
      "[collection]",
      "the collection, such as ip-policies; none, or any other word, prints all names",
    )
    .argument("[owner]", "the operator of bound-endpoints, or the subscription of event-sources");
  return withAccount(withSecrets(withOutput(withFilters(list))))
    .option(
      "--columns <fields>",
      "the columns of the table in addition to the id, such as description,deployment.name",
    )
    .addHelpText("after", help)
    .action(run);
}

const help = `
Examples:
  $ npx pulumi-tunnel-gateway list ip-policies --filter 'description=office*'
  $ npx pulumi-tunnel-gateway list tunnel-group-backends --filter labels.service=web --json
  $ npx pulumi-tunnel-gateway list event-sources esb_2abc
  $ npx pulumi-tunnel-gateway list api-keys --stack production --columns description,metadata`;

async function run(
  name: string | undefined,
  owner: string | undefined,
  flags: AccountFlags & ListFlags,
): Promise<void> {
  const { collectionOf } = await import("../collections.js");
  const { listObjects } = await import("../input/account-objects.js");
  const collection = collectionOf(name, "lists");
  if (owner === undefined && collection.owner !== undefined) {
    throw new UsageError(`${collection.name} belong to one ${collection.owner}: add its id`);
  }
  if (owner !== undefined && collection.owner === undefined) {
    throw new UsageError(`${collection.name} belong to no other object: remove ${owner}`);
  }
  await listObjects(collection.declaration, owner, flags);
}
