/** Access that becomes wider in time: addresses that stay allowed for longer, or denied for a shorter time. */
import { AddressSet } from "../../access/address-set";
import { withRanges } from "../../access/policies";
import type { PolicyEntry, PolicyRanges } from "../../access/policies";
import type { Semantics } from "../../access/semantics";
import { movesBetween, knownRanges } from "./moves";
import type { KnownRanges } from "./moves";

/** What policies let in and keep out together, before or after the deployment. */
interface Ranges extends KnownRanges {
  readonly policies: readonly PolicyRanges[];
}

export interface TimeDifference {
  readonly kind: "allowed for longer" | "denied for a shorter time";
  readonly addresses: AddressSet;
  /** When addresses that are allowed for longer end now, in milliseconds since 1970; undefined where they do not. */
  readonly end?: number;
}

/**
 * Compares the moments just before each end, and what stands for ever. So another spelling, name or split of ranges is no
 * difference, and neither is an end that another rule outlasts.
 * @param rest `from` without what is not comparable.
 */
export function widerInTime(from: Ranges, rest: Ranges, to: Ranges, semantics: Semantics): TimeDifference[] {
  const ends = endsOf(from, to);
  // Nearly all rules of most stacks have no end, and nearly all that end stay as they are.
  if (ends.length === 0 || areSame(from, to)) return [];
  let later = AddressSet.empty;
  let shorter = AddressSet.empty;
  const longer = [Infinity, ...ends].map((end): TimeDifference => {
    const old = at(end, from, semantics);
    const left = rest === from ? old : at(end, rest, semantics);
    const { gained, noLongerDenied } = movesBetween(old, left, at(end, to, semantics));
    const wider = gained.intersection(from.allowed);
    const addresses = wider.difference(later);
    later = later.union(wider);
    shorter = shorter.union(noLongerDenied.intersection(to.denied));
    return { kind: "allowed for longer", addresses, ...(end !== Infinity && { end }) };
  });
  return [...longer, { kind: "denied for a shorter time" as const, addresses: shorter }].filter(
    ({ addresses }) => !addresses.isEmpty(),
  );
}

/** The ends of both sides, latest first. */
function endsOf(from: Ranges, to: Ranges): number[] {
  const entries = [...from.policies, ...to.policies].flatMap((policy) => policy.entries);
  return [...new Set(entries.flatMap(({ end }) => end ?? []))].sort((a, b) => b - a);
}

/** What the rules that stand until a time, or longer, let in and keep out. */
function at(end: number, { policies }: Ranges, semantics: Semantics): KnownRanges {
  const left = policies.map((policy) =>
    withRanges(
      policy,
      policy.entries.filter((entry) => (entry.end ?? Infinity) >= end),
    ),
  );
  return knownRanges(left, semantics);
}

function areSame(from: Ranges, to: Ranges): boolean {
  const [olds, news] = [from, to].map(({ policies }) =>
    policies.map(({ key, isEmpty, entries }) => `${key} ${isEmpty} ${entries.map(identityOf).sort().join()}`),
  );
  return JSON.stringify(olds) === JSON.stringify(news);
}

function identityOf({ action, block: { family, first, last }, end }: PolicyEntry): string {
  return `${action} ${family} ${first} ${last} ${end}`;
}
