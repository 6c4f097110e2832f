/** Who gets in: the verdict about every address at each guarded thing, as sets of addresses. */
import { oncePer } from "../once-per";
import { keyOf } from "../inventory/inventory";
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { compareTexts } from "../text/order";
import { AddressSet } from "./address-set";
import { gatesByPlace, gatesOf, guardedPlace } from "./gates";
import type { GateState } from "./gates";
import { policyIn, policyMeant, policyPrefix } from "./policies";
import type { PolicyRanges, PossibleEntry, RuleAction } from "./policies";

/**
 * What the IP policies say about an address. `allowed`: an allow rule covers it and no deny rule; `denied`: the
 * opposite; `undecided`: both, and the specification does not say which one counts; `unmatched`: neither; `open`: nothing
 * restricts by address; `unknown`: known only after the deployment, or decided by a policy outside of the program.
 */
export const verdicts = ["allowed", "denied", "undecided", "unmatched", "open", "unknown"] as const;
export type Verdict = (typeof verdicts)[number];

/** Addresses with the same verdict. */
export interface Piece {
  readonly verdict: Verdict;
  readonly addresses: AddressSet;
}

/** An object with gates: traffic passes it, or it guards an edge or a route. */
export interface GuardedThing {
  readonly on: InventoryObject;
  /** What its gates guard; see {@link guardedPlace}. */
  readonly place: string;
  /** Whether IP policies decide; "unknown" if it is known only after the deployment. */
  readonly isRestricted: boolean | "unknown";
  /** The policies that decide. */
  readonly policies: readonly PolicyRanges[];
  /** The policies of which one or more may decide too, because an id is known only after the deployment. */
  readonly candidates: readonly PolicyRanges[];
  /** The ids of policies that it refers to and that do not exist: they have no rules. */
  readonly gone: readonly string[];
  /** Whether a policy that decides is known only after the deployment. */
  readonly hasUnknownPolicy: boolean;
  /** All gates of the same place, its own among them. An allowed client must still pass the others. */
  readonly gates: readonly GateState[];
  /** Every address of both families is in one of the sets. */
  readonly byVerdict: Readonly<Record<Verdict, AddressSet>>;
}

/** Everything that has a gate, in the order of the inventory. */
export const guardedThings = oncePer((inventory: Inventory): readonly GuardedThing[] => {
  const gates = gatesByPlace(inventory);
  // Many things may have the same policies: each combination is computed once.
  const computed = new Map<string, GuardedThing["byVerdict"]>();
  return [...inventory.all.values()]
    .filter(({ declaration }) => declaration.gates !== undefined)
    .map((on) => {
      const place = guardedPlace(on);
      const restriction = restrictionOf(inventory, on);
      const { isRestricted, policies, hasUnknownPolicy } = restriction;
      const key = JSON.stringify([isRestricted, hasUnknownPolicy, policies.map((policy) => policy.key)]);
      const byVerdict = computed.get(key) ?? verdictsOf(restriction);
      computed.set(key, byVerdict);
      return { on, place, ...restriction, gates: gates.get(place)!, byVerdict };
    });
});

/** A thing that IP policies guard, before and after a deployment; undefined where it does not exist. */
export type GuardPair = readonly [before: GuardedThing | undefined, after: GuardedThing | undefined];

/**
 * The things that IP policies guard before a deployment, and after it. A module is held against what guards its edge now,
 * whatever it is called, and so is each of several: a second one must not hide what the first one changes.
 */
export function guardPairs(before: Inventory, after: Inventory): GuardPair[] {
  const [olds, news] = [guardsByPlace(before), guardsByPlace(after)];
  return [...new Set([...olds.keys(), ...news.keys()])].flatMap((place): GuardPair[] => {
    const [from, to] = [olds.get(place) ?? [], news.get(place) ?? []];
    if (to.length === 0) return from.map((old) => [old, undefined]);
    return to.map((next) => [from.find(({ on }) => keyOf(on) === keyOf(next.on)) ?? from[0], next]);
  });
}

function guardsByPlace(inventory: Inventory): Map<string, GuardedThing[]> {
  const things = guardedThings(inventory).filter(({ on }) =>
    on.declaration.gates!.some(({ by }) => by === "address"),
  );
  return Map.groupBy(things, ({ on, place }) => `${on.declaration.type} ${place}`);
}

type Restriction = Pick<
  GuardedThing,
  "isRestricted" | "policies" | "candidates" | "gone" | "hasUnknownPolicy"
>;

const unrestricted: Restriction = {
  ...{ isRestricted: false, policies: [], candidates: [], gone: [], hasUnknownPolicy: false },
};

function restrictionOf(inventory: Inventory, on: InventoryObject): Restriction {
  const references = inventory
    .references(on)
    .filter(({ isOff, prefixes }) => !isOff && takesPolicy(prefixes));
  if (references.length === 0) return unrestricted;
  const isOn = gatesOf(on).some((gate) => gate.by === "address" && gate.isOn === true);
  // A list that is not known can be empty.
  const isSure = isOn && references.some(({ isWhole }) => !isWhole);
  const certain = references.filter(({ isCertain }) => isCertain);
  const policiesIn = (some: readonly Reference[]): PolicyRanges[] => {
    const meant = some.flatMap((reference) => policyMeant(inventory, reference) ?? []);
    const distinct = [...new Map(meant.map((each) => [each.key, each])).values()];
    return distinct.sort((a, b) => compareTexts(a.key, b.key)).map((each) => policyIn(inventory, each));
  };
  return {
    isRestricted: isSure || "unknown",
    policies: policiesIn(certain),
    candidates: policiesIn(references.filter(({ isCertain }) => !isCertain)),
    gone: certain.flatMap(({ id, to }) =>
      id !== undefined && !to && inventory.isGone(id, on.provider) ? [id] : [],
    ),
    hasUnknownPolicy: certain.length < references.length,
  };
}

function takesPolicy(prefixes: readonly string[]): boolean {
  return prefixes.includes(policyPrefix);
}

const nothing = Object.fromEntries(verdicts.map((verdict) => [verdict, AddressSet.empty])) as Record<
  Verdict,
  AddressSet
>;

function verdictsOf(restriction: Restriction): GuardedThing["byVerdict"] {
  const { isRestricted } = restriction;
  if (isRestricted === false) return { ...nothing, open: AddressSet.everything };
  if (isRestricted === "unknown") return { ...nothing, unknown: AddressSet.everything };
  const [allow, deny] = [covered(restriction, "allow"), covered(restriction, "deny")];
  const allowed = allow.certain.difference(deny.possible);
  const denied = deny.certain.difference(allow.possible);
  const undecided = allow.certain.intersection(deny.certain);
  const unmatched = AddressSet.everything.difference(allow.possible.union(deny.possible));
  const unknown = AddressSet.everything.difference(allowed.union(denied, undecided, unmatched));
  return { ...nothing, allowed, denied, undecided, unmatched, unknown };
}

/** The addresses that rules with an action cover: for certain, and at most. */
function covered(
  { policies, hasUnknownPolicy }: Restriction,
  action: RuleAction,
): { certain: AddressSet; possible: AddressSet } {
  const certain = AddressSet.empty.union(
    ...policies.map(({ allowed, denied }) => (action === "allow" ? allowed : denied)),
  );
  const open = policies.flatMap(({ possible }) => possible).filter((each) => mayBe(each, action));
  const isAnything =
    hasUnknownPolicy ||
    policies.some(({ policy }) => policy === undefined) ||
    open.some(({ block }) => block === undefined);
  if (isAnything) return { certain, possible: AddressSet.everything };
  const blocks = AddressSet.ofBlocks(open.map(({ block }) => block!));
  return { certain, possible: certain.union(blocks) };
}

function mayBe(entry: PossibleEntry, action: RuleAction): boolean {
  return entry.action === undefined || entry.action === action;
}

/** The verdicts about the addresses of a query, in the order of {@link verdicts}, one piece for each. Default: all addresses. */
export function piecesOf({ byVerdict }: GuardedThing, query?: AddressSet): Piece[] {
  return verdicts
    .map((verdict) => ({
      verdict,
      addresses: query ? byVerdict[verdict].intersection(query) : byVerdict[verdict],
    }))
    .filter(({ addresses }) => !addresses.isEmpty());
}

/** What causes a verdict: a resource of the inventory, or a policy that it does not contain. */
export type VerdictCause = InventoryObject | { readonly outside: string };

/** The rules and policies that cause the verdict about the addresses of a piece. */
export function causesOf(thing: GuardedThing, { verdict, addresses }: Piece): VerdictCause[] {
  const { policies, on } = thing;
  switch (verdict) {
    case "allowed":
    case "denied":
    case "undecided": {
      const entries = policies.flatMap((policy) => policy.entries);
      return distinct(entries.filter(({ block }) => addresses.overlaps(block)).map(({ from }) => from));
    }
    case "unknown": {
      const open = policies.flatMap(({ possible }) => possible);
      const outside = policies.filter(({ policy }) => policy === undefined);
      return distinct<VerdictCause>([
        ...(thing.hasUnknownPolicy || thing.isRestricted === "unknown" ? [on] : []),
        ...outside.map(({ name }) => ({ outside: name })),
        ...open.filter(({ block }) => !block || addresses.overlaps(block)).map(({ from }) => from),
      ]);
    }
    case "unmatched":
    case "open":
      return [];
  }
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
