/** Selects the provider for the resources of an import: dynamic resources or the native provider. */
import type { StackContents } from "../../inventory/stack";
import type { InventoryObject } from "../../inventory/inventory";
import { dynamicDoor, nativeDoor } from "../../../program/door";
import type { Door } from "../../../program/door";
import { isNativeToken } from "../../../program/shim";
import type { Group } from "../../../schema/declaration";
import { isNativeProvider } from "../../../provider/urn";
import type { ImportOptions } from "../import-options";

/** The provider of new resources in the file of a group, which imports all its classes from one module. */
export type DoorChoice = (group: Group) => Door;

/**
 * The kind of the explicit provider. Without one, the kind of the stack's resources in this file, or else of all its resources;
 * dynamic if the kinds are mixed.
 */
export function doorChoice(
  stack: Pick<StackContents, "managed"> | undefined,
  provider: ImportOptions["provider"],
): DoorChoice {
  if (provider) {
    const door = isNativeProvider(provider.urn) ? nativeDoor : dynamicDoor;
    return () => door;
  }
  const managed = stack?.managed ?? [];
  return (group) => {
    const inFile = managed.filter(({ declaration }) => declaration.group === group);
    return areNative(inFile.length > 0 ? inFile : managed) ? nativeDoor : dynamicDoor;
  };
}

function areNative(objects: readonly InventoryObject[]): boolean {
  return (
    objects.length > 0 && objects.every(({ record }) => record !== undefined && isNativeToken(record.type))
  );
}
