/** The inventory that a command works on: of a stack, of an account, or of what a deployment leads to. */
import type { Command } from "commander";
import { inventoryOfAccount, readAccount } from "../../inventory/account";
import type { Inventory } from "../../inventory/inventory";
import { modulesWith, namedBy } from "../../inventory/managed";
import { inventoriesOf } from "../../inventory/preview";
import { inAccountOf, providerNamed } from "../../inventory/providers";
import { readStack } from "../../inventory/stack";
import type { StackContents } from "../../inventory/stack";
import type { Declaration } from "../../schema/declaration";
import type { StackConfig } from "../../stack/config";
import type { Preview } from "../../stack/preview";
import { UsageError, withProvider } from "../command";
import type { AccountFlags } from "../command";
import { modulesOf, withModules } from "../options";
import type { ModuleFlags } from "../options";
import { note, status, clear } from "../terminal/progress";
import { connect } from "./connect";
import { previewFrom, reportIncomplete } from "./preview";

export interface InventoryFlags extends AccountFlags, ModuleFlags {
  account?: boolean;
  preview?: string;
}

export function withInventory(command: Command): Command {
  const options = withProvider(
    command
      .option(
        "--stack <name>",
        "read the state of this stack; with --account: the stack that manages the account",
      )
      .option("--cwd <folder>", "the folder of the stack's Pulumi project (default: the current folder)")
      .option("--account", "read the account")
      .option(
        "--preview <file>",
        "read the result of a deployment: the output of `pulumi preview --json --show-sames`; - reads stdin",
      ),
  );
  return withModules(options);
}

/**
 * The preview that the options name, if they do. One that fails sets the exit code, as it is not complete. Throws a
 * UsageError where the options do not fit together.
 */
export async function previewOf(flags: InventoryFlags): Promise<Preview | undefined> {
  const { account, preview, stack, provider } = flags;
  if (provider !== undefined && !account)
    throw new UsageError("--provider chooses an account, so it needs --account");
  if (preview === undefined) return undefined;
  if (account || stack !== undefined) throw new UsageError("--preview needs neither --account nor --stack");
  const read = await previewFrom(preview);
  reportIncomplete(read);
  return read;
}

/**
 * Reads the inventory; of an account the chosen collections. Throws a UsageError where the options choose none.
 */
export async function readInventory(
  flags: InventoryFlags,
  isChosen: (declaration: Declaration) => boolean,
): Promise<Inventory> {
  const { account, stack, cwd } = flags;
  const preview = await previewOf(flags);
  if (preview) return inventoriesOf(preview).after;
  if (account) return accountInventory(flags, isChosen);
  if (stack === undefined) throw new UsageError("name --stack, --account or --preview");
  return (await readStack({ stack, cwd, note })).inventory;
}

/** Reads the chosen collections of the account, named as the stack names its objects. */
export async function accountInventory(
  flags: Omit<InventoryFlags, "account" | "preview">,
  isChosen: (declaration: Declaration) => boolean,
  config?: StackConfig,
): Promise<Inventory> {
  const modules = modulesOf(flags);
  const contents = await contentsOfStack(flags);
  const client = await connect(flags, config);
  const reading = {
    client,
    isChosen,
    modules: modulesWith(modules, contents),
    findsEdges: true,
    report: status,
  };
  const { objects } = await readAccount(reading).finally(clear);
  for (const { declaration, id, problem } of objects)
    if (problem !== undefined) note(`The ${declaration.noun} ${id} is left out: ${problem}`);
  return inventoryOfAccount(namedBy(contents, objects).objects);
}

/** What the stack that the options name may have in the account. */
export async function contentsOfStack({
  stack,
  cwd,
  provider,
}: AccountFlags): Promise<StackContents | undefined> {
  if (stack === undefined) return undefined;
  const contents = await readStack({ stack, cwd, note });
  return inAccountOf(contents, provider === undefined ? undefined : providerNamed(contents, provider));
}
