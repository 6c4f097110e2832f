/** What decides access and is not known before the deployment. */
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { accessArguments, accessValues } from "../../schema/access-fields";
import type { AccessValue } from "../../schema/access-fields";
import { everyField } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import { mayHoldIds } from "../../schema/references";
import { isUnknown } from "../../schema/unknown";

/**
 * What decides access and is not known, but for ids of new objects that the data flow explains.
 * @param isLeftOut which other fields do not count.
 */
export function unexplainedAccess(
  inventory: Inventory,
  on: InventoryObject,
  isLeftOut: (field: AnyField) => boolean = () => false,
): AccessValue[] {
  const { fields } = on.declaration;
  return accessArguments(fields).flatMap((name) => {
    const isOpen = (value: unknown, field: AnyField): boolean =>
      isUnknown(value) && !isLeftOut(field) && !(isOfIds(field) && comesFromNew(inventory, on, name));
    return accessValues({ [name]: fields[name]! }, on.args, isOpen);
  });
}

/** Whether a field takes nothing but ids. An object may also say that a guard is disabled. */
export function isOfIds(field: AnyField): boolean {
  return (
    mayHoldIds(field) &&
    everyField(field).every(({ shape: { kind } }) => kind === "string" || kind === "list")
  );
}

function comesFromNew(inventory: Inventory, on: InventoryObject, argument: string): boolean {
  return areOfNew(
    inventory.references(on).filter((each) => each.argument === argument && each.id === undefined),
  );
}

/** Whether the data flow explains ids of one argument that are not known: all come from objects of the program that are new. */
export function areOfNew(open: readonly Reference[]): boolean {
  return open.length > 0 && open.every(({ to }) => to?.id === undefined && to?.record?.external === false);
}
