/** What policies let in and keep out, as far as it is known, and how that differs before and after a deployment. */
import type { AddressSet } from "../../access/address-set";
import type { PolicyRanges } from "../../access/policies";
import { decide, exactly } from "../../access/semantics";
import type { Semantics } from "../../access/semantics";

export interface KnownRanges {
  readonly allowed: AddressSet;
  readonly denied: AddressSet;
}

/** What is known: rules that are not are left out. */
export function knownRanges(policies: readonly PolicyRanges[], semantics: Semantics): KnownRanges {
  const covers = policies.map(({ allowed, denied, isEmpty }) => ({
    ...{ allow: exactly(allowed), deny: exactly(denied), isEmpty: isEmpty === true },
  }));
  const { letsIn, keepsOut } = decide(covers, semantics);
  return { allowed: letsIn.surely, denied: keepsOut.surely };
}

interface Moves {
  readonly gained: AddressSet;
  readonly lost: AddressSet;
  readonly newlyDenied: AddressSet;
  readonly noLongerDenied: AddressSet;
}

/** @param rest the old state without what may still be there and is not known: that is neither new nor gone. */
export function movesBetween(from: KnownRanges, rest: KnownRanges, to: KnownRanges): Moves {
  const appear = (next: AddressSet, old: AddressSet, left: AddressSet): AddressSet =>
    next.difference(old === left ? old : old.union(left));
  const vanish = (next: AddressSet, old: AddressSet, left: AddressSet): AddressSet =>
    (old === left ? old : old.intersection(left)).difference(next);
  return {
    gained: appear(to.allowed, from.allowed, rest.allowed),
    lost: vanish(to.allowed, from.allowed, rest.allowed),
    newlyDenied: appear(to.denied, from.denied, rest.denied),
    noLongerDenied: vanish(to.denied, from.denied, rest.denied),
  };
}
