/** Kept access: ranges that must keep their access, and the places where they lose it. */
import { AddressSet } from "../../schema/addresses/address-set";
import { named } from "../inventory/inventory";
import type { Inventory, InventoryObject } from "../inventory/inventory";
import { most3, firstOf, quote } from "../../schema/text/phrase";
import { Access } from "./verdicts";
import type { Piece, Verdict } from "./verdicts";
import { causesOf, entranceAt, isResource, placePairs, placesIn } from "./place";
import type { Entrance, Place, PlacePair, VerdictCause } from "./place";
import { isLasting, policiesOf, policyIn } from "./policies";
import { rangeList, rangesText } from "./range-text";
import type { Semantics } from "./semantics";
import { possibleSuccessors } from "./served";

/** Ranges that must keep their access, by names such as "office". */
export type KeepAccess = Readonly<Record<string, readonly string[]>>;

/** A place or a policy where a kept range loses access. */
type KeptLoss = ReturnType<typeof lossOf>;

/** A change, and the ranges that must keep their access in it. */
interface KeptCheck {
  readonly before: Inventory;
  readonly after: Inventory;
  readonly keepAccess: KeepAccess;
  readonly semantics: Semantics;
}

/** All losses of a change: at its places, once rules end, and of policies that no place uses. */
export function keptLosses(check: KeptCheck): KeptLoss[] {
  return [...placeLosses(check), ...endingLosses(check), ...unusedPolicyLosses(check)];
}

/** What is compared: one place, or one policy by itself. */
interface Compared extends PlacePair {
  /** Whether the rules that end are left out. */
  readonly isLater?: boolean;
}

interface Reach extends Entrance {
  /** The addresses that the known rules let in, among those whose access is not known. */
  readonly asKnown: AddressSet;
}

/**
 * The losses at places: a kept address is known to get in before a change and not after it; or it perhaps gets in before
 * and certainly not after. A place that the change deletes is no loss, because no client can reach it any more.
 */
export function placeLosses({ before, after, keepAccess, semantics }: KeptCheck): KeptLoss[] {
  return placesCompared(before, after, semantics).flatMap((compared) =>
    lossesAt(compared, keepAccess, lostAtPlace),
  );
}

/** The losses at places where rules let in a kept address permanently before a change, and only until some time after it. */
function endingLosses({ before, after, keepAccess, semantics }: KeptCheck): KeptLoss[] {
  const ending = placesCompared(before, after, semantics).filter(({ next }) =>
    next?.access.policies.some(({ entries }) => !entries.every(isLasting)),
  );
  return ending.flatMap(({ on, old, next }) => {
    const now = lostAtPlace(reachAt(old, on), reachAt(next, on));
    const later = { on, old: afterEnds(old), next: afterEnds(next), isLater: true };
    return lossesAt(later, keepAccess, (from, to) => lostAsKnown(from, to).difference(now));
  });
}

function afterEnds(place: Place | undefined): Place | undefined {
  return place && { ...place, access: place.access.withRules(isLasting) };
}

/** The policies that no place uses, each by itself: a place of another program may use it. */
function unusedPolicyLosses({ before, after, keepAccess, semantics }: KeptCheck): KeptLoss[] {
  const used = new Set(
    [before, after].flatMap((each) =>
      placesIn(each, semantics).flatMap(({ access }) => access.policies.map(({ key }) => key)),
    ),
  );
  return policiesCompared(before, after, semantics, used).flatMap((each) => {
    const perhaps = besideDenyRules(each.old!.access);
    return lossesAt(each, keepAccess, (old, next) =>
      lostAsKnown(old, next).union(next.not.intersection(perhaps)),
    );
  });
}

/** The addresses that a policy perhaps lets in because it has only deny rules. A policy without rules may be new. */
function besideDenyRules({ policies, byVerdict, unmatchedStaysOut }: Access): AddressSet {
  const hasRules = policies.every(({ isEmpty }) => isEmpty === false);
  return hasRules && !unmatchedStaysOut ? byVerdict.unmatched : AddressSet.empty;
}

function lostAtPlace(old: Reach, next: Reach): AddressSet {
  return lostAsKnown(old, next).union(next.not.difference(old.surely.union(old.not)));
}

function lostAsKnown(old: Reach, next: Reach): AddressSet {
  const certainlyLost = old.surely.difference(next.surely);
  return certainlyLost.union(old.asKnown.difference(next.surely.union(next.asKnown)));
}

function reachAt(place: Place | undefined, on: InventoryObject): Reach {
  const entrance = entranceAt(place, on);
  if (!place) return { ...entrance, asKnown: AddressSet.empty };
  const { byVerdict, allowed, denied } = place.access;
  return { ...entrance, asKnown: byVerdict.unknown.intersection(allowed.difference(denied)) };
}

function placesCompared(before: Inventory, after: Inventory, semantics: Semantics): Compared[] {
  const pairs = placePairs(before, after, semantics);
  const [olds, news] = [pairs.flatMap(({ old }) => old ?? []), pairs.flatMap(({ next }) => next ?? [])];
  const placeByObject = new Map([...olds, ...news].map((place) => [place.on, place]));
  // An object with an unknown address may take over one that nothing else serves any more.
  const successors = possibleSuccessors(
    olds.map(({ on }) => on),
    news.map(({ on }) => on),
  );
  return [
    ...pairs,
    ...successors.map(({ old, next }) => ({
      on: next,
      old: placeByObject.get(old),
      next: placeByObject.get(next),
    })),
  ];
}

/** The policies that exist before and after the change. */
function policiesCompared(
  before: Inventory,
  after: Inventory,
  semantics: Semantics,
  leftOut: ReadonlySet<string>,
): Compared[] {
  return [...policiesOf(after).values()].flatMap(({ key, name, policy: on }) => {
    const old = policiesOf(before).get(key);
    if (!on || !old?.policy || leftOut.has(key)) return [];
    const placeIn = (inventory: Inventory): Place => ({
      ...{ on, gates: [] },
      access: new Access(true, [policyIn(inventory, { key, name })], semantics),
    });
    return [{ on, old: placeIn(before), next: placeIn(after) }];
  });
}

function lossesAt(
  compared: Compared,
  keep: KeepAccess,
  lostBetween: (old: Reach, next: Reach) => AddressSet,
): KeptLoss[] {
  const { on, old, next } = compared;
  if (!next) return [];
  const all = lostBetween(reachAt(old, on), reachAt(next, on));
  return Object.entries(keep).flatMap(([kept, ranges]) => {
    const lost = all.intersection(AddressSet.ofRanges(ranges));
    return lost.isEmpty() ? [] : [lossOf(compared, kept, lost)];
  });
}

function lossOf({ on, old, next, isLater }: Compared, kept: string, lost: AddressSet) {
  const pieces = next!.access.pieces(lost).map((piece) => ({ piece, causes: causesAt(old, next!, piece) }));
  const parts = pieces.map(({ piece: { verdict, addresses }, causes }) => {
    const names = causes.map((each) => (isResource(each) ? named(each) : each.outside));
    const because = names.length === 0 ? "" : `, because of ${firstOf(names, most3)}`;
    return `${rangesText(rangeList(addresses))}, ${clauses[verdict]}${because}`;
  });
  const isOpen = !old || old.access.isRestricted === false;
  return {
    ...{ on, lost },
    /** The resource that causes the loss, if one does. */
    at: pieces.flatMap(({ causes }) => causes).find(isResource),
    message: `${quote(kept)} may lose its access${isOpen ? ", which nothing restricted" : ""}${isLater ? ", when the rules with `until` end" : ""}: ${parts.join("; ")}`,
  };
}

const clauses: Readonly<Record<Verdict, string>> = {
  allowed: "which is allowed",
  open: "which nothing restricts",
  denied: "which is denied",
  undecided: "which allow rules and deny rules cover",
  unmatched: "which no rule covers",
  unknown: "whose access is known only after the deployment",
};

/** What causes the verdict; if no rule covers the addresses any more, what let them in before. */
function causesAt(old: Place | undefined, next: Place, piece: Piece): readonly VerdictCause[] {
  const causes = causesOf(next, piece);
  if (causes.length > 0 || !old) return causes;
  return [...new Set(old.access.pieces(piece.addresses).flatMap((each) => causesOf(old, each)))];
}
