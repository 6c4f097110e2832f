/**
 * Whether a stack manages an object of the account: as a resource of its own, as an entry of a set, or as a key that rotates.
 */
import { isStandingFor } from "../provider/rule-set/summary";
import { declarations } from "../resources/registry";
import { canonical } from "../schema/formats/cidr";
import { isExclusive, isSummarized, rangesIn, ruleOf, rulesByRange } from "../schema/rule-set";
import { asText, isUnknown } from "../schema/unknown";
import type { AccountObject, Modules } from "./account-contents";
import { accountKey, keyOf } from "./inventory";
import type { InventoryObject } from "./inventory";
import type { StackContents } from "./stack";

/**
 * The resource of the stack that manages an object of the account; undefined without a stack, and for all others. A set
 * manages the entries that it records.
 */
export function managerIn(
  stack: StackContents | undefined,
): (object: InventoryObject) => InventoryObject | undefined {
  const managed = new Map(stack?.managed.flatMap((each) => accountKeysOf(each).map((key) => [key, each])));
  const setsOf = setsIn(stack);
  const owned = new Map([...managed.values()].map((each) => [each, ownedBy(each)]));
  return (object) =>
    managed.get(accountKey(object)) ?? setsOf(object).find((set) => owned.get(set)?.(object) ?? true);
}

/**
 * The exclusive set of the stack in whose parent an object is. An object that the set does not record was created by
 * somebody else: a refresh shows it as drift, and no other resource can manage it.
 */
export function exclusiveSetIn(
  stack: StackContents | undefined,
): (object: InventoryObject) => InventoryObject | undefined {
  const setsOf = setsIn(stack);
  return (object) => setsOf(object).find(({ outputs }) => isExclusive(outputs));
}

/** The sets of the stack that have the parent of an object. */
function setsIn(stack: StackContents | undefined): (object: InventoryObject) => InventoryObject[] {
  const sets = (stack?.managed ?? []).filter(({ declaration }) => declaration.setOf !== undefined);
  const byKey = new Map(sets.map((set) => [accountKey(set), set]));
  return (object) => {
    const id = parentOf(object);
    return setClasses
      .filter(({ setOf }) => setOf === object.declaration)
      .flatMap((declaration) => byKey.get(accountKey({ declaration, id })) ?? []);
  };
}

/** The keys of a resource in the account. One whose keys rotate has up to two of them. */
function accountKeysOf(resource: InventoryObject): string[] {
  const { rotates } = resource.declaration;
  if (rotates === undefined) return [accountKey(resource)];
  const { keyId, previousKeyId } = resource.outputs;
  const ids = [keyId, previousKeyId].filter((id) => typeof id === "string");
  return ids.map((id) => accountKey({ declaration: rotates, id }));
}

/** The objects of an account with the names that the stack gives them, and the keys of those that it does not manage. */
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

/** The routes and edges that are asked for, with those of the modules that a stack manages. */
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

/**
 * Whether an object is an entry that a set records, or stands for some where they are summarized; undefined where the
 * entries are hidden, and for what is no set.
 */
function ownedBy({
  declaration,
  outputs,
}: InventoryObject): ((object: InventoryObject) => boolean) | undefined {
  if (declaration.setOf === undefined || isUnknown(outputs.rules)) return undefined;
  const [ranges, isStanding] = [rangesIn(outputs), isStandingFor(rulesByRange(outputs))];
  return (object) =>
    isSummarized(outputs)
      ? isStanding(ruleOf(entryKey(object), object.outputs))
      : ranges.has(entryKey(object));
}

/** The classes of sets. */
export const setClasses = declarations.filter(({ setOf }) => setOf !== undefined);

/** The id of the parent of an object that a set may manage; undefined where it has none. */
export function parentOf({ declaration, outputs }: InventoryObject): string | undefined {
  return asText(outputs[declaration.parentId ?? ""]);
}

/** The range that the object has in a set, in canonical spelling. */
export function entryKey({ outputs }: InventoryObject): string {
  return canonical(String(outputs.cidr));
}

/** What an entry of a set says, such as "203.0.113.0/24 allow"; undefined for any other object. */
export function entryText({ declaration, outputs }: InventoryObject): string | undefined {
  if (!setClasses.some(({ setOf }) => setOf === declaration)) return undefined;
  return [outputs.cidr, outputs.action].map((value) => asText(value) ?? "?").join(" ");
}
