/** The access part of a review as plain data, for JSON, tables and pictures. */
import { textOf } from "../../../schema/formats/time";
import { shortened } from "../../../schema/text/phrase";
import { rangeList } from "../../access/range-text";
import type { RangeList } from "../../access/range-text";
import { isForeign } from "../../access/policies";
import type { PolicyRanges } from "../../access/policies";
import type { StackScope } from "../stack-scope";
import type { Access } from "../../access/verdicts";
import type { AccessChanges, PlaceChange } from "./compare";
import type { DifferenceCause, RangeDifference, Kind } from "./range-differences";
import { inNameOrder } from "../name-order";

export interface AccessReport {
  /** Every resource that IP policies guard, also those whose access does not change. */
  readonly guarded: readonly AccessItem[];
  /** The policies of the program with differences that no guarded resource of the program has. */
  readonly policies: readonly AccessItem[];
}

export interface AccessItem extends StackScope {
  /** Undefined for a policy outside of the program. */
  readonly urn: string | undefined;
  readonly type: string;
  /** The name in the program; the id of a policy outside of the program. */
  readonly name: string;
  /** Undefined if it does not exist before the deployment. */
  readonly before: ReportedAccess | undefined;
  /** Undefined if it does not exist after the deployment. */
  readonly after: ReportedAccess | undefined;
  readonly differences: readonly AccessDifference[];
}

/** An `Access` as plain data. */
export interface ReportedAccess {
  /** False if the restriction is disabled or has no policy. */
  readonly restricted: boolean;
  readonly allowed: RangeList;
  readonly denied: RangeList;
  /** What is not known: rules with unknown ranges, policies outside of the program, policies that are not known yet, whether the guard is enabled. */
  readonly unknown: readonly string[];
  readonly policies: readonly PolicyName[];
}

interface PolicyName {
  /** Undefined for a policy outside of the program. */
  readonly urn: string | undefined;
  /** The name in the program, or the id. */
  readonly name: string;
}

export interface AccessDifference extends RangeList {
  readonly kind: Kind;
  /** When addresses that are allowed for longer end, RFC 3339 in UTC; undefined if they do not. */
  readonly until?: string;
  readonly causes: readonly AccessCause[];
}

export interface AccessCause {
  readonly policy: PolicyName;
  /** The rule or rule set that changes; undefined if the guard gains or loses the policy. */
  readonly rule:
    | { readonly urn: string | undefined; readonly type: string; readonly name: string }
    | undefined;
  readonly change: DifferenceCause["change"];
}

export function accessReport({ places, policies }: AccessChanges): AccessReport {
  return {
    guarded: inNameOrder(places.map(accessItem)),
    policies: inNameOrder(policies.filter(({ differences }) => differences.length > 0).map(accessItem)),
  };
}

function accessItem(change: PlaceChange): AccessItem {
  const { name, on, before, after, differences, hasUnknownPolicy, mayBeOff } = change;
  const open = [
    ...(hasUnknownPolicy ? ["a policy that is not known yet"] : []),
    ...(mayBeOff ? ["whether it is enabled"] : []),
  ];
  return {
    ...{ urn: on?.urn, type: on?.declaration.type ?? "IpPolicy", name: on?.name ?? shortened(name, 100) },
    before: before && plainAccess(before, []),
    after: after && plainAccess(after, open),
    differences: differences.map(plainDifference),
  };
}

function plainAccess(access: Access, open: readonly string[]): ReportedAccess {
  const { isRestricted, policies, allowed, denied } = access;
  const unknown = policies.flatMap((policy) => [
    ...policy.unknown.map(({ declaration, name }) => `${declaration.type} ${name}`),
    ...(isForeign(policy) ? [`the ranges of ${shortened(policy.name, 100)} outside of this program`] : []),
  ]);
  return {
    restricted: isRestricted !== false,
    policies: policies.map(policyName),
    allowed: rangeList(allowed),
    denied: rangeList(denied),
    unknown: [...unknown, ...open],
  };
}

function policyName({ name, policy }: PolicyRanges): PolicyName {
  return { urn: policy?.urn, name: shortened(name, 100) };
}

export function plainDifference({ kind, addresses, end, causes }: RangeDifference): AccessDifference {
  const until = end === undefined ? {} : { until: textOf(end) };
  return { kind, ...until, ...rangeList(addresses), causes: causes.map(plainCause) };
}

function plainCause({ policy, rule, change }: DifferenceCause): AccessCause {
  return {
    policy: policyName(policy),
    rule: rule && { urn: rule.urn, type: rule.declaration.type, name: rule.name },
    change,
  };
}
