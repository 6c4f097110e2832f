/** Which rules, entries and policies the clients of logs used, at each place that IP policies guard. */
import { oncePer, oncePerPair } from "../../schema/once-per";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { Access } from "./verdicts";
import type { ClientLog } from "./client-log";
import { LogClients } from "./log-clients";
import { policyPlaces, unusedPolicies } from "./place";
import type { Place } from "./place";
import { addressesWith, shadowsIn } from "./policies";
import type { PolicyEntry, PolicyRanges } from "./policies";
import type { Semantics } from "./semantics";
import { resourcePattern } from "./access-tests";

/** A log, and the resource whose clients it has; undefined for all. */
export interface PlaceLog {
  readonly log: ClientLog;
  readonly resource: string | undefined;
}

export type PolicyUse = ReturnType<typeof policyUse>;

type LogUse = ReturnType<typeof logUse>;

/** What the clients of logs used. */
export function logUse(inventory: Inventory, logs: readonly PlaceLog[], semantics: Semantics) {
  const gated = policyPlaces(inventory, semantics);
  const clientsAt = clientsByPlace(logs);
  const places = gated.flatMap((place) => {
    const clients = clientsAt([place.on]);
    return clients ? [{ place, clients, policies: usesUnder(clients, place.access) }] : [];
  });
  const observed = new Set(places.map(({ place }) => place));
  return {
    places,
    /** Without a log. */
    unobserved: gated.filter((place) => !observed.has(place)),
    /** The policies that guard nothing in the inventory. */
    unattached: unusedPolicies(inventory, semantics),
  };
}

/** The clients of the logs of some objects; undefined if they have no log. Objects with the same logs share the result. */
export const clientsByPlace = oncePer((logs: readonly PlaceLog[]) => {
  const isOf = logs.map(({ resource }) => (resource === undefined ? () => true : resourcePattern(resource)));
  const known = new Map<string, LogClients>();
  return (objects: readonly InventoryObject[]): LogClients | undefined => {
    const own = logs.filter((_, i) => objects.some(isOf[i]!));
    if (own.length === 0) return undefined;
    const key = own.map((each) => logs.indexOf(each)).join();
    const found = known.get(key) ?? LogClients.of(own.map(({ log }) => log));
    known.set(key, found);
    return found;
  };
});

const usesUnder = oncePerPair((clients: LogClients, access: Access): readonly PolicyUse[] =>
  access.policies.map((policy) => policyUse(policy, access, clients)),
);

/**
 * A client uses a rule that covers it, unless the verdict is the opposite of its action. The verdict is that of the policy
 * alone or of all policies of the place. If it is the opposite, another rule decides.
 */
function policyUse(policy: PolicyRanges, { byVerdict, semantics }: Access, clients: LogClients) {
  const alone = new Access(true, [policy], semantics).byVerdict;
  const users = {
    allow: clients.outside(byVerdict.denied.union(alone.denied)),
    deny: clients.outside(byVerdict.allowed.union(alone.allowed)),
  };
  const shadows = new Map(
    shadowsIn(policy).flatMap(({ inner, outer }) =>
      inner.action === outer.action ? [[inner, outer] as const] : [],
    ),
  );
  const entries = policy.entries.map((entry) => {
    const reach = addressesWith(entry.action, [entry]).blocks();
    const [covered, used] = [clients, users[entry.action]].map((some) => some.countIn(reach));
    // The clients that the range covers, those that it may decide about, and the range that makes it have no effect.
    return { entry, covered: covered!, used: used!, shadow: shadows.get(entry) };
  });
  const isUsed = entries.some(({ used }) => used.clients > 0);
  const hasUnknown = policy.hasOthers || policy.possible.length > 0;
  return { policy, entries, isUsed: isUsed || (hasUnknown ? ("unknown" as const) : false) };
}

/** The places that need a range: those where a client used it, and those of its policy without a log. */
export function neededAt({ places, unobserved }: LogUse): (entry: PolicyEntry) => readonly Place[] {
  const found = new Map<PolicyEntry, Place[]>();
  const add = (entry: PolicyEntry, place: Place): void =>
    void found.set(entry, [...(found.get(entry) ?? []), place]);
  for (const { place, policies } of places)
    for (const { entries } of policies)
      for (const { entry, used } of entries) if (used.clients > 0) add(entry, place);
  for (const place of unobserved)
    for (const { entries } of place.access.allPolicies) for (const entry of entries) add(entry, place);
  return (entry) => found.get(entry) ?? [];
}

/** The ranges that no client used at any place, without those that have no effect beside others. */
export function unusedEntries(use: LogUse) {
  const isNeeded = neededAt(use);
  const byPolicy = Map.groupBy(
    use.places.flatMap(({ place, policies }) => policies.map((each) => ({ ...each, place }))),
    ({ policy }) => policy,
  );
  return [...byPolicy].flatMap(([policy, all]) =>
    all[0]!.entries
      .filter(({ entry, shadow }) => !shadow && isNeeded(entry).length === 0)
      .map(({ entry }) => ({ policy, entry, at: all.map(({ place }) => place) })),
  );
}
