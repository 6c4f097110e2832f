/** Who gains and who loses access when policies change. */
import type { Access } from "../../access/verdicts";
import { AddressSet } from "../../../schema/addresses/address-set";
import { compareBlocks, families } from "../../../schema/addresses/block";
import type { Family } from "../../../schema/addresses/block";
import { reaches } from "../../access/policies";
import type { PolicyEntry, PolicyRanges, PossibleEntry } from "../../access/policies";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import type { Preview } from "../../inventory/read-preview";
import type { Action } from "../../stack/preview";
import type { RuleAction } from "../../../schema/rule-set";

export type Kind =
  | "newly allowed"
  | "no longer allowed"
  | "newly denied"
  | "no longer denied"
  | "allowed for longer"
  | "denied for a shorter time";

/** What each kind is about: rules of one action, and whether they have more addresses or a longer time. */
const kinds: Readonly<Record<Kind, { readonly of: RuleAction; readonly isMore: boolean }>> = {
  "newly allowed": { of: "allow", isMore: true },
  "no longer allowed": { of: "allow", isMore: false },
  "newly denied": { of: "deny", isMore: true },
  "no longer denied": { of: "deny", isMore: false },
  "allowed for longer": { of: "allow", isMore: true },
  "denied for a shorter time": { of: "deny", isMore: false },
};

/** Whether somebody may get in who did not, or for longer. */
export function isWider(kind: Kind): boolean {
  const { of, isMore } = kinds[kind];
  return (of === "allow") === isMore;
}

/** Why addresses are in a difference: a resource with ranges that changes, or a policy that a place gains or loses. */
export interface DifferenceCause {
  readonly policy: PolicyRanges;
  /** The rule or rule set that changes; undefined if the place gains or loses the policy. */
  readonly rule: InventoryObject | undefined;
  readonly change: Action | "add" | "remove";
}

/** A difference between what policies let in, or keep out. Without `semantics` it is true in whatever order the service applies the rules. */
export interface RangeDifference {
  readonly kind: Kind;
  readonly addresses: AddressSet;
  /** For a policy, includes the addresses that its users show: a limit counts all of them. */
  readonly whole?: AddressSet;
  /** The families of which every address is allowed after the deployment and was not before. */
  readonly opens: readonly Family[];
  /** When addresses that are allowed for longer end, in milliseconds since 1970; undefined if they do not. */
  readonly end?: number;
  readonly causes: readonly DifferenceCause[];
}

/** A difference without its causes. */
type Move = Pick<RangeDifference, "kind" | "addresses" | "end">;

/** What happens to each resource, by its URN. */
export type Resources = Preview["resources"];

/**
 * None without a restriction before and after: other rules report restrictions that begin or end.
 * @param now in milliseconds since 1970: what would have ended before it is no difference.
 */
export function differencesBetween(
  before: Access | undefined,
  after: Access | undefined,
  resources: Resources,
  now: number,
): readonly RangeDifference[] {
  if (!before?.isRestricted || !after?.isRestricted) return [];
  const opens = families.filter(
    (family) => after.allowed.coversFamily(family) && !before.allowed.coversFamily(family),
  );
  const compared = { before, comparable: comparablePart(before, after), after };
  return [...movesBetween(compared), ...widerInTime(compared, now)]
    .filter(({ addresses }) => !addresses.isEmpty())
    .map((move) => ({
      ...{ ...move, opens: move.kind === "newly allowed" ? opens : [] },
      causes: causesOf(move, compared, resources),
    }));
}

/**
 * The access before, without ranges that an unknown entry of the same resource may still have afterwards: they may not be gone.
 * An unknown entry of another resource is no reason to leave out a range.
 */
function comparablePart(before: Access, after: Access): Access {
  const open = Map.groupBy(
    after.policies.flatMap(({ possible }) => possible),
    ruleKeyOf,
  );
  if (open.size === 0) return before;
  const known = new Set(after.policies.flatMap(({ entries }) => entries.map(ruleKeyOf)));
  const mayRemain = (old: PolicyEntry, key: string): boolean =>
    open.get(key)?.some(({ action }) => action === undefined || action === old.action) === true;
  return before.withRules((entry) => {
    const [key, keyOfAny] = [ruleKeyOf(entry), ruleKeyOf({ from: entry.from, block: undefined })];
    // A resource declares a range once.
    return known.has(key) || !(mayRemain(entry, key) || mayRemain(entry, keyOfAny));
  });
}

/** The key of a range of a resource. */
function ruleKeyOf({ block, from }: Pick<PossibleEntry, "block" | "from">): string {
  return `${block?.family} ${block?.first} ${block?.last} ${keyOf(from)}`;
}

/** The known ranges before and after a deployment, or at one time of both. */
interface Compared {
  readonly before: Access;
  /** `before` without ranges that may remain unseen: they are neither new nor gone. */
  readonly comparable: Access;
  readonly after: Access;
}

type KnownVerdict = "allowed" | "denied";

function appearing(what: KnownVerdict, { before, comparable, after }: Compared): AddressSet {
  return after[what].difference(before === comparable ? before[what] : before[what].union(comparable[what]));
}

function vanishing(what: KnownVerdict, { before, comparable, after }: Compared): AddressSet {
  return (before === comparable ? before[what] : before[what].intersection(comparable[what])).difference(
    after[what],
  );
}

function movesBetween(compared: Compared): Move[] {
  const [gained, lost] = [appearing("allowed", compared), vanishing("allowed", compared)];
  const [denied, freed] = [appearing("denied", compared), vanishing("denied", compared)];
  const { unmatched, empty } = compared.after.semantics;
  // Where every address is decided, what is allowed is not denied: it is one difference, not two.
  const isDecided = unmatched !== "unknown" || empty !== "unknown";
  return [
    { kind: "newly allowed", addresses: gained },
    { kind: "no longer allowed", addresses: lost },
    { kind: "newly denied", addresses: isDecided ? denied.difference(lost) : denied },
    { kind: "no longer denied", addresses: isDecided ? freed.difference(gained) : freed },
  ];
}

/**
 * Addresses that stay allowed for longer, or denied for a shorter time. Compares the moments just before each end, and the
 * rules without an end. So another spelling, name or split of ranges is no difference, and neither is an end that another rule
 * outlasts. Ends in the past are not compared.
 */
function widerInTime({ before, comparable, after }: Compared, now: number): Move[] {
  const ends = endsOf(before, after);
  // Nearly all rules of most stacks have no end, and nearly all that end stay as they are.
  if (ends.length === 0 || identityOf(before) === identityOf(after)) return [];
  let later = AddressSet.empty;
  let shorter = AddressSet.empty;
  const moments = [Infinity, ...ends.filter((end) => end > now)];
  const longer = moments.map((end): Move => {
    const old = untilAtLeast(end, before);
    const then = {
      before: old,
      comparable: comparable === before ? old : untilAtLeast(end, comparable),
      after: untilAtLeast(end, after),
    };
    const wider = appearing("allowed", then).intersection(before.allowed);
    const addresses = wider.difference(later);
    later = later.union(wider);
    shorter = shorter.union(vanishing("denied", then).intersection(after.denied));
    return { kind: "allowed for longer", addresses, ...(end !== Infinity && { end }) };
  });
  return [...longer, { kind: "denied for a shorter time", addresses: shorter }];
}

/** The ends of the rules before and after, latest first. */
function endsOf(...all: readonly Access[]): number[] {
  const entries = all.flatMap(({ policies }) => policies.flatMap((policy) => policy.entries));
  return [...new Set(entries.flatMap(({ end }) => end ?? []))].sort((a, b) => b - a);
}

/** The access by the rules that last until a time, or longer. */
function untilAtLeast(time: number, access: Access): Access {
  return access.withRules(({ end = Infinity }) => end >= time);
}

function identityOf({ policies }: Access): string {
  const ruleOf = ({ action, block: { family, first, last }, end }: PolicyEntry): string =>
    `${action} ${family} ${first} ${last} ${end}`;
  return JSON.stringify(
    policies.map(({ key, isEmpty, entries }) => [key, isEmpty, entries.map(ruleOf).sort()]),
  );
}

function causesOf(
  { kind, addresses }: Move,
  { before, after }: Compared,
  resources: Resources,
): DifferenceCause[] {
  const { of: action, isMore } = kinds[kind];
  // The rule that ends earlier is part of the deployment.
  const isNew = isMore || kind === "denied for a shorter time";
  const causesIn = (here: Access, there: Access, of: RuleAction): DifferenceCause[] =>
    here.policies.flatMap((policy): DifferenceCause[] => {
      const entries = policy.entries.filter(
        (entry) => entry.action === of && reaches(addresses, of, entry.block),
      );
      if (entries.length === 0) return [];
      if (!there.policies.some(({ key }) => key === policy.key))
        return [{ policy, rule: undefined, change: here === after ? "add" : "remove" }];
      // The engine's order varies from run to run.
      const sorted = entries.sort((a, b) => compareBlocks(a.block, b.block));
      const rules = new Set(sorted.map((entry) => entry.from));
      return [...rules].flatMap((rule) => {
        // An old object may stay in the account beside a new one with its URN.
        const change = resources.get(keyOf(rule))?.action ?? "same";
        return change === "same" ? [] : [{ policy, rule, change }];
      });
    });
  const [here, there] = isNew ? [after, before] : [before, after];
  const causes = causesIn(here, there, action);
  // If one action overrides the other, a rule with the other action may have hidden these.
  return causes.length > 0 ? causes : causesIn(there, here, action === "allow" ? "deny" : "allow");
}
