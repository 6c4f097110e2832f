/** The access part of a review as plain data, for JSON, tables and pictures. */
import { textOf } from "../../../schema/formats/time";
import { shortened, most3, listText } from "../../../schema/text/phrase";
import { rangeList, isSingular, rangesText } from "../../access/range-text";
import { isForeign } from "../../access/policies";
import type { PolicyRanges } from "../../access/policies";
import type { StackScope } from "../../output/finding";
import type { Access } from "../../access/verdicts";
import type { AccessChanges, PlaceChange } from "./compare";
import type { DifferenceCause, RangeDifference } from "./range-differences";
import { orderKeyOf } from "../../inventory/inventory";
import { sortedBy } from "../../../schema/text/compare-texts";
import { pastTense } from "../../stack/preview";

export interface AccessReport {
  /** Every resource that IP policies guard, also those whose access does not change. */
  readonly guarded: readonly AccessItem[];
  /** The policies of the program with differences that no guarded resource of the program has. */
  readonly policies: readonly AccessItem[];
}

/** A resource or policy; a policy outside of the program has no URN, and its id as the name. */
export type AccessItem = ReturnType<typeof accessItem> & StackScope;
/** An `Access` as plain data. */
export type ReportedAccess = ReturnType<typeof plainAccess>;
export type AccessDifference = ReturnType<typeof plainDifference>;
type AccessCause = ReturnType<typeof plainCause>;

export function accessReport({ places, policies }: AccessChanges): AccessReport {
  const changed = policies.filter(({ differences }) => differences.length > 0);
  return {
    guarded: sortedBy(places.map(accessItem), orderKeyOf),
    policies: sortedBy(changed.map(accessItem), orderKeyOf),
  };
}

function accessItem(change: PlaceChange) {
  const { name, on, before, after, differences, hasUnknownPolicy, mayBeOff } = change;
  const open = [
    ...(hasUnknownPolicy ? ["a policy that is not known yet"] : []),
    ...(mayBeOff ? ["whether it is enabled"] : []),
  ];
  return {
    ...{ urn: on?.urn, type: on?.declaration.type ?? "IpPolicy", name: on?.name ?? shortened(name, 100) },
    /** Undefined where it does not exist, as `after`. */
    before: before && plainAccess(before, []),
    after: after && plainAccess(after, open),
    differences: differences.map(plainDifference),
  };
}

function plainAccess(access: Access, open: readonly string[]) {
  const { isRestricted, policies, allowed, denied } = access;
  const unknown = policies.flatMap((policy) => [
    ...policy.unknown.map(({ declaration, name }) => `${declaration.type} ${name}`),
    ...(isForeign(policy) ? [`the ranges of ${shortened(policy.name, 100)} outside of this program`] : []),
  ]);
  return {
    /** False if the restriction is disabled or has no policy. */
    restricted: isRestricted !== false,
    policies: policies.map(policyName),
    allowed: rangeList(allowed),
    denied: rangeList(denied),
    /** Rules with unknown ranges, policies outside of the program or not known yet, whether the gate is on. */
    unknown: [...unknown, ...open],
  };
}

function policyName({ name, policy }: PolicyRanges) {
  return { urn: policy?.urn, name: shortened(name, 100) };
}

/** `until` is when addresses that are allowed for longer end, RFC 3339 in UTC; undefined if they do not. */
export function plainDifference({ kind, addresses, end, causes }: RangeDifference) {
  const until: { until?: string } = end === undefined ? {} : { until: textOf(end) };
  return { kind, ...until, ...rangeList(addresses), causes: causes.map(plainCause) };
}

/** Without a rule, the gate gains or loses the policy. */
function plainCause({ policy, rule, change }: DifferenceCause) {
  return {
    policy: policyName(policy),
    rule: rule && { urn: rule.urn, type: rule.declaration.type, name: rule.name },
    change,
  };
}

/**
 * "198.51.0.0/16 (65,536 addresses) is newly allowed by IpPolicy "vpn" (added)"; in a sentence about the policy itself
 * "… is newly allowed because IpPolicyRule "lan" is created".
 */
export function differenceSentence(difference: AccessDifference, isAboutPolicy = false): string {
  const { causes } = difference;
  const verb = isSingular(difference) ? "is" : "are";
  const what = `${rangesText(difference)} ${verb} ${kindText(difference)}`;
  if (causes.length === 0) return what;
  return isAboutPolicy ? `${what} because ${reasonsText(causes)}` : `${what} by ${policiesText(causes)}`;
}

/** "newly allowed", "allowed for longer, until 2099-01-01T00:00:00Z". */
export function kindText({ kind, until }: Pick<AccessDifference, "kind" | "until">): string {
  if (kind !== "allowed for longer") return kind;
  return `${kind}, ${until === undefined ? "without an end" : `until ${until}`}`;
}

const changes: Readonly<Record<AccessCause["change"], string>> = {
  ...pastTense,
  add: "added",
  remove: "removed",
};

/** `IpPolicyRule "lan" is updated and IpPolicyRule "vpn" is deleted`. */
function reasonsText(causes: readonly AccessCause[]): string {
  const reasons = causes.map(({ rule, policy, change }) => {
    const name = rule ? `${rule.type} ${JSON.stringify(rule.name)}` : policyText(policy);
    return `${name} is ${changes[change]}`;
  });
  const rest = reasons.length - most3;
  return `${listText(reasons, "rule")}${rest > 1 ? " change" : rest === 1 ? " changes" : ""}`;
}

/** `IpPolicy "office" (IpPolicyRule "lan" updated)`. */
function policiesText(causes: readonly AccessCause[]): string {
  const texts = [...Map.groupBy(causes, ({ policy }) => policyText(policy))].map(([policy, group]) => {
    const whats = group.map(
      ({ rule, change }) => `${rule ? `${rule.type} ${JSON.stringify(rule.name)} ` : ""}${changes[change]}`,
    );
    return `${policy} (${listText(whats, "rule")})`;
  });
  return listText(texts, "policy");
}

function policyText({ urn, name }: AccessCause["policy"]): string {
  return urn === undefined ? `IP policy ${name}` : `IpPolicy ${JSON.stringify(name)}`;
}
