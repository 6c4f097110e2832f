/** The inventory that a command works on: of a stack, of an account, or after a deployment. */
import { accountInventory, stackBeside } from "../../inventory/connect";
import type { AccountParts } from "../../inventory/connect";
import type { Inventory } from "../../inventory/inventory";
import { readStack } from "../../inventory/stack";
import type { Preview } from "../../inventory/read-preview";
import { UsageError } from "../command";
import { accountOf, modulesOf } from "../shared-options";
import type { InventoryFlags } from "../shared-options";
import { clear, note, status } from "../terminal/progress";
import { previewFrom, reportIncomplete } from "./preview-sources";

/**
 * The preview that the options select, if any. A failed preview is incomplete, so it sets the exit code. Throws a UsageError if
 * the options do not fit together.
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

/** Reads the inventory; of an account, only the chosen collections. Throws a UsageError if the options choose none. */
export async function readInventory(
  flags: InventoryFlags,
  isChosen: AccountParts["isChosen"],
): Promise<Inventory> {
  const { account, stack, cwd } = flags;
  const preview = await previewOf(flags);
  if (preview) return preview.after;
  if (account) {
    const parts = { isChosen, modules: modulesOf(flags) };
    const choice = accountOf(flags);
    const contents = await stackBeside(choice, note);
    return accountInventory(choice, contents, parts, { note, status }).finally(clear);
  }
  if (stack === undefined) throw new UsageError("use --stack, --account or --preview");
  return (await readStack({ stack, cwd, note })).inventory;
}
