/** What edges lead to. */
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { backendPrefixes } from "../../resources/shared-fields";
import type { Json } from "../../schema/json";
import { oncePer } from "../../schema/once-per";
import { isRecord, isUnknown } from "../../schema/unknown";

/** A backend behind an edge. Another backend with the same labels reaches the same agents. */
interface Target {
  readonly id: string | undefined;
  readonly labels: Json;
}

/** Whether two objects, each in an inventory, lead to one backend, or to agents that have the labels of both. */
export function haveOneBackend(
  from: Inventory,
  on: InventoryObject,
  otherFrom: Inventory,
  other: InventoryObject,
): boolean {
  return targetsIn(from)(on).some((a) =>
    targetsIn(otherFrom)(other).some(
      (b) => (a.id !== undefined && a.id === b.id) || isWithin(a, b) || isWithin(b, a),
    ),
  );
}

/** The backends of an object, and those behind a weighted or failover backend. Services accept no deeper nesting. */
const targetsIn = oncePer((inventory: Inventory) =>
  oncePer((on: InventoryObject): Target[] => {
    const own = backendsOf(inventory, on);
    const all = [...own, ...own.flatMap(({ to }) => (to ? backendsOf(inventory, to) : []))];
    return all.map(({ id, to }) => ({ id, labels: isRecord(to?.outputs.labels) ? to.outputs.labels : {} }));
  }),
);

function backendsOf(inventory: Inventory, on: InventoryObject): readonly Reference[] {
  const isBackend = (prefix: string): boolean => backendPrefixes.some((each) => each === prefix);
  return inventory.references(on).filter(({ prefixes }) => prefixes.some(isBackend));
}

function isWithin(some: Target, all: Target): boolean {
  const labels = Object.entries(some.labels);
  return (
    labels.length > 0 && labels.every(([name, value]) => !isUnknown(value) && all.labels[name] === value)
  );
}
