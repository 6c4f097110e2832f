/** Who gains and who loses access: the policies and the guarded resources before and after a deployment. */
import { AddressSet } from "../../access/address-set";
import { compareBlocks, families } from "../../access/block";
import type { Family } from "../../access/block";
import type { Action } from "../../stack/preview";
import type { Resource, World } from "../world";
import { guardedOf } from "./guarded";
import type { Guarded } from "./guarded";
import { policiesOf, policyIn, withEntries } from "./policies";
import type { Entry, PolicyState } from "./policies";

export type Kind = "newly allowed" | "no longer allowed" | "newly denied" | "no longer denied";

/** Why addresses are in a difference: a resource with ranges that changes, or a policy that a guard gains or loses. */
export interface Cause {
  readonly policy: PolicyState;
  /** The rule or rule set that changes; undefined if the guard gains or loses the policy. */
  readonly rule: Resource | undefined;
  readonly change: Action | "add" | "remove";
}

/** A difference between unions of ranges. It is true in whatever order the service applies the rules. */
export interface Difference {
  readonly kind: Kind;
  readonly addresses: AddressSet;
  /** The families of which every address is allowed after the deployment and was not before. */
  readonly opens: readonly Family[];
  readonly causes: readonly Cause[];
}

/** The policies of a guard, or one policy, before or after the deployment. */
export interface AccessState {
  /** False if the guard is disabled or has no policy. */
  readonly isRestricted: boolean;
  readonly policies: readonly PolicyState[];
  readonly allowed: AddressSet;
  readonly denied: AddressSet;
}

/** A guarded resource or a policy before and after the deployment. */
export interface Comparison {
  readonly key: string;
  /** Undefined for a policy outside of the program. */
  readonly on: Resource | undefined;
  /** Undefined if it does not exist before the deployment. */
  readonly before: AccessState | undefined;
  /** Undefined if it does not exist after the deployment. */
  readonly after: AccessState | undefined;
  readonly differences: readonly Difference[];
  /** The policies outside of the program that the guard gains or loses; their ranges are not known. */
  readonly unknownPolicies: readonly string[];
  /** The guard refers to a policy that is not known before the deployment. */
  readonly hasUnknownPolicy: boolean;
  /** It is not known before the deployment whether the guard is enabled. */
  readonly mayBeOff: boolean;
}

export interface AccessComparison {
  readonly guarded: readonly Comparison[];
  /** The policies, with the differences that no guarded resource of the program has. */
  readonly policies: readonly Comparison[];
}

export function compareAccess(before: World, after: World): AccessComparison {
  const guarded = compareGuarded(before, after);
  return { guarded, policies: comparePolicies(before, after, guarded) };
}

function compareGuarded(before: World, after: World): Comparison[] {
  const [olds, news] = [guardedOf(before), guardedOf(after)];
  // Many resources may have the same policies: each combination is computed once.
  const cached = new Map<string, readonly Difference[]>();
  return [...new Set([...olds.keys(), ...news.keys()])].map((key) => {
    const [old, next] = [olds.get(key), news.get(key)];
    const gone = deletedPolicies(next, before, after);
    const from = old && guardState(before, old, gone);
    const to = next && guardState(after, next, gone);
    const pair = [from, to].map((state) => state?.policies.map((policy) => policy.key).join()).join(" to ");
    const isCompared = from?.isRestricted === true && to?.isRestricted === true;
    const differences = (isCompared ? cached.get(pair) : undefined) ?? differencesBetween(from, to);
    if (isCompared) cached.set(pair, differences);
    return {
      ...{ key, on: (next ?? old)!.resource, before: from, after: to, differences },
      unknownPolicies: changedPolicies(from, to).filter(
        (policy) => !before.all.has(policy) && !after.all.has(policy),
      ),
      hasUnknownPolicy: next?.hasUnknown ?? false,
      mayBeOff: next?.mayBeOff ?? false,
    };
  });
}

/** The ids and URNs of policies that a guard still refers to by id although they are deleted: a rule of its own reports them. */
function deletedPolicies(next: Guarded | undefined, before: World, after: World): ReadonlySet<string> {
  const ids = (next?.policies ?? []).filter((key) => !after.all.has(key) && before.urnOf(key) !== undefined);
  return new Set(ids.flatMap((id) => [id, before.urnOf(id)!]));
}

function guardState(world: World, guarded: Guarded, without: ReadonlySet<string>): AccessState {
  const keys = guarded.policies.filter((key) => !without.has(key));
  const policies = keys.map((key) => policyIn(world, key));
  return stateOf(policies, guarded.isRestricted);
}

function comparePolicies(before: World, after: World, guarded: readonly Comparison[]): Comparison[] {
  // A new policy has no effect by itself, and a rule of its own reports a deleted one.
  const stays = (key: string): boolean => before.all.has(key) === after.all.has(key);
  const keys = new Set([...policiesOf(before).keys(), ...policiesOf(after).keys()]);
  return [...keys].filter(stays).map((key) => {
    const from = stateOf([policyIn(before, key)], true);
    const to = stateOf([policyIn(after, key)], true);
    const users = guarded.filter(({ before, after }) => hasPolicy(before, key) || hasPolicy(after, key));
    const differences = differencesBetween(from, to).flatMap((difference) => withoutShown(difference, users));
    const on = after.all.get(key);
    const known = { unknownPolicies: [], hasUnknownPolicy: false, mayBeOff: false };
    return { key, on, before: from, after: to, differences, ...known };
  });
}

/** The part of a policy's difference that none of its users has. */
function withoutShown(difference: Difference, users: readonly Comparison[]): Difference[] {
  const shown = users.flatMap((user) => user.differences.filter(({ kind }) => kind === difference.kind));
  const addresses = shown.reduce((rest, each) => rest.difference(each.addresses), difference.addresses);
  return addresses.isEmpty() ? [] : [{ ...difference, addresses }];
}

function stateOf(policies: readonly PolicyState[], isRestricted: boolean): AccessState {
  const allowed = AddressSet.empty.union(...policies.map((policy) => policy.allowed));
  const denied = AddressSet.empty.union(...policies.map((policy) => policy.denied));
  return { isRestricted, policies, allowed, denied };
}

function hasPolicy(state: AccessState | undefined, key: string): boolean {
  return state?.policies.some((policy) => policy.key === key) ?? false;
}

/** The policies on one side only. */
function changedPolicies(from: AccessState | undefined, to: AccessState | undefined): string[] {
  if (!from?.isRestricted || !to?.isRestricted) return [];
  const added = to.policies.filter(({ key }) => !hasPolicy(from, key));
  const removed = from.policies.filter(({ key }) => !hasPolicy(to, key));
  return [...added, ...removed].map(({ key }) => key);
}

/** None without a restriction on both sides: other rules report restrictions that begin or end. */
function differencesBetween(
  from: AccessState | undefined,
  to: AccessState | undefined,
): readonly Difference[] {
  if (!from?.isRestricted || !to?.isRestricted) return [];
  const remaining = withoutUnknown(from, to);
  const opens = families.filter(
    (family) => to.allowed.coversFamily(family) && !from.allowed.coversFamily(family),
  );
  const found: Omit<Difference, "causes">[] = [
    { kind: "newly allowed", addresses: to.allowed.difference(from.allowed), opens },
    { kind: "no longer allowed", addresses: remaining.allowed.difference(to.allowed), opens: [] },
    { kind: "newly denied", addresses: to.denied.difference(from.denied), opens: [] },
    { kind: "no longer denied", addresses: remaining.denied.difference(to.denied), opens: [] },
  ];
  return found
    .filter(({ addresses }) => !addresses.isEmpty())
    .map((each) => ({ ...each, causes: causesOf(each.kind, each.addresses, from, to) }));
}

/** The old state without the resources whose new ranges are not known: nobody can say that these ranges are gone. */
function withoutUnknown(from: AccessState, to: AccessState): AccessState {
  const unknown = new Set(to.policies.flatMap((policy) => policy.unknown.map(({ urn }) => urn)));
  if (unknown.size === 0) return from;
  const isKnown = ({ from: { urn } }: Entry): boolean => !unknown.has(urn);
  return stateOf(
    from.policies.map((policy) => withEntries(policy, policy.entries.filter(isKnown))),
    true,
  );
}

function causesOf(kind: Kind, addresses: AddressSet, from: AccessState, to: AccessState): Cause[] {
  const action = kind.endsWith("allowed") ? "allow" : "deny";
  const isNew = kind.startsWith("newly");
  const [here, there] = isNew ? [to, from] : [from, to];
  return here.policies.flatMap((policy): Cause[] => {
    const entries = policy.entries.filter(
      (entry) => entry.action === action && addresses.overlaps(entry.block),
    );
    if (entries.length === 0) return [];
    if (!hasPolicy(there, policy.key)) return [{ policy, rule: undefined, change: isNew ? "add" : "remove" }];
    // The engine's order varies from run to run.
    const sorted = entries.sort((a, b) => compareBlocks(a.block, b.block));
    const rules = new Set(sorted.map((entry) => entry.from));
    return [...rules].map((rule) => ({ policy, rule, change: rule.subject.action }));
  });
}
