/** The texts about access of findings. */
import { isSingular, rangesText } from "../../access/range-text";
import { most3, listText } from "../../../schema/text/phrase";
import { past } from "../../stack/preview";
import type { AccessCause, AccessDifference } from "./access-report";

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
  ...past,
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
