/** The access part of a review as plain data, for JSON, tables and pictures. */
import type { AddressSet } from "../../access/address-set";
import type { Resource } from "../world";
import type { AccessComparison, AccessState, Cause, Comparison, Difference, Kind } from "./compare";
import type { PolicyState } from "./policies";

export interface AccessReport {
  /** Every resource that IP policies guard, also those whose access does not change. */
  readonly guarded: readonly AccessItem[];
  /** The policies of the program with differences that no guarded resource of the program has. */
  readonly policies: readonly AccessItem[];
}

export interface AccessItem {
  /** Undefined for a policy outside of the program. */
  readonly urn: string | undefined;
  readonly type: string;
  /** The name in the program; the id of a policy outside of the program. */
  readonly name: string;
  /** Undefined if it does not exist before the deployment. */
  readonly before: AccessSide | undefined;
  /** Undefined if it does not exist after the deployment. */
  readonly after: AccessSide | undefined;
  readonly differences: readonly AccessDifference[];
}

export interface AccessSide {
  /** False if the restriction is disabled or has no policy. */
  readonly restricted: boolean;
  readonly policies: readonly PolicyName[];
  readonly allowed: RangeList;
  readonly denied: RangeList;
  /** What is not known: rules with unknown ranges, policies outside of the program, policies that are not known yet. */
  readonly unknown: readonly string[];
}

export interface PolicyName {
  /** Undefined for a policy outside of the program. */
  readonly urn: string | undefined;
  /** The name in the program, or the id. */
  readonly name: string;
}

/** The fewest ranges of a set of addresses. Numbers of addresses are decimal text: they exceed what JSON numbers hold. */
export interface RangeList {
  readonly cidrs: readonly string[];
  readonly ipv4Addresses: string;
  readonly ipv6Addresses: string;
}

export interface AccessDifference extends RangeList {
  readonly kind: Kind;
  readonly causes: readonly AccessCause[];
}

export interface AccessCause {
  readonly policy: PolicyName;
  /** The rule or rule set that changes; undefined if the guard gains or loses the policy. */
  readonly rule: { readonly urn: string; readonly type: string; readonly name: string } | undefined;
  readonly change: Cause["change"];
}

export function accessReport({ guarded, policies }: AccessComparison): AccessReport {
  return {
    guarded: guarded.map(item),
    policies: policies.filter(({ differences }) => differences.length > 0).map(item),
  };
}

function item(comparison: Comparison): AccessItem {
  const { key, on, before, after, hasUnknownPolicy } = comparison;
  const names = policyNames(comparison);
  return {
    ...{ urn: on?.urn, type: on?.type ?? "IpPolicy", name: on?.name ?? key },
    before: before && side(before, false),
    after: after && side(after, hasUnknownPolicy),
    differences: comparison.differences.map((difference) => plainDifference(difference, names)),
  };
}

function side(
  { isRestricted, policies, allowed, denied }: AccessState,
  hasUnknownPolicy: boolean,
): AccessSide {
  const unknown = policies.flatMap((policy) => [
    ...policy.unknown.map(({ type, name }) => `${type} ${name}`),
    ...(policy.policy === undefined ? [`the ranges of ${policy.key} outside of this program`] : []),
  ]);
  return {
    restricted: isRestricted,
    policies: policies.map(policyName),
    allowed: rangeList(allowed),
    denied: rangeList(denied),
    unknown: hasUnknownPolicy ? [...unknown, "a policy that is not known yet"] : unknown,
  };
}

/** The names of the policies of a comparison, by key. */
export function policyNames({ before, after }: Comparison): ReadonlyMap<string, PolicyName> {
  const states = [...(before?.policies ?? []), ...(after?.policies ?? [])];
  return new Map(states.map((state) => [state.key, policyName(state)]));
}

function policyName({ key, policy }: PolicyState): PolicyName {
  return { urn: policy?.urn, name: policy?.name ?? key };
}

export function plainDifference(
  { kind, addresses, causes }: Difference,
  names: ReadonlyMap<string, PolicyName>,
): AccessDifference {
  const plain = causes.map(({ policy, resource, change }) => ({
    policy: names.get(policy)!,
    rule: change === "add" || change === "remove" ? undefined : resource && ruleName(resource),
    change,
  }));
  return { kind, ...rangeList(addresses), causes: plain };
}

function ruleName({ urn, type, name }: Resource): { urn: string; type: string; name: string } {
  return { urn, type, name };
}

export function rangeList(set: AddressSet): RangeList {
  return { cidrs: set.cidrs(), ipv4Addresses: `${set.size(4)}`, ipv6Addresses: `${set.size(6)}` };
}
