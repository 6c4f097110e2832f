/** Compares places and policies before and after a deployment: who gains and who loses access there. */
import { Access } from "../../access/verdicts";
import { placePairs } from "../../access/place";
import type { Place } from "../../access/place";
import { isForeign, outsideKey, policiesOf, policyIn, policyReferences } from "../../access/policies";
import type { PolicyRanges } from "../../access/policies";
import { unknownSemantics } from "../../access/semantics";
import type { Semantics } from "../../access/semantics";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import type { Preview } from "../../inventory/read-preview";
import { oncePerPair } from "../../../schema/once-per";
import { areOfNew } from "../unexplained";
import { differencesBetween } from "./range-differences";
import type { RangeDifference, Resources } from "./range-differences";

/** A place that IP policies guard, or a policy by itself, before and after a deployment. */
export interface PlaceChange<On = InventoryObject | undefined> {
  /** The name in the program; the id of a policy outside of it. */
  readonly name: string;
  /** Undefined for a policy outside of the program. */
  readonly on: On;
  /** What serves the place before the deployment, if the deployment deletes it and `on` takes its place. */
  readonly was?: On;
  /** Undefined if it does not exist before the deployment. */
  readonly before: Access | undefined;
  /** Undefined if it does not exist after the deployment. */
  readonly after: Access | undefined;
  readonly differences: readonly RangeDifference[];
  /** The policies outside of the program that the place gains or loses; their ranges are not known. */
  readonly unknownPolicies: readonly string[];
  /** The place refers to a policy that is not known before the deployment. */
  readonly hasUnknownPolicy: boolean;
  /** It is not known before the deployment whether the gate is on. */
  readonly mayBeOff: boolean;
}

export type AccessChanges = ReturnType<typeof compareAccess>;

/** @param now the current time, in milliseconds since 1970. */
export function compareAccess(preview: Preview, semantics = unknownSemantics, now = Date.now()) {
  const places = placeChanges(preview, semantics, now);
  // The policies have the differences that no guarded place of the program has.
  return { places, policies: policyChanges(preview, places, semantics, now) };
}

function placeChanges(
  { before, after, resources }: Preview,
  semantics: Semantics,
  now: number,
): PlaceChange<InventoryObject>[] {
  // Many places may have the same policies: each combination is compared once.
  const compared = oncePerPair((old: Access, next: Access) => changeOf(old, next, resources, now));
  return placePairs(before, after, semantics).map(({ on, old, next }) => {
    const change =
      old && next ? compared(old.access, next.access) : changeOf(old?.access, next?.access, resources, now);
    const changed = changedPolicies(change).filter(
      (policy) =>
        isForeign(policy) &&
        (policy.policy !== undefined || !(before.all.has(policy.key) || after.all.has(policy.key))),
    );
    return {
      ...{ name: on.name, on, ...(old && old.on.urn !== on.urn && { was: old.on }), ...change },
      unknownPolicies: changed.map(({ name }) => name),
      hasUnknownPolicy: next !== undefined && hasUnexplained(next, after),
      mayBeOff: next?.gates.some(({ by, isOn }) => by === "address" && isOn === "unknown") ?? false,
    };
  });
}

type Change = Pick<PlaceChange, "before" | "after" | "differences">;

function changeOf(
  old: Access | undefined,
  next: Access | undefined,
  resources: Resources,
  now: number,
): Change {
  // A rule of its own reports policies that are deleted although a place still refers to them.
  const gone = new Set(next?.beside.gone);
  const [before, after] = [old, next].map((access) => access && comparable(access, gone));
  return { before, after, differences: differencesBetween(before, after, resources, now) };
}

/** The access with the policies that only the data flow shows, and without deleted ones. */
function comparable(access: Access, gone: ReadonlySet<string | undefined>): Access {
  const { isRestricted, policies, semantics, beside } = access;
  if (beside.candidates.length === 0 && !policies.some(({ policy }) => gone.has(policy?.id))) return access;
  const all = new Map(access.allPolicies.map((policy) => [policy.key, policy]));
  const stays = [...all.values()].filter(({ policy }) => !gone.has(policy?.id));
  return new Access(isRestricted, stays, semantics);
}

/** Whether an id of a policy is not known, and no policy of the program explains it. */
function hasUnexplained({ access, on }: Place, inventory: Inventory): boolean {
  const references = policyReferences(inventory, on);
  return access.beside.hasUnknownPolicy && !areOfNew(references.filter(({ id }) => id === undefined));
}

/** The policies on one side only. */
function changedPolicies({ before, after }: Change): PolicyRanges[] {
  // A new restriction lets nobody in who did not get in before.
  if (before?.isRestricted === false || !after?.isRestricted) return [];
  const added = after.policies.filter(({ key }) => !hasPolicy(before, key));
  const removed = before?.policies.filter(({ key }) => !hasPolicy(after, key)) ?? [];
  return [...added, ...removed];
}

export function hasPolicy(access: Access | undefined, key: string): boolean {
  return access?.policies.some((policy) => policy.key === key) === true;
}

function policyChanges(
  { before, after, resources }: Preview,
  places: readonly PlaceChange[],
  semantics: Semantics,
  now: number,
): PlaceChange[] {
  const [olds, news] = [before, after].map(policiesByIdentity) as [Policies, Policies];
  return [...new Map([...olds, ...news])].flatMap(([identity, policy]) => {
    const [old, next] = [olds.get(identity) ?? policy, news.get(identity) ?? policy];
    // A new policy has no effect by itself, and a rule of its own reports a deleted one.
    if (!isForeign(policy) && before.all.has(old.key) !== after.all.has(next.key)) return [];
    const [from, to] = [policyIn(before, old), policyIn(after, next)].map(
      (each) => new Access(true, [{ ...each, key: identity }], semantics),
    );
    const users = places.filter((user) => hasPolicy(user.before, old.key) || hasPolicy(user.after, next.key));
    const differences = differencesBetween(from, to, resources, now).flatMap((difference) =>
      withoutShown(difference, users),
    );
    return {
      ...{ name: policy.name, on: after.all.get(next.key), before: from, after: to, differences },
      ...{ unknownPolicies: [], hasUnknownPolicy: false, mayBeOff: false },
    };
  });
}

type Policies = ReadonlyMap<string, PolicyRanges>;

/** The policies by a key that stays the same when a program begins or stops reading a policy that it knows by id. */
function policiesByIdentity(inventory: Inventory): Policies {
  return new Map(
    [...policiesOf(inventory).values()].map((each) => {
      const { id, provider } = each.policy ?? {};
      return [isForeign(each) && id !== undefined ? outsideKey(inventory, id, provider) : each.key, each];
    }),
  );
}

/** The part of a policy's difference that none of its users has. */
function withoutShown(difference: RangeDifference, users: readonly PlaceChange[]): RangeDifference[] {
  const shown = users.flatMap((user) => user.differences.filter(({ kind }) => kind === difference.kind));
  const addresses = shown.reduce((rest, each) => rest.difference(each.addresses), difference.addresses);
  return addresses.isEmpty() ? [] : [{ ...difference, addresses, whole: difference.addresses }];
}
