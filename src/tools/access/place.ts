/** Places: the objects with gates, and who gets in there. */
import { oncePerPair } from "../../schema/once-per";
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { compareTexts } from "../../schema/text/compare-texts";
import { Access } from "./verdicts";
import type { Piece } from "./verdicts";
import { AddressSet } from "../../schema/addresses/address-set";
import { addressGate, gatesByPlace, gatesOf } from "./gates";
import type { GateState } from "./gates";
import { policiesOf, policyIn, policyMeant, policyReferences, reaches } from "./policies";
import type { PolicyRanges } from "./policies";
import { unknownSemantics } from "./semantics";
import type { Semantics } from "./semantics";
import { placeKey, pairedByPlace } from "./served";

/** An object with gates: traffic passes it, or it guards an edge or a route. */
export interface Place {
  readonly on: InventoryObject;
  /** All gates of what it guards, including its own. An allowed client must still pass the others. */
  readonly gates: readonly GateState[];
  /** Who gets in by address. Places with the same policies share it. */
  readonly access: Access;
}

/** Everything that has a gate, in the order of the inventory. */
export function placesIn(inventory: Inventory, semantics = unknownSemantics): readonly Place[] {
  return placesUnder(semantics, inventory);
}

const placesUnder = oncePerPair((semantics: Semantics, inventory: Inventory): Place[] => {
  const gates = gatesByPlace(inventory);
  const objects = [...inventory.all.values()].filter(({ declaration }) => declaration.gates !== undefined);
  // Many places may have the same policies: each combination is computed once.
  const known = new Map<string, Access>();
  return objects.map((on) => {
    const { isRestricted, policies, ...beside } = decidingAt(inventory, on);
    const keys = [policies, beside.candidates].map((some) => some.map(({ key }) => key));
    const key = JSON.stringify([isRestricted, keys, beside.gone, beside.hasUnknownPolicy]);
    const access = known.get(key) ?? new Access(isRestricted, policies, semantics, beside);
    known.set(key, access);
    return { on, gates: gates.get(placeKey(on))!, access };
  });
});

/** What decides at the place of an object. */
function decidingAt(
  inventory: Inventory,
  on: InventoryObject,
): Pick<Access, "isRestricted" | "policies"> & Access["beside"] {
  const references = policyReferences(inventory, on).filter(({ isOff }) => !isOff);
  const isOn = addressGate(gatesOf(on))?.isOn === true;
  // A list that is not known can be empty.
  const isSure = isOn && references.some(({ isWhole }) => !isWhole);
  const certain = references.filter(({ isCertain }) => isCertain);
  const policiesIn = (some: readonly Reference[]): PolicyRanges[] => {
    const meant = some.flatMap((reference) => policyMeant(inventory, reference) ?? []);
    const distinct = [...new Map(meant.map((each) => [each.key, each])).values()];
    return distinct.sort((a, b) => compareTexts(a.key, b.key)).map((each) => policyIn(inventory, each));
  };
  return {
    isRestricted: references.length > 0 && (isSure || "unknown"),
    policies: policiesIn(certain),
    candidates: policiesIn(references.filter(({ isCertain }) => !isCertain)),
    gone: certain.flatMap(({ id, to }) =>
      id !== undefined && !to && inventory.isGone(id, on.provider) ? [id] : [],
    ),
    hasUnknownPolicy: certain.length < references.length,
  };
}

/** The places that IP policies guard, or could. */
export function policyPlaces(inventory: Inventory, semantics = unknownSemantics): Place[] {
  return placesIn(inventory, semantics).filter(({ on }) => addressGate(on.declaration.gates) !== undefined);
}

/** The policies that no place of the inventory uses. */
export function unusedPolicies(inventory: Inventory, semantics: Semantics): PolicyRanges[] {
  const used = new Set(placesIn(inventory, semantics).flatMap(({ access }) => access.allPolicies));
  return [...policiesOf(inventory).values()].filter((policy) => !used.has(policy));
}

/** One place that IP policies guard, before and after a deployment. */
export interface PlacePair {
  /** The object after the deployment; a deleted one, before it. */
  readonly on: InventoryObject;
  readonly old: Place | undefined;
  readonly next: Place | undefined;
}

/** The places that IP policies guard before or after a deployment. */
export function placePairs(before: Inventory, after: Inventory, semantics = unknownSemantics): PlacePair[] {
  const placesByObject = (inventory: Inventory): Map<InventoryObject, Place> =>
    new Map(policyPlaces(inventory, semantics).map((place) => [place.on, place]));
  const [olds, news] = [placesByObject(before), placesByObject(after)];
  return pairedByPlace([...olds.keys()], [...news.keys()]).map(({ old, next }) => ({
    on: (next ?? old)!,
    old: old && olds.get(old),
    next: next && news.get(next),
  }));
}

/** Who gets in surely, perhaps and not. For all other addresses this is not known. */
export type Entrance = Readonly<Record<"surely" | "perhaps" | "not", AddressSet>>;

/** Who gets in at the place of an object. */
export function entranceAt(
  place: Pick<Place, "access"> | undefined,
  { declaration }: Pick<InventoryObject, "declaration">,
): Entrance {
  const { empty, everything } = AddressSet;
  if (!place) {
    // An edge or route without its module is open; one that does not exist serves nobody.
    return declaration.style === "singleton"
      ? { surely: everything, perhaps: empty, not: empty }
      : { surely: empty, perhaps: empty, not: everything };
  }
  const { byVerdict, letsIn, unmatchedStaysOut } = place.access;
  const { undecided, denied, unmatched } = byVerdict;
  return {
    surely: letsIn,
    perhaps: unmatchedStaysOut ? undecided : undecided.union(unmatched),
    not: unmatchedStaysOut ? denied.union(unmatched) : denied,
  };
}

/** What causes a verdict: a resource of the inventory, or a policy that it does not contain. */
export type VerdictCause = InventoryObject | { readonly outside: string };

export function isResource(cause: VerdictCause): cause is InventoryObject {
  return !("outside" in cause);
}

/** The rules and policies that cause the verdict about the addresses of a piece. */
export function causesOf({ on, access }: Place, { verdict, addresses }: Piece): VerdictCause[] {
  const { policies, beside, isRestricted } = access;
  switch (verdict) {
    case "allowed":
    case "denied":
    case "undecided": {
      const entries = policies.flatMap((policy) => policy.entries);
      const other = verdict === "allowed" ? "deny" : verdict === "denied" ? "allow" : undefined;
      const causes = entries.filter(
        ({ action, block }) => action !== other && reaches(addresses, action, block),
      );
      return [...new Set(causes.map(({ from }) => from))];
    }
    case "unknown": {
      const open = policies.flatMap(({ possible }) => possible);
      const outside = policies.filter(({ policy }) => policy === undefined);
      const others = policies.flatMap(({ policy, hasOthers }) => (hasOthers && policy ? [policy] : []));
      const possible = open.filter(
        ({ action = "allow", block }) => !block || reaches(addresses, action, block),
      );
      const causes = [
        ...(beside.hasUnknownPolicy || isRestricted === "unknown" ? [on] : []),
        ...outside.map(({ name }) => ({ outside: name })),
        ...others,
        ...possible.map(({ from }) => from),
      ];
      return [...new Set(causes)];
    }
    case "unmatched":
    case "open":
      return [];
  }
}
