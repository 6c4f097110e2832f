/** Access that becomes wider in time: addresses that stay allowed for longer, or denied for a shorter time. */
import { AddressSet } from "../../access/address-set";
import type { PolicyEntry, PolicyRanges, RuleAction } from "../../access/policies";

/** What policies allow and deny together, before or after the deployment. */
interface Ranges extends Pick<PolicyRanges, "allowed" | "denied"> {
  readonly policies: readonly PolicyRanges[];
}

export interface TimeDifference {
  readonly kind: "allowed for longer" | "denied for a shorter time";
  readonly addresses: AddressSet;
  /** When addresses that are allowed for longer end now, in milliseconds since 1970; undefined where they do not. */
  readonly end?: number;
}

/** Another spelling, name or split of ranges is no difference, and neither is an end that another rule outlasts. */
export function widerInTime(from: Ranges, to: Ranges): TimeDifference[] {
  const [allowed, denied] = (["allow", "deny"] as const).map((action) =>
    [from, to].map((state) => entriesOf(state, action)),
  ) as [Entries[], Entries[]];
  const longer = outlasting(allowed[1]!, allowed[0]!).map(({ end, addresses }): TimeDifference => {
    const wider = addresses.intersection(from.allowed);
    return { kind: "allowed for longer", addresses: wider, ...(end !== Infinity && { end }) };
  });
  const shorter = outlasting(denied[0]!, denied[1]!).map(({ addresses }) =>
    addresses.intersection(to.denied),
  );
  return [
    ...longer,
    { kind: "denied for a shorter time" as const, addresses: AddressSet.empty.union(...shorter) },
  ].filter(({ addresses }) => !addresses.isEmpty());
}

type Entries = readonly PolicyEntry[];

function entriesOf({ policies }: Ranges, action: RuleAction): Entries {
  return policies.flatMap(({ entries }) => entries.filter((entry) => entry.action === action));
}

/** The addresses that the entries hold for longer than the others do, by the time at which that ends, latest first. */
function outlasting(entries: Entries, others: Entries): { end: number; addresses: AddressSet }[] {
  // Nearly all rules of most stacks have no end, and nearly all that end stay as they are.
  if ([...entries, ...others].every(({ end }) => end === undefined)) return [];
  const known = new Set(others.map(identityOf));
  const changed = entries.filter((entry) => !known.has(identityOf(entry)));
  const ends = [...new Set(changed.map(endOf))].sort((a, b) => b - a);
  let later = AddressSet.empty;
  return ends.map((end) => {
    const own = addressesOf(changed.filter((entry) => endOf(entry) === end));
    const addresses = own.difference(addressesOf(others.filter((other) => endOf(other) >= end)));
    const found = { end, addresses: addresses.difference(later) };
    later = later.union(addresses);
    return found;
  });
}

function identityOf({ block: { family, first, last }, end }: PolicyEntry): string {
  return `${family} ${first} ${last} ${end}`;
}

function endOf({ end = Infinity }: PolicyEntry): number {
  return end;
}

function addressesOf(entries: Entries): AddressSet {
  return AddressSet.ofBlocks(entries.map(({ block }) => block));
}
