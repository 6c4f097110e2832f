/** The objects that a deployment drops from the stack and leaves in the account. */
import { namesIn } from "../../provider/http/path";
import { declaresRules } from "../../schema/rule-set";
import type { Change } from "../stack/preview";
import type { Inventory, InventoryObject } from "./inventory";
import { keyOf } from "./inventory";

type Keeping = "retainOnDelete" | "deletedWith";

/** An object that the engine drops from the stack and does not delete, and the resource option that keeps it. */
export type Retained = ReturnType<typeof retainedObjects>[number];

/** @param changes those of the resources of all packages. */
export function retainedObjects(before: Inventory, changes: readonly Change[]) {
  const gone = changes.filter(({ action }) => action === "delete" || action === "replace");
  const left = new Set(gone.map(({ urn }) => urn));
  // At the end of the deployment, the engine skips what is deleted with another resource.
  const isLast = ({ urn, deletedFirst, isDropped }: Change): boolean =>
    isDropped || (left.has(urn) && !deletedFirst);
  const last = new Set(changes.filter(isLast).map(({ urn }) => urn));
  // States before the deployment name others by their URNs of that time.
  const renamed = new Map(changes.map((change) => [change.before?.urn, change.urn]));
  const known = new Map<string, Keeping | undefined>();
  const retainedBy = (urn: string): Keeping | undefined => {
    if (!known.has(urn)) {
      known.set(urn, undefined); // ends a circle
      known.set(urn, reasonOf(urn));
    }
    return known.get(urn);
  };
  const reasonOf = (urn: string): Keeping | undefined => {
    const old = left.has(urn) ? before.all.get(urn) : undefined;
    if (old?.record?.retainOnDelete) return "retainOnDelete";
    const named = old?.record?.deletedWith;
    if (!old || named === undefined) return undefined;
    const owner = renamed.get(named) ?? named;
    if (!last.has(urn) || !last.has(owner)) return undefined;
    const isDeleted = left.has(owner) && !retainedBy(owner);
    return isDeleted && isPartOf(before, old, owner) ? undefined : "deletedWith";
  };
  return [...before.all].flatMap(([urn, old]) => {
    const by = retainedBy(urn);
    return by ? [{ old, by }] : [];
  });
}

/** Whether an object is a part of another one, so that the service deletes both together. */
function isPartOf(inventory: Inventory, part: InventoryObject, owner: string): boolean {
  const { declaration } = part;
  const names = [...(declaresRules(declaration) ? ["ipPolicyId"] : []), ...namesIn(declaration.path)];
  return inventory
    .references(part)
    .some(({ argument, to }) => names.includes(argument) && to !== undefined && keyOf(to) === owner);
}
