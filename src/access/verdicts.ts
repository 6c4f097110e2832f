/** Who gets in: the verdict about every address at each guarded thing, as sets of addresses. */
import { oncePer } from "../once-per";
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { compareTexts } from "../text/order";
import { AddressSet } from "./address-set";
import type { Block } from "./block";
import { gatesByPlace, gatesOf } from "./gates";
import type { GateState } from "./gates";
import { guardedPlace, pairedByPlace } from "./places";
import { coverOf, policyIn, policyMeant, policyPrefix, reachOf } from "./policies";
import type { PolicyRanges, RuleAction } from "./policies";
import { anything, decide, exactly, unknownSemantics } from "./semantics";
import type { Decision, PolicyCover, Semantics } from "./semantics";

/**
 * What the IP policies say about an address. Without {@link Semantics}: `allowed`: an allow rule covers it and no deny rule;
 * `denied`: the opposite; `undecided`: both, and the specification does not say which one counts; `unmatched`: neither;
 * `open`: nothing restricts by address; `unknown`: known only after the deployment, or decided by a policy outside of the
 * program.
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
  /**
   * Whether `unmatched` addresses are kept out as far as rules say: an allow rule of each policy names others. Where one has
   * none, its deny rules alone may let everybody else in.
   */
  readonly unmatchedStaysOut: boolean;
}

/** Everything that has a gate, in the order of the inventory. */
export function guardedThings(inventory: Inventory, semantics = unknownSemantics): readonly GuardedThing[] {
  return thingsUnder(semantics)(inventory);
}

const thingsUnder = oncePer((semantics: Semantics) =>
  oncePer((inventory: Inventory) => thingsIn(inventory, semantics)),
);

function thingsIn(inventory: Inventory, semantics: Semantics): GuardedThing[] {
  const gates = gatesByPlace(inventory);
  // Many things may have the same policies: each combination is computed once.
  const computed = new Map<string, GuardedThing["byVerdict"]>();
  return [...inventory.all.values()]
    .filter(({ declaration }) => declaration.gates !== undefined)
    .map((on) => {
      const place = guardedPlace(on);
      const restriction = restrictionOf(inventory, on);
      const { isRestricted, policies, hasUnknownPolicy, gone } = restriction;
      const keys = policies.map((policy) => policy.key);
      const key = JSON.stringify([isRestricted, hasUnknownPolicy, gone.length > 0, keys]);
      const byVerdict = computed.get(key) ?? verdictsOf(restriction, semantics);
      computed.set(key, byVerdict);
      const unmatchedStaysOut = staysOut(restriction, semantics);
      return { on, place, ...restriction, gates: gates.get(place)!, byVerdict, unmatchedStaysOut };
    });
}

function staysOut({ policies, gone }: Restriction, semantics: Semantics): boolean {
  const allows = [...policies.map(({ allowed }) => !allowed.isEmpty()), ...gone.map(() => false)];
  return allows.includes(true) && (semantics.policies === "all" || !allows.includes(false));
}

/** A thing that IP policies guard, before and after a deployment; undefined where it does not exist. */
export type GuardPair = readonly [before: GuardedThing | undefined, after: GuardedThing | undefined];

/** The things that IP policies guard before a deployment, and after it, by the places that they guard. */
export function guardPairs(before: Inventory, after: Inventory, semantics = unknownSemantics): GuardPair[] {
  const [olds, news] = [addressGuards(before, semantics), addressGuards(after, semantics)];
  const pairs = pairedByPlace([...olds.keys()], [...news.keys()]);
  return pairs.map(([old, next]) => [old && olds.get(old), next && news.get(next)]);
}

function addressGuards(inventory: Inventory, semantics: Semantics): Map<InventoryObject, GuardedThing> {
  const things = guardedThings(inventory, semantics).filter(({ on }) =>
    on.declaration.gates!.some(({ by }) => by === "address"),
  );
  return new Map(things.map((thing) => [thing.on, thing]));
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

function verdictsOf(restriction: Restriction, semantics: Semantics): GuardedThing["byVerdict"] {
  const { isRestricted, policies, gone, hasUnknownPolicy } = restriction;
  if (isRestricted === false) return { ...nothing, open: AddressSet.everything };
  if (isRestricted === "unknown") return { ...nothing, unknown: AddressSet.everything };
  const covers = [
    ...policies.map(coverOf),
    ...gone.map(() => goneCover),
    ...(hasUnknownPolicy ? [unknownCover] : []),
  ];
  return { ...nothing, ...decidedVerdicts(decide(covers, semantics)) };
}

/** A policy that does not exist has zero rules. */
const goneCover: PolicyCover = {
  ...{ allow: exactly(AddressSet.empty), deny: exactly(AddressSet.empty), isEmpty: true },
};
const unknownCover: PolicyCover = { allow: anything, deny: anything, isEmpty: "unknown" };

function decidedVerdicts({ letsIn, keepsOut }: Decision): Partial<GuardedThing["byVerdict"]> {
  const allowed = letsIn.surely.difference(keepsOut.possibly);
  const denied = keepsOut.surely.difference(letsIn.possibly);
  const undecided = letsIn.surely.intersection(keepsOut.surely);
  const unmatched = AddressSet.everything.difference(letsIn.possibly.union(keepsOut.possibly));
  const unknown = AddressSet.everything.difference(allowed.union(denied, undecided, unmatched));
  return { allowed, denied, undecided, unmatched, unknown };
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
      const other = verdict === "allowed" ? "deny" : verdict === "denied" ? "allow" : undefined;
      const causes = entries.filter(
        ({ action, block }) => action !== other && reaches(addresses, action, block),
      );
      return distinct(causes.map(({ from }) => from));
    }
    case "unknown": {
      const open = policies.flatMap(({ possible }) => possible);
      const outside = policies.filter(({ policy }) => policy === undefined);
      const others = policies.flatMap(({ policy, hasOthers }) => (hasOthers && policy ? [policy] : []));
      return distinct<VerdictCause>([
        ...(thing.hasUnknownPolicy || thing.isRestricted === "unknown" ? [on] : []),
        ...outside.map(({ name }) => ({ outside: name })),
        ...others,
        ...open
          .filter(({ action = "allow", block }) => !block || reaches(addresses, action, block))
          .map(({ from }) => from),
      ]);
    }
    case "unmatched":
    case "open":
      return [];
  }
}

/** Whether a rule counts for some of the addresses. */
export function reaches(addresses: AddressSet, action: RuleAction, block: Block): boolean {
  return reachOf(action, block).some((each) => addresses.overlaps(each));
}

function distinct<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
