/** Who gains and who loses access: the policies and the guarded resources before and after a deployment. */
import type { AddressSet } from "../../access/address-set";
import { compareBlocks, families } from "../../access/block";
import type { Family } from "../../access/block";
import type { Action } from "../../stack/preview";
import { isForeign, outsideKey, policiesOf, policyIn, policyPrefix, withRanges } from "../../access/policies";
import type { PolicyRanges, RuleAction } from "../../access/policies";
import { unknownSemantics } from "../../access/semantics";
import type { Semantics } from "../../access/semantics";
import { guardPairs, reaches } from "../../access/verdicts";
import { areOfNew } from "../unexplained";
import { movesBetween, knownRanges } from "./moves";
import { widerInTime } from "./time";
import type { TimeDifference } from "./time";
import type { GuardedThing } from "../../access/verdicts";
import { keyOf } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import type { Inventories } from "../../inventory/preview";

export type Kind =
  "newly allowed" | "no longer allowed" | "newly denied" | "no longer denied" | TimeDifference["kind"];

/** Whether somebody may get in who did not, or for longer. */
export function isWider(kind: Kind): boolean {
  return kind !== "no longer allowed" && kind !== "newly denied";
}

/** Why addresses are in a difference: a resource with ranges that changes, or a policy that a guard gains or loses. */
export interface DifferenceCause {
  readonly policy: PolicyRanges;
  /** The rule or rule set that changes; undefined if the guard gains or loses the policy. */
  readonly rule: InventoryObject | undefined;
  readonly change: Action | "add" | "remove";
}

/** A difference between what policies let in, or keep out. Without `semantics` it is true in whatever order the service applies the rules. */
export interface RangeDifference {
  readonly kind: Kind;
  readonly addresses: AddressSet;
  /** Of a policy: also what its users show. Its size counts, so that no part stays under a limit. */
  readonly whole?: AddressSet;
  /** The families of which every address is allowed after the deployment and was not before. */
  readonly opens: readonly Family[];
  /** When addresses that are allowed for longer end, in milliseconds since 1970; undefined where they do not. */
  readonly end?: number;
  readonly causes: readonly DifferenceCause[];
}

/** The policies of a guard, or one policy, before or after the deployment. */
export interface AccessState {
  /** False if the guard is disabled or has no policy. */
  readonly isRestricted: boolean;
  readonly policies: readonly PolicyRanges[];
  /** What they let in. Without `semantics`: the union of the allowed ranges. */
  readonly allowed: AddressSet;
  /** What they keep out, which may include some of these. Without `semantics`: the union of the denied ranges. */
  readonly denied: AddressSet;
}

/** A guarded resource or a policy before and after the deployment. */
export interface Comparison {
  /** The name in the program; the id of a policy outside of it. */
  readonly name: string;
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
export function compareAccess(
  inventories: Inventories,
  actions: Actions,
  semantics = unknownSemantics,
): AccessComparison {
  const guarded = compareGuarded(inventories, actions, semantics);
  return { guarded, policies: comparePolicies(inventories, guarded, actions, semantics) };
}

function compareGuarded(
  { before, after }: Inventories,
  actions: Actions,
  semantics: Semantics,
): GuardComparison[] {
  // Many resources may have the same policies: each combination is computed once.
  const cached = new Map<string, readonly RangeDifference[]>();
  return guardPairs(before, after, semantics).map(([old, next]) => {
    // A rule of its own reports policies that are deleted although a guard still refers to them.
    const gone = new Set(next?.gone);
    const [from, to] = [old, next].map((thing) => thing && guardState(thing, gone, semantics));
    const pair = JSON.stringify([from, to].map((state) => state && [state.isRestricted, ...keysOf(state)]));
    const differences = cached.get(pair) ?? differencesBetween(from, to, actions, semantics);
    cached.set(pair, differences);
    const changed = changedPolicies(from, to).filter(
      (policy) =>
        isForeign(policy) &&
        (policy.policy !== undefined || !(before.all.has(policy.key) || after.all.has(policy.key))),
    );
    const on = (next ?? old)!.on;
    return {
      ...{ name: on.name, on, before: from, after: to, differences },
      unknownPolicies: changed.map(({ name }) => name),
      hasUnknownPolicy: next !== undefined && hasUnexplained(next, after),
      mayBeOff: next?.gates.some(({ by, isOn }) => by === "address" && isOn === "unknown") ?? false,
    };
  });
}

/** Whether an id of a policy is not known, and no policy of the program explains it. */
function hasUnexplained({ hasUnknownPolicy, on }: GuardedThing, inventory: Inventory): boolean {
  const references = inventory.references(on).filter(({ prefixes }) => prefixes.includes(policyPrefix));
  return hasUnknownPolicy && !areOfNew(references.filter(({ id }) => id === undefined));
}

/** The policies that guard, those among them of which only the program's data flow says so. */
function guardState(
  { policies, candidates, isRestricted }: GuardedThing,
  gone: ReadonlySet<string | undefined>,
  semantics: Semantics,
): AccessState {
  const all = new Map([...policies, ...candidates].map((policy) => [policy.key, policy]));
  const stays = [...all.values()].filter(({ policy }) => !gone.has(policy?.id));
  return { isRestricted: isRestricted !== false, policies: stays, ...knownRanges(stays, semantics) };
}

function comparePolicies(
  { before, after }: Inventories,
  guarded: readonly Comparison[],
  actions: Actions,
  semantics: Semantics,
): Comparison[] {
  const [olds, news] = [before, after].map(policiesByIdentity) as [Policies, Policies];
  return [...new Map([...olds, ...news])].flatMap(([identity, policy]) => {
    const [old, next] = [olds.get(identity) ?? policy, news.get(identity) ?? policy];
    // A new policy has no effect by itself, and a rule of its own reports a deleted one.
    if (!isForeign(policy) && before.all.has(old.key) !== after.all.has(next.key)) return [];
    const from = policyState({ ...policyIn(before, old), key: identity }, semantics);
    const to = policyState({ ...policyIn(after, next), key: identity }, semantics);
    const users = guarded.filter(
      (user) => hasPolicy(user.before, old.key) || hasPolicy(user.after, next.key),
    );
    const differences = differencesBetween(from, to, actions, semantics).flatMap((difference) =>
      withoutShown(difference, users),
    );
    const on = after.all.get(next.key);
    const { name } = policy;
    return [{ name, on, before: from, after: to, differences, hasUnknownPolicy: false, mayBeOff: false }];
  });
}

type Policies = ReadonlyMap<string, PolicyRanges>;

/** The policies by what stays the same where a program begins to read one that it knew by its id alone, or ends to. */
function policiesByIdentity(inventory: Inventory): Policies {
  return new Map(
    [...policiesOf(inventory).values()].map((each) => {
      const { id, provider } = each.policy ?? {};
      return [isForeign(each) && id !== undefined ? outsideKey(inventory, id, provider) : each.key, each];
    }),
  );
}

function policyState(policy: PolicyRanges, semantics: Semantics): AccessState {
  const policies = [policy];
  return { isRestricted: true, policies, ...knownRanges(policies, semantics) };
}

/** The part of a policy's difference that none of its users has. */
function withoutShown(difference: RangeDifference, users: readonly Comparison[]): RangeDifference[] {
  const shown = users.flatMap((user) => user.differences.filter(({ kind }) => kind === difference.kind));
  const addresses = shown.reduce((rest, each) => rest.difference(each.addresses), difference.addresses);
  return addresses.isEmpty() ? [] : [{ ...difference, addresses, whole: difference.addresses }];
}

function keysOf({ policies }: AccessState): string[] {
  return policies.map(({ key }) => key);
}

function hasPolicy(state: AccessState | undefined, key: string): boolean {
  return state?.policies.some((policy) => policy.key === key) === true;
}

/** The policies on one side only. */
function changedPolicies(from: AccessState | undefined, to: AccessState | undefined): PolicyRanges[] {
  // A restriction that begins lets nobody in.
  if (from?.isRestricted === false || !to?.isRestricted) return [];
  const added = to.policies.filter(({ key }) => !hasPolicy(from, key));
  const removed = from?.policies.filter(({ key }) => !hasPolicy(to, key)) ?? [];
  return [...added, ...removed];
}

/** None without a restriction on both sides: other rules report restrictions that begin or end. */
function differencesBetween(
  from: AccessState | undefined,
  to: AccessState | undefined,
  actions: Actions,
  semantics: Semantics,
): readonly RangeDifference[] {
  if (!from?.isRestricted || !to?.isRestricted) return [];
  const rest = comparablePart(from, to, semantics);
  const opens = families.filter(
    (family) => to.allowed.coversFamily(family) && !from.allowed.coversFamily(family),
  );
  const { gained, lost, newlyDenied, noLongerDenied } = movesBetween(from, rest, to);
  // Where every address is decided, what is allowed is not denied: it is one difference, not two.
  const isDecided = semantics.unmatched !== "unknown" || semantics.empty !== "unknown";
  const found: Omit<RangeDifference, "causes">[] = [
    { kind: "newly allowed", addresses: gained, opens },
    { kind: "no longer allowed", addresses: lost, opens: [] },
    { kind: "newly denied", addresses: isDecided ? newlyDenied.difference(lost) : newlyDenied, opens: [] },
    {
      kind: "no longer denied",
      addresses: isDecided ? noLongerDenied.difference(gained) : noLongerDenied,
      opens: [],
    },
    ...widerInTime(from, rest, to, semantics).map((each) => ({ ...each, opens: [] })),
  ];
  return found
    .filter(({ addresses }) => !addresses.isEmpty())
    .map((each) => ({ ...each, causes: causesOf(each, from, to, actions) }));
}

/**
 * The old state without the resources whose new ranges, or whose new policy, are not known: nobody can say that these ranges
 * are gone.
 */
function comparablePart(from: AccessState, to: AccessState, semantics: Semantics): AccessState {
  const open = new Set(to.policies.flatMap(({ possible }) => possible.map((entry) => keyOf(entry.from))));
  if (open.size === 0) return from;
  const policies = from.policies.map((policy) =>
    withRanges(
      policy,
      policy.entries.filter((entry) => !open.has(keyOf(entry.from))),
    ),
  );
  return { ...from, policies, ...knownRanges(policies, semantics) };
}

function causesOf(
  { kind, addresses }: Pick<RangeDifference, "kind" | "addresses">,
  from: AccessState,
  to: AccessState,
  actions: Actions,
): DifferenceCause[] {
  const action = kind.includes("allowed") ? "allow" : "deny";
  const isNew =
    kind.startsWith("newly") || kind === "allowed for longer" || kind === "denied for a shorter time";
  const causesIn = (here: AccessState, there: AccessState, of: RuleAction): DifferenceCause[] =>
    here.policies.flatMap((policy): DifferenceCause[] => {
      const entries = policy.entries.filter(
        (entry) => entry.action === of && reaches(addresses, of, entry.block),
      );
      if (entries.length === 0) return [];
      if (!hasPolicy(there, policy.key))
        return [{ policy, rule: undefined, change: here === to ? "add" : "remove" }];
      // The engine's order varies from run to run.
      const sorted = entries.sort((a, b) => compareBlocks(a.block, b.block));
      const rules = new Set(sorted.map((entry) => entry.from));
      return [...rules].flatMap((rule) => {
        const change = actions.get(keyOf(rule))!;
        return change === "same" ? [] : [{ policy, rule, change }];
      });
    });
  const [here, there] = isNew ? [to, from] : [from, to];
  const causes = causesIn(here, there, action);
  // Where one action wins over the other, a rule with the other one may have hidden these.
  return causes.length > 0 ? causes : causesIn(there, here, action === "allow" ? "deny" : "allow");
}
