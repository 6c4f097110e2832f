import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../schema/json";
import { contains, isRecord, membersOf, recordsIn } from "../../schema/unknown";
import { parsedYaml } from "../stack/yaml";

/** Whether a traffic policy, in YAML or JSON, has no rule with an action. A policy that is not text has none. */
export function isEmpty(policy: unknown): boolean {
  if (typeof policy !== "string") return true;
  const { value, isRead } = read(policy);
  return isRead && !hasAction(value);
}

/**
 * The types of actions that let only some clients pass. The specification says nothing of the text of a traffic policy, so
 * an action of any other type counts as one that restricts nobody.
 */
export const restrictingActions: readonly unknown[] = [
  ...["basic-auth", "deny", "jwt-validation", "oauth"],
  ...["openid-connect", "restrict-ips", "saml", "verify-webhook"],
];

/**
 * Whether a traffic policy, in YAML or JSON, has an action that is known to restrict who gets in. Nobody knows whom: the
 * conditions of its rules are not read.
 */
export function mayRestrict(policy: unknown): boolean {
  const document = typeof policy === "string" ? membersOf(read(policy).value) : {};
  const rules = document.enabled === false ? [] : Object.values(document).flatMap(recordsIn);
  return rules
    .filter(({ enabled }) => enabled !== false)
    .flatMap(({ actions }) => recordsIn(actions))
    .some(({ type, config }) => isRestricting(type, membersOf(config)));
}

function isRestricting(type: unknown, config: Json): boolean {
  const authorities = config.mutual_tls_certificate_authorities;
  const asksForCertificate = type === "terminate-tls" && Array.isArray(authorities) && authorities.length > 0;
  return asksForCertificate || (restrictingActions.includes(type) && config.enforce !== false);
}

/** Whether two policies are the same, whatever their layout is. */
export function isSameDocument(policy: unknown, other: unknown): boolean {
  if (typeof policy !== "string" || typeof other !== "string") return (policy ?? "") === (other ?? "");
  const [one, two] = [read(policy), read(other)];
  return policy === other || (one.isRead && two.isRead && isDeepStrictEqual(one.value, two.value));
}

/** What is not YAML has an effect that is not known. */
function read(policy: string): { readonly value: unknown; readonly isRead: boolean } {
  try {
    return { value: parsedYaml(policy), isRead: true };
  } catch {
    return { value: undefined, isRead: false };
  }
}

/**
 * Whether a rule of the document has an action. A rule is a member of a list; one that names no actions may be of a kind
 * that this version does not know, so anything in it counts as one.
 */
function hasAction(value: unknown): boolean {
  if (!isRecord(value)) return !isNothing(value);
  if (value.enabled === false) return false;
  return Object.entries(value).some(
    ([name, phase]) => name !== "enabled" && (Array.isArray(phase) ? phase.some(ruleActs) : hasAction(phase)),
  );
}

function ruleActs(rule: unknown): boolean {
  if (isRecord(rule) && rule.enabled === false) return false;
  return isRecord(rule) && "actions" in rule ? !isNothing(rule.actions) : !isNothing(rule);
}

function isNothing(value: unknown): boolean {
  return !contains(value, (part) => typeof part !== "object" && part !== undefined && part !== "");
}
