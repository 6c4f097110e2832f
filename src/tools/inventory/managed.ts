/** Whether a stack manages an object of the account: as a resource, as an entry of a set, or as a key that rotates. */
import { isStandingFor } from "../../provider/rule-set/summary";
import { oncePer } from "../../schema/once-per";
import { declarationOf, declarations } from "../../resources/registry";
import { canonical } from "../../schema/formats/cidr";
import { heldRulesIn } from "../../schema/recorded-state";
import { isExclusive, isSummarized, rangesIn, ruleOf, rulesByRange } from "../../schema/rule-set";
import { asText, isUnknown } from "../../schema/unknown";
import type { AccountObject, Modules } from "./account-contents";
import { accountKey, keyOf } from "./inventory";
import type { InventoryObject } from "./inventory";
import type { StackContents } from "./stack";

const ipPolicyRule = declarationOf("IpPolicyRule");
const ipPolicyRuleSet = declarationOf("IpPolicyRuleSet");

/**
 * The resource of the stack that manages an object of the account; undefined if there is none. A set manages the rules that
 * it records.
 */
export function managerIn(
  stack: StackContents | undefined,
): (object: InventoryObject) => InventoryObject | undefined {
  const managed = new Map(stack?.managed.flatMap((each) => accountKeysOf(each).map((key) => [key, each])));
  const [setsOf, owned] = [setsIn(stack), oncePer(ownedBy)];
  return (object) => managed.get(accountKey(object)) ?? setsOf(object).find((set) => owned(set)(object));
}

/**
 * The exclusive set of the stack for the policy of a rule. If the set does not record the rule, the rule was created outside
 * Pulumi: a refresh shows it as drift, and no other resource can manage it.
 */
export function exclusiveSetIn(
  stack: StackContents | undefined,
): (object: InventoryObject) => InventoryObject | undefined {
  const setsOf = setsIn(stack);
  return (object) => setsOf(object).find(({ values }) => isExclusive(values));
}

/** The sets of the stack for the policy of a rule; none for any other object. */
function setsIn(stack: StackContents | undefined): (object: InventoryObject) => InventoryObject[] {
  const sets = (stack?.managed ?? []).filter(({ declaration }) => declaration === ipPolicyRuleSet);
  const byPolicy = Map.groupBy(sets, ({ id }) => id);
  return (object) => {
    const policy = object.declaration === ipPolicyRule ? policyIdIn(object) : undefined;
    return policy === undefined ? [] : (byPolicy.get(policy) ?? []);
  };
}

/** The keys of a resource in the account. A resource whose keys rotate has up to two. */
function accountKeysOf(resource: InventoryObject): string[] {
  const { rotates } = resource.declaration;
  if (rotates === undefined) return [accountKey(resource)];
  // A creation that failed in part has recorded no other id of its key.
  const { keyId = resource.id, previousKeyId } = resource.values;
  const ids = [keyId, previousKeyId].filter((id) => typeof id === "string");
  return ids.map((id) => accountKey({ declaration: rotates, id }));
}

/** The objects of an account with their names in the program, and the keys of those that the stack does not manage. */
export function namedBy(
  stack: StackContents | undefined,
  objects: readonly AccountObject[],
): { objects: AccountObject[]; unmanaged: ReadonlySet<string> } {
  const managerOf = managerIn(stack);
  const unmanaged = new Set<string>();
  const named = objects.map((object) => {
    const manager = managerOf(object);
    const isManageable = declarations.includes(object.declaration);
    if (stack !== undefined && isManageable && !manager) unmanaged.add(keyOf(object));
    return manager?.declaration === object.declaration ? { ...object, name: manager.name } : object;
  });
  return { objects: named, unmanaged };
}

/** The routes and edges that the user names, and those whose modules the stack manages. */
export function modulesWith(
  { httpsRoutes = [], tlsEdges = [] }: Modules = {},
  stack?: StackContents,
): Modules {
  const below = (path: string): string[] =>
    (stack?.managed ?? [])
      .filter(({ declaration }) => declaration.style === "singleton" && declaration.path.startsWith(path))
      .flatMap(({ id }) => id ?? []);
  return {
    httpsRoutes: [...httpsRoutes, ...below("/edges/https/")],
    tlsEdges: [...tlsEdges, ...below("/edges/tls/")],
  };
}

/** Whether a set records a rule of its policy. If its rules are hidden, every rule counts. */
function ownedBy({ values, record }: InventoryObject): (rule: InventoryObject) => boolean {
  if (isUnknown(values.rules)) return () => true;
  if (!isSummarized(values)) {
    const ranges = rangesIn(values);
    return (rule) => ranges.has(entryKey(rule));
  }
  const isStanding = isStandingFor(rulesByRange(values));
  // An update that was killed may have changed what a rule says, and not which one it is.
  const ids = new Set(heldRulesIn(record?.outputs ?? {}).ruleIds);
  return (rule) => ids.has(rule.id!) || isStanding(ruleOf(entryKey(rule), rule.values));
}

/** The id of the policy of a rule; undefined if it is not known. */
export function policyIdIn({ values }: InventoryObject): string | undefined {
  return asText(values.ipPolicyId);
}

/** The range that a rule has in a set, in canonical spelling. */
export function entryKey({ values }: InventoryObject): string {
  return canonical(String(values.cidr));
}

/** The range and action of a rule, such as "203.0.113.0/24 allow"; undefined for any other object. */
export function entryText({ declaration, values }: InventoryObject): string | undefined {
  if (declaration !== ipPolicyRule) return undefined;
  return [values.cidr, values.action].map((value) => asText(value) ?? "?").join(" ");
}
