/** Values that decide access and are unknown before the deployment. */
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { accessArguments, accessValues } from "../../schema/access-fields";
import type { AccessValue } from "../../schema/access-fields";
import { everyField } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import { mayHoldIds } from "../../schema/references";
import { isUnknown } from "../../schema/unknown";

/**
 * Unknown values that decide access, without ids of new objects that the data flow explains.
 * @param isLeftOut whether a field does not count either.
 */
export function unexplainedAccess(
  inventory: Inventory,
  on: InventoryObject,
  isLeftOut: (field: AnyField) => boolean = () => false,
): AccessValue[] {
  const { fields } = on.declaration;
  return accessArguments(fields).flatMap((name) => {
    const open = (): Reference[] =>
      inventory.references(on).filter((each) => each.argument === name && each.id === undefined);
    const isOpen = (value: unknown, field: AnyField): boolean =>
      isUnknown(value) && !isLeftOut(field) && !(isOfIds(field) && areOfNew(open()));
    return accessValues({ [name]: fields[name]! }, on.args, isOpen);
  });
}

/** Whether a field takes only ids. An object may also disable a gate. */
export function isOfIds(field: AnyField): boolean {
  return (
    mayHoldIds(field) &&
    everyField(field).every(({ shape: { kind } }) => kind === "string" || kind === "list")
  );
}

/** Whether the data flow explains the unknown ids of an argument: all come from new objects of the program. */
export function areOfNew(open: readonly Reference[]): boolean {
  return open.length > 0 && open.every(({ to }) => to?.id === undefined && to?.record?.external === false);
}
