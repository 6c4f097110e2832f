/** Who gains and who loses access: the policies and the guarded resources before and after a deployment. */
import { AddressSet } from "../../access/address-set";
import { compareBlocks, families } from "../../access/block";
import type { Family } from "../../access/block";
import type { Action } from "../../stack/preview";
import { policiesOf, policyIn, withRanges } from "../../access/policies";
import type { PolicyEntry, PolicyRanges } from "../../access/policies";
import { guardPairs } from "../../access/verdicts";
import type { GuardedThing } from "../../access/verdicts";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import type { Inventories } from "../../inventory/preview";

export type Kind = "newly allowed" | "no longer allowed" | "newly denied" | "no longer denied";

/** Why addresses are in a difference: a resource with ranges that changes, or a policy that a guard gains or loses. */
export interface DifferenceCause {
  readonly policy: PolicyRanges;
  /** The rule or rule set that changes; undefined if the guard gains or loses the policy. */
  readonly rule: InventoryObject | undefined;
  readonly change: Action | "add" | "remove";
}

/** A difference between unions of ranges. It is true in whatever order the service applies the rules. */
export interface RangeDifference {
  readonly kind: Kind;
  readonly addresses: AddressSet;
  /** The families of which every address is allowed after the deployment and was not before. */
  readonly opens: readonly Family[];
  readonly causes: readonly DifferenceCause[];
}

/** The policies of a guard, or one policy, before or after the deployment. */
export interface AccessState {
  /** False if the guard is disabled or has no policy. */
  readonly isRestricted: boolean;
  readonly policies: readonly PolicyRanges[];
  readonly allowed: AddressSet;
  readonly denied: AddressSet;
}

/** A guarded resource or a policy before and after the deployment. */
export interface Comparison {
  readonly key: string;
  /** Undefined for a policy outside of the program. */
  readonly on: InventoryObject | undefined;
  /** Undefined if it does not exist before the deployment. */
  readonly before: AccessState | undefined;
  /** Undefined if it does not exist after the deployment. */
  readonly after: AccessState | undefined;
  readonly differences: readonly RangeDifference[];
  /** The guard refers to a policy that is not known before the deployment. */
  readonly hasUnknownPolicy: boolean;
  /** It is not known before the deployment whether the guard is enabled. */
  readonly mayBeOff: boolean;
}

interface GuardComparison extends Comparison {
  readonly on: InventoryObject;
  /** The policies outside of the program that the guard gains or loses; their ranges are not known. */
  readonly unknownPolicies: readonly string[];
}

export interface AccessComparison {
  readonly guarded: readonly GuardComparison[];
  /** The policies, with the differences that no guarded resource of the program has. */
  readonly policies: readonly Comparison[];
}

type Actions = ReadonlyMap<string, Action>;

/** @param actions what happens to each resource, by its URN. */
export function compareAccess(inventories: Inventories, actions: Actions): AccessComparison {
  const guarded = compareGuarded(inventories, actions);
  return { guarded, policies: comparePolicies(inventories, guarded, actions) };
}

function compareGuarded({ before, after }: Inventories, actions: Actions): GuardComparison[] {
  // Many resources may have the same policies: each combination is computed once.
  const cached = new Map<string, readonly RangeDifference[]>();
  return guardPairs(before, after).map(([old, next]) => {
    // A rule of its own reports policies that are deleted although a guard still refers to them.
    const gone = new Set(next?.gone);
    const [from, to] = [old && guardState(old, gone), next && guardState(next, gone)];
    const pair = JSON.stringify([from, to].map((state) => state && [state.isRestricted, ...keysOf(state)]));
    const differences = cached.get(pair) ?? differencesBetween(from, to, actions);
    cached.set(pair, differences);
    const changed = changedPolicies(from, to).filter(
      (policy) => !before.all.has(policy.key) && !after.all.has(policy.key),
    );
    const on = (next ?? old)!.on;
    return {
      ...{ key: keyOf(on), on, before: from, after: to, differences },
      unknownPolicies: changed.map(({ name }) => name),
      hasUnknownPolicy: next !== undefined && hasUnexplained(next),
      mayBeOff: next?.gates.some(({ by, isOn }) => by === "address" && isOn === "unknown") ?? false,
    };
  });
}

/** Whether an id of a policy is not known, and no policy of the program explains it. */
function hasUnexplained({ hasUnknownPolicy, candidates }: GuardedThing): boolean {
  return hasUnknownPolicy && !candidates.some(({ policy }) => policy!.id === undefined);
}

/** The policies that guard, those among them of which only the program's data flow says so. */
function guardState(
  { policies, candidates, isRestricted }: GuardedThing,
  gone: ReadonlySet<string | undefined>,
): AccessState {
  const all = new Map([...policies, ...candidates].map((policy) => [policy.key, policy]));
  const stays = [...all.values()].filter(({ policy }) => !gone.has(policy?.id));
  return stateOf(stays, isRestricted !== false);
}

function comparePolicies(
  { before, after }: Inventories,
  guarded: readonly Comparison[],
  actions: Actions,
): Comparison[] {
  // A new policy has no effect by itself, and a rule of its own reports a deleted one.
  const stays = ({ key }: PolicyRanges): boolean => before.all.has(key) === after.all.has(key);
  const all = new Map([...policiesOf(before), ...policiesOf(after)]);
  return [...all.values()].filter(stays).map((policy) => {
    const { key } = policy;
    const [from, to] = [before, after].map((inventory) => stateOf([policyIn(inventory, policy)], true));
    const users = guarded.filter(({ before, after }) => hasPolicy(before, key) || hasPolicy(after, key));
    const differences = differencesBetween(from, to, actions).flatMap((difference) =>
      withoutShown(difference, users),
    );
    const on = after.all.get(key);
    return { key, on, before: from, after: to, differences, hasUnknownPolicy: false, mayBeOff: false };
  });
}

/** The part of a policy's difference that none of its users has. */
function withoutShown(difference: RangeDifference, users: readonly Comparison[]): RangeDifference[] {
  const shown = users.flatMap((user) => user.differences.filter(({ kind }) => kind === difference.kind));
  const addresses = shown.reduce((rest, each) => rest.difference(each.addresses), difference.addresses);
  return addresses.isEmpty() ? [] : [{ ...difference, addresses }];
}

function stateOf(policies: readonly PolicyRanges[], isRestricted: boolean): AccessState {
  const allowed = AddressSet.empty.union(...policies.map((policy) => policy.allowed));
  const denied = AddressSet.empty.union(...policies.map((policy) => policy.denied));
  return { isRestricted, policies, allowed, denied };
}

function keysOf({ policies }: AccessState): string[] {
  return policies.map(({ key }) => key);
}

function hasPolicy(state: AccessState | undefined, key: string): boolean {
  return state?.policies.some((policy) => policy.key === key) === true;
}

/** The policies on one side only. */
function changedPolicies(from: AccessState | undefined, to: AccessState | undefined): PolicyRanges[] {
  if (!from?.isRestricted || !to?.isRestricted) return [];
  const added = to.policies.filter(({ key }) => !hasPolicy(from, key));
  const removed = from.policies.filter(({ key }) => !hasPolicy(to, key));
  return [...added, ...removed];
}

/** None without a restriction on both sides: other rules report restrictions that begin or end. */
function differencesBetween(
  from: AccessState | undefined,
  to: AccessState | undefined,
  actions: Actions,
): readonly RangeDifference[] {
  if (!from?.isRestricted || !to?.isRestricted) return [];
  const remaining = withoutUnknown(from, to);
  const opens = families.filter(
    (family) => to.allowed.coversFamily(family) && !from.allowed.coversFamily(family),
  );
  const found: Omit<RangeDifference, "causes">[] = [
    { kind: "newly allowed", addresses: to.allowed.difference(from.allowed), opens },
    { kind: "no longer allowed", addresses: remaining.allowed.difference(to.allowed), opens: [] },
    { kind: "newly denied", addresses: to.denied.difference(from.denied), opens: [] },
    { kind: "no longer denied", addresses: remaining.denied.difference(to.denied), opens: [] },
  ];
  return found
    .filter(({ addresses }) => !addresses.isEmpty())
    .map((each) => ({ ...each, causes: causesOf(each, from, to, actions) }));
}

/** The old state without the resources whose new ranges are not known: nobody can say that these ranges are gone. */
function withoutUnknown(from: AccessState, to: AccessState): AccessState {
  const unknown = new Set(to.policies.flatMap((policy) => policy.unknown.map(keyOf)));
  if (unknown.size === 0) return from;
  const isKnown = ({ from: source }: PolicyEntry): boolean => !unknown.has(keyOf(source));
  return stateOf(
    from.policies.map((policy) => withRanges(policy, policy.entries.filter(isKnown))),
    from.isRestricted,
  );
}

function causesOf(
  { kind, addresses }: Pick<RangeDifference, "kind" | "addresses">,
  from: AccessState,
  to: AccessState,
  actions: Actions,
): DifferenceCause[] {
  const action = kind.endsWith("allowed") ? "allow" : "deny";
  const isNew = kind.startsWith("newly");
  const [here, there] = isNew ? [to, from] : [from, to];
  return here.policies.flatMap((policy): DifferenceCause[] => {
    const entries = policy.entries.filter(
      (entry) => entry.action === action && addresses.overlaps(entry.block),
    );
    if (entries.length === 0) return [];
    if (!hasPolicy(there, policy.key)) return [{ policy, rule: undefined, change: isNew ? "add" : "remove" }];
    // The engine's order varies from run to run.
    const sorted = entries.sort((a, b) => compareBlocks(a.block, b.block));
    const rules = new Set(sorted.map((entry) => entry.from));
    return [...rules].map((rule) => ({ policy, rule, change: actions.get(keyOf(rule))! }));
  });
}
