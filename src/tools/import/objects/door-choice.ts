/** Which door the resources of an import take: as dynamic resources, or over the native provider. */
import type { StackContents } from "../../inventory/stack";
import type { InventoryObject } from "../../inventory/inventory";
import { dynamicDoor, nativeDoor } from "../../../program/door";
import type { Door } from "../../../program/door";
import { isNativeToken } from "../../../program/shim";
import type { Group } from "../../../schema/declaration";
import { isNativeProvider } from "../../../provider/urn";
import type { ImportOptions } from "../import-options";

/** The door of new resources in the file of a group, which takes all its classes from one module. */
export type DoorChoice = (group: Group) => Door;

/**
 * The door of the explicit provider. Without one, that of the resources which the stack has in the file already, or else of
 * all its resources; the door of dynamic resources where they are not of one kind.
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
