/** The ranges that every IP policy of an inventory allows and denies. */
import { oncePer } from "../../schema/once-per";
import type { Inventory, InventoryObject, Reference } from "../inventory/inventory";
import { keyOf } from "../inventory/inventory";
import { declarationOf } from "../../resources/registry";
import { endsIn } from "../../schema/entry-ends";
import { declaresRules, isAction, ruleOf } from "../../schema/rule-set";
import type { Json } from "../../schema/json";
import { isUnknown, membersOf } from "../../schema/unknown";
import { AddressSet, cidrOf } from "../../schema/addresses/address-set";
import { blockOf, nested } from "../../schema/addresses/block";
import { embeddedBlocks } from "./embedded-ipv4";
import type { Block } from "../../schema/addresses/block";
import { exactly } from "./semantics";
import type { Bounds, PolicyCover } from "./semantics";
import type { RuleAction } from "../../schema/rule-set";

const ipPolicy = declarationOf("IpPolicy");
/** The prefix of the ids of IP policies. */
export const policyPrefix = ipPolicy.idPrefix!;

/** One range of a policy. */
export interface PolicyEntry {
  readonly action: RuleAction;
  readonly cidr: string;
  readonly block: Block;
  /** When the program lets it end, in milliseconds since 1970; undefined for never or not known. */
  readonly end?: number;
  /** The resource that declares the range. */
  readonly from: InventoryObject;
}

/** A range that a policy may have: its addresses, its action or its policy is not known before the deployment. */
export interface PossibleEntry extends Pick<PolicyEntry, "end" | "from"> {
  /** Undefined if it is not known. */
  readonly action: RuleAction | undefined;
  /** Undefined if it is not known. */
  readonly block: Block | undefined;
  /** Whether the policy certainly has it; undefined if that does not depend on a policy. */
  readonly isHere?: boolean;
}

/** The action and range of a rule, in canonical spelling. */
export function canonicalEntry({ action, block }: Pick<PolicyEntry, "action" | "block">): string {
  return `${action} ${cidrOf(block)}`;
}

/** The addresses that a rule counts for: an allow rule also for the IPv4 addresses that an IPv6 range embeds. */
export function reachOf(action: RuleAction, block: Block): Block[] {
  return action === "allow" ? [block, ...embeddedBlocks(block)] : [block];
}

/** Whether a rule counts for some of the addresses. */
export function reaches(addresses: AddressSet, action: RuleAction, block: Block): boolean {
  return reachOf(action, block).some((each) => addresses.overlaps(each));
}

/** The addresses that the rules with an action count for, as far as their ranges are known. */
export function addressesWith(
  action: RuleAction,
  entries: readonly Pick<PossibleEntry, "action" | "block">[],
): AddressSet {
  const own = entries.filter((entry) => entry.action === action);
  return AddressSet.ofBlocks(own.flatMap(({ block }) => (block ? reachOf(action, block) : [])));
}

/** One policy. An address may be allowed and denied: the specification does not say which one counts. */
export interface PolicyRanges {
  /** Identifies it in its inventory; the id and its account if the inventory does not contain the policy. */
  readonly key: string;
  /** The name in the program; the id if the inventory does not contain the policy. */
  readonly name: string;
  /** Undefined if the inventory does not contain the policy. */
  readonly policy: InventoryObject | undefined;
  /**
   * Whether it may have rules that the inventory does not contain: the inventory does not contain the policy either, the
   * program only reads it, or a set of its rules is not exclusive.
   */
  readonly hasOthers: boolean;
  readonly entries: readonly PolicyEntry[];
  readonly possible: readonly PossibleEntry[];
  /** The resources with ranges that are not known, or that may be ranges of another policy. */
  readonly unknown: readonly InventoryObject[];
  /** The union of the allowed ranges, with the IPv4 addresses that they embed. */
  readonly allowed: AddressSet;
  /** The union of the denied ranges. */
  readonly denied: AddressSet;
  /** Whether it has zero rules; "unknown" if it may have some. */
  readonly isEmpty: boolean | "unknown";
}

/** The addresses that the rules of a policy cover: for certain, and at most. */
export const coverOf = oncePer((ranges: PolicyRanges): PolicyCover => ({
  allow: boundsOf(ranges, "allow"),
  deny: boundsOf(ranges, "deny"),
  isEmpty: ranges.isEmpty,
}));

function boundsOf({ hasOthers, possible, allowed, denied }: PolicyRanges, action: RuleAction): Bounds {
  const surely = action === "allow" ? allowed : denied;
  const open = possible.filter((entry) => entry.action === undefined || entry.action === action);
  if (hasOthers || open.some(({ block }) => block === undefined))
    return { surely, possibly: AddressSet.everything };
  if (open.length === 0) return exactly(surely);
  const blocks = open.flatMap(({ block }) => reachOf(action, block!));
  return { surely, possibly: surely.union(AddressSet.ofBlocks(blocks)) };
}

/** The references of an object to policies. */
export function policyReferences(inventory: Inventory, on: InventoryObject): Reference[] {
  return inventory.references(on).filter(({ prefixes }) => prefixes.includes(policyPrefix));
}

/** The policy that a reference means; undefined if it is not known, or if the policy does not exist. */
export function policyMeant(
  inventory: Inventory,
  { to, id, from: { provider } }: Pick<Reference, "to" | "id" | "from">,
): Pick<PolicyRanges, "key" | "name"> | undefined {
  if (to) return { key: keyOf(to), name: to.name };
  if (id === undefined || inventory.isGone(id, provider)) return undefined;
  return { key: outsideKey(inventory, id, provider), name: id };
}

/** The key of a policy that the inventory does not contain. */
export function outsideKey({ accounts }: Inventory, id: string, provider: string | undefined): string {
  return `${id} of ${accounts.keyOf(provider)}`;
}

/** The policies by their keys: those that the inventory contains, and those that one of its rules refers to. */
export const policiesOf: (inventory: Inventory) => ReadonlyMap<string, PolicyRanges> = oncePer(findPolicies);

/** The policy that a reference means; without ranges if the inventory has no rules of it. */
export function policyIn(
  inventory: Inventory,
  { key, name }: Pick<PolicyRanges, "key" | "name">,
): PolicyRanges {
  return policiesOf(inventory).get(key) ?? rangesOf({ key, name, policy: undefined }, []);
}

/** A rule or set of rules of a policy. */
interface Source {
  readonly from: InventoryObject;
  /** Whether it cannot belong to another policy. */
  readonly isCertain: boolean;
}

function findPolicies(inventory: Inventory): Map<string, PolicyRanges> {
  const own = inventory.ofType(ipPolicy.type).map((policy) => ({
    ...{ key: keyOf(policy), name: policy.name, provider: policy.provider, source: undefined },
  }));
  const referred = rulesIn(inventory).flatMap((from) =>
    inventory.references(from).flatMap((reference) => {
      const source: Source = { from, isCertain: reference.isCertain };
      const meant = policyMeant(inventory, reference);
      return meant ? [{ ...meant, provider: from.provider, source }] : [];
    }),
  );
  const unplaced = unplacedSources(inventory);
  const byKey = Map.groupBy([...own, ...referred], ({ key }) => key);
  return new Map(
    [...byKey].map(([key, all]) => {
      const { name, provider } = all[0]!;
      const sources = all.flatMap(({ source }) => source ?? []);
      const anywhere = unplaced.filter((from) => inventory.accounts.mayBeOne(from.provider, provider));
      return [key, rangesOf({ key, name, policy: inventory.all.get(key) }, sources, anywhere)];
    }),
  );
}

function rulesIn(inventory: Inventory): InventoryObject[] {
  return [...inventory.all.values()].filter(({ declaration }) => declaresRules(declaration));
}

/** The rules and sets whose policy is not known: each may belong to any policy of its account. */
function unplacedSources(inventory: Inventory): InventoryObject[] {
  return rulesIn(inventory).filter((from) =>
    inventory.references(from).some(({ to, id }) => !to && id === undefined),
  );
}

/** The ranges of the rules and sets whose policy is not known. */
export function unplacedRanges(inventory: Inventory): PolicyRanges[] {
  return unplacedSources(inventory).map((from) =>
    rangesOf({ key: keyOf(from), name: from.name, policy: undefined }, [{ from, isCertain: true }]),
  );
}

/** @param anywhere rules and sets that may belong to any policy. */
function rangesOf(
  identity: Pick<PolicyRanges, "key" | "name" | "policy">,
  sources: readonly Source[],
  anywhere: readonly InventoryObject[] = [],
): PolicyRanges {
  const entries: PolicyEntry[] = [];
  const own: PossibleEntry[] = [];
  for (const { from, isCertain } of sources) {
    for (const entry of entriesOf(from)) {
      if (isCertain && isKnown(entry)) entries.push(entry);
      else own.push({ ...entry, isHere: isCertain && !mayDeclareNone(from) });
    }
  }
  const possible = [...own, ...anywhere.flatMap(entriesOf)];
  const hasOthers = isForeign(identity) || sources.some(({ from }) => admitsOthers(from));
  return {
    ...{ ...identity, hasOthers, entries, possible },
    unknown: [...new Set(own.map(({ from }) => from))],
    ...unionsOf(entries),
    isEmpty: emptinessOf({ entries, possible, hasOthers }),
  };
}

function emptinessOf({
  entries,
  possible,
  hasOthers,
}: Pick<PolicyRanges, "entries" | "possible" | "hasOthers">): PolicyRanges["isEmpty"] {
  if (entries.length > 0 || possible.some(({ isHere }) => isHere)) return false;
  return hasOthers || possible.length > 0 ? "unknown" : true;
}

/** The policy without the rules that end by a time. */
export function policyAfter(policy: PolicyRanges, time: number): PolicyRanges {
  const isLeft = ({ end = Infinity }: PossibleEntry): boolean => end > time;
  if (policy.entries.every(isLeft) && policy.possible.every(isLeft)) return policy;
  const left = withRanges(policy, policy.entries.filter(isLeft));
  const possible = policy.possible.filter(isLeft);
  return { ...left, possible, isEmpty: emptinessOf({ ...left, possible }) };
}

/**
 * The times at which the end of a rule can change what a policy decides about the addresses: the ends of the rules that
 * count for some of them, and of the last allow rule and the last rule, which matter to every address.
 */
export function endsFor(addresses: AddressSet, { entries, possible }: PolicyRanges): number[] {
  const all: readonly PossibleEntry[] = [...entries, ...possible];
  if (all.every(isLasting)) return [];
  const own = all.filter(
    ({ action, block, end }) => end !== undefined && (!block || !action || reaches(addresses, action, block)),
  );
  const lastEnd = (some: readonly PossibleEntry[]): number =>
    some.reduce((last, { end = Infinity }) => Math.max(last, end), 0);
  const lasts = [lastEnd(all), lastEnd(all.filter(({ action }) => action !== "deny"))];
  return [...own.map(({ end }) => end!), ...lasts].filter((end) => end > 0 && end < Infinity);
}

function unionsOf(entries: readonly PolicyEntry[]): Pick<PolicyRanges, "allowed" | "denied"> {
  return { allowed: addressesWith("allow", entries), denied: addressesWith("deny", entries) };
}

/** Whether a rule has no end. */
export function isLasting({ end }: PossibleEntry): boolean {
  return end === undefined;
}

/** The policy with these ranges instead of the known ones. */
export function withRanges(policy: PolicyRanges, entries: readonly PolicyEntry[]): PolicyRanges {
  return { ...policy, entries, ...unionsOf(entries) };
}

function isKnown(entry: PossibleEntry): entry is PolicyEntry {
  return entry.action !== undefined && entry.block !== undefined;
}

/** The ranges that a rule or a set of rules declares; none for others. An unknown or unreadable range or action may be any. */
export const entriesOf = oncePer((from: InventoryObject): readonly (PolicyEntry | PossibleEntry)[] => {
  if (!declaresRules(from.declaration)) return [];
  const ends = new Map(endsIn(from.declaration.fields, from.values).map(({ key, at }) => [key, at]));
  return argumentsOfRules(from).flatMap(({ cidr, action }): (PolicyEntry | PossibleEntry)[] => {
    const block = blockOf(cidr);
    const end = ends.get(cidr as string);
    const given = { block, from, ...(end !== undefined && { end }) };
    if (block && isAction(action)) return [{ ...given, action, cidr: cidr as string, block }];
    return [{ ...given, action: isAction(action) ? action : undefined }];
  });
});

function argumentsOfRules({ declaration, values }: InventoryObject): Json[] {
  if (!declaration.setOf) return [values];
  const { rules } = values;
  if (isUnknown(rules)) return [{ cidr: rules, action: rules }];
  // In a program that does not check the arguments, the rules may be a list.
  if (Array.isArray(rules)) return rules.map(membersOf);
  return Object.entries(membersOf(rules)).map(([cidr, entry]) => ({
    cidr,
    action: ruleOf(cidr, entry).action,
  }));
}

/** Whether the program does not manage the policy: the inventory does not contain it, or the program only reads it. */
export function isForeign({ policy }: Pick<PolicyRanges, "policy">): boolean {
  return policy === undefined || policy.record?.external === true;
}

/** Whether the policy of a set may have rules of others. A single rule says nothing about that. */
function admitsOthers({ declaration, values: { exclusive } }: InventoryObject): boolean {
  return declaration.setOf !== undefined && (exclusive === false || isUnknown(exclusive));
}

/** Whether a set of rules has no entry, or may have none. */
function mayDeclareNone({ declaration, values }: InventoryObject): boolean {
  if (!declaration.setOf) return false;
  const { rules } = values;
  return isUnknown(rules) || Object.keys(membersOf(rules)).length === 0;
}

export type Shadow = ReturnType<typeof shadowsIn>[number];

/** The ranges that repeat another one, or whose narrowest range around them has the same action. */
export const shadowsIn = oncePer(({ entries }: PolicyRanges) =>
  nested(entries, ({ block }) => block).flatMap(({ inner, outer }) => {
    const isSameRange = inner.block.first === outer.block.first && inner.block.last === outer.block.last;
    return isSameRange || inner.action === outer.action ? [{ inner, outer, isSameRange }] : [];
  }),
);
