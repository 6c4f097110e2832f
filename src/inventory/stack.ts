/** The objects of a stack, from its state. */
import { subjectsOfStack } from "../stack/preview";
import { Inventory } from "./inventory";
import { objectBefore } from "./preview";

/** @param exported the output of `pulumi stack export`. */
export function inventoryOfStack(exported: unknown): Inventory {
  return new Inventory(subjectsOfStack(exported).flatMap((subject) => objectBefore(subject) ?? []));
}
