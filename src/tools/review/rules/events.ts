/** The rules about event subscriptions and destinations. */
import { isUnknown, itemsOf, membersOf } from "../../../schema/unknown";
import type { Context, Find, Rule } from "../rule";
import { keyOf, named } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { firstOf, later, most10 } from "../../../schema/text/phrase";
import { objects, pairs, pairsOf } from "./each";

export const eventRules: readonly Rule[] = [
  {
    id: "interruption/subscription-emptied",
    severity: "warning",
    title: "An event subscription loses its last source or destination",
    help: "No event is delivered: keep a source and a destination.",
    needsAll: true,
    changes: pairs(["EventSubscription"], emptiedText),
  },
  {
    id: "hygiene/unused-destination",
    severity: "note",
    title: "An event destination that no subscription uses",
    help: "It has no effect. Add it to a subscription, or remove it.",
    needsAll: true,
    states: objects(["EventDestination"], (destination, inventory) => {
      const users = inventory.referrers(destination).map(({ from }) => from.declaration.type);
      return !users.includes("EventSubscription") && "no subscription of this program uses it";
    }),
  },
];

function emptiedText(old: InventoryObject, next: InventoryObject, { before, after }: Context) {
  const own = sourceResources(before, old);
  const lostSources =
    sources(old, own).size > 0 && sources(next, sourceResources(after, next), own).size === 0;
  const lost = [
    ...(lostSources ? ["source"] : []),
    ...(destinations(old) > 0 && destinations(next) === 0 ? ["destination"] : []),
  ];
  return lost.length > 0 && `its last ${lost.join(" and its last ")} is removed: it delivers no event`;
}

function destinations({ values }: InventoryObject): number {
  return isUnknown(values.destinationIds) ? 1 : itemsOf(values.destinationIds).length;
}

/** The event types of the EventSource resources of a subscription. */
function sourceResources(inventory: Inventory, subscription: InventoryObject): string[] {
  return inventory
    .referrers(subscription)
    .filter(({ from }) => from.declaration.type === "EventSource")
    .map(({ from }) => String(from.values.type));
}

/**
 * The event types of a subscription. A subscription whose program sets no sources keeps those of the service, except
 * those that an EventSource resource declared before.
 */
function sources(
  { args, values }: InventoryObject,
  own: readonly string[],
  ownBefore: readonly string[] = [],
): Set<string> {
  const listed = itemsOf(values.sources).map((source) => String(membersOf(source).type));
  const kept = args.sources === undefined ? listed.filter((type) => !ownBefore.includes(type)) : listed;
  return new Set([...kept, ...own]);
}

/** Subscriptions that are created or deleted, and sources that are added to one or taken from one. */
export function* newFlows(find: Find, context: Context) {
  const { before, after, resources } = context;
  const emptied = pairsOf(context, ["EventSubscription"]).flatMap(({ old, next }) =>
    emptiedText(old, next, context) ? [next.urn] : [],
  );
  for (const [inventory, action] of [
    [after, "create"],
    [before, "delete"],
  ] as const) {
    const isChanged = (on: InventoryObject): boolean => resources.get(keyOf(on))?.action === action;
    for (const on of inventory.ofType("EventSubscription").filter(isChanged)) {
      const receivers = inventory.references(on).filter(({ argument }) => argument === "destinationIds");
      const names = receivers.map(({ to, id = `a destination ${later}` }) => (to ? named(to) : id));
      if (names.length === 0) continue;
      const verb = action === "create" ? "its events go to" : "its events no longer go to";
      yield find(on, `${verb} ${firstOf(names, most10)}`, { field: "destinationIds" });
    }
    for (const on of inventory.ofType("EventSource").filter(isChanged)) {
      const [{ to, id = `a subscription ${later}` } = {}] = inventory.references(on);
      // The finding about the subscription covers its source.
      if (to && (isChanged(to) || emptied.includes(to.urn))) continue;
      const verb = action === "create" ? "is delivered by" : "is no longer delivered by";
      yield find(on, `${String(on.values.type)} ${verb} ${to ? named(to) : id}`, { field: "type" });
    }
  }
}
