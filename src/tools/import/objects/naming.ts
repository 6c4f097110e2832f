/** Names for imported resources, from the descriptions and addresses of the objects. The same account gets the same names. */
import { createHash } from "node:crypto";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { labelText, labels, moreLabels } from "../../inventory/label";
import { valueAt } from "../../../schema/unknown";
import { capitalized } from "../../../schema/text/phrase";
import { ownerOf } from "./program-order";

export interface AssignedName {
  readonly name: string;
  readonly variable: string;
}

export interface NamesInUse {
  /** Of the stack's resources: `<class> <name>`. */
  readonly names: ReadonlySet<string>;
  /** Variables of statements that the program keeps. */
  readonly variables: ReadonlySet<string>;
  /** The names that an earlier, interrupted run gave to objects, by `<class> <id>`. */
  readonly earlier: ReadonlyMap<string, AssignedName>;
}

const none: NamesInUse = { names: new Set(), variables: new Set(), earlier: new Map() };

type Existing = InventoryObject & { readonly id: string };

/** The objects with their names: those of an earlier run if they are free, or else new unused names. */
export function withNames<T extends Existing>(
  objects: readonly T[],
  inventory: Inventory<T>,
  inUse = none,
): (T & AssignedName)[] {
  const usedNames = new Set(inUse.names);
  const usedVariables = new Set(inUse.variables);
  const assigned = new Map<T, AssignedName>();
  // An object keeps its name of an earlier run, unless another resource has that name now.
  for (const each of objects) {
    const { type } = each.declaration;
    const earlier = inUse.earlier.get(`${type} ${each.id}`);
    if (!earlier) continue;
    const { name, variable } = earlier;
    if (usedNames.has(`${type} ${name}`) || usedVariables.has(variable)) continue;
    usedNames.add(`${type} ${name}`);
    usedVariables.add(variable);
    assigned.set(each, { name, variable });
  }
  const wanted = wantedNames(objects, inventory);
  const open = objects.filter((each) => !assigned.has(each));
  // Names are distinct within a class.
  const names = distinct(
    open.map((each) => ({ id: each.id, name: `${each.declaration.type} ${wanted.get(each)!}` })),
    usedNames,
  );
  const named = open.map(({ id, declaration: { type } }, i) => ({
    id,
    type,
    name: names[i]!.slice(type.length + 1),
  }));
  const newVariables = variables(named, usedVariables);
  open.forEach((each, i) => assigned.set(each, { name: named[i]!.name, variable: newVariables[i]! }));
  return objects.map((each) => ({ ...each, ...assigned.get(each)! }));
}

/** The name of each object without regard to conflicts. Owners come before their objects. */
function wantedNames<T extends Existing>(
  objects: readonly T[],
  inventory: Inventory<T>,
): Map<InventoryObject, string> {
  const names = new Map<InventoryObject, string>();
  for (const each of objects) {
    const owner = ownerOf(each, inventory);
    names.set(each, ownName(each, owner && names.get(owner)));
  }
  return names;
}

/** The longest name, in characters. */
const longest = 40;

/** Letters without a Unicode decomposition. */
const plain: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** The text as lower-case letters, digits and single dashes; empty if it holds no letters and digits. */
export function slug(text: string): string {
  const words = text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => plain[letter]!)
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (words.length <= longest) return words;
  const cut = words.slice(0, longest + 1);
  const end = cut.lastIndexOf("-");
  return end > longest / 2 ? cut.slice(0, end) : words.slice(0, longest);
}

/** The name of an object without regard to other objects. `owner` is the name of the object that it belongs to. */
function ownName({ declaration, id, args, values }: Existing, owner: string | undefined): string {
  for (const label of [...labels, ...moreLabels]) {
    const text = slug(labelText(valueAt(args, label) ?? valueAt(values, label)));
    if (text === "") continue;
    return owner === undefined || label === "description" ? text : slug(`${owner}-${text}`);
  }
  // A set has only the name of its policy, which another variable has.
  if (declaration.style === "ruleSet" && owner !== undefined) return slug(`${owner}-rules`);
  return slug(`${declaration.type.replace(/(?<=[a-z0-9])(?=[A-Z])/g, "-")}-${tail(id)}`);
}

/**
 * Distinct names. Each of several equal names gets a part of its object's id, so no name depends on the order. Names that are
 * `inUse` are not used.
 */
export function distinct(
  wanted: readonly { readonly id: string; readonly name: string }[],
  inUse: ReadonlySet<string>,
  join = "-",
): string[] {
  const isFree = freeIn(
    wanted.map(({ name }) => name),
    inUse,
  );
  const first = wanted.map(({ id, name }) => (isFree(name) ? name : name + join + tail(id)));
  const isDistinct = freeIn(first, inUse);
  return wanted.map(({ id, name }, i) => (isDistinct(first[i]!) ? first[i]! : name + join + hash(id)));
}

/** Whether a name occurs once in the list and is not in use. */
function freeIn(
  names: readonly (string | undefined)[],
  inUse: ReadonlySet<string>,
): (name: string) => boolean {
  const groups = Map.groupBy(names, (name) => name);
  return (name) => groups.get(name)?.length === 1 && !inUse.has(name);
}

/** The end of an id: ids differ more there than at their start. */
function tail(id: string): string {
  const letters = id.toLowerCase().replace(/[^a-z0-9]/g, "");
  return letters.length > 6 ? letters.slice(-6) : letters || hash(id);
}

function hash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 12);
}

/** Words that are not allowed as variables, and names that generated files use themselves. */
const reserved = new Set(
  (
    "abstract any arguments as async await boolean break case catch class config const constructor continue " +
    "debugger declare default delete do else enum eval export extends false finally for from function get " +
    "globalThis if implements import in infer infinity instanceof interface is keyof let module namespace nan " +
    "never new null number object of package private protected public readonly require return set static " +
    "string super switch symbol this throw true try type typeof undefined unique unknown var void weights while " +
    "with yield pulumi exports process console notreturned"
  ).split(" "),
);

/** `officeNetwork` for `office-network`; undefined if it would not be a valid variable. */
export function variableOf(name: string): string | undefined {
  const variable = camel(name);
  if (!/^[a-z]/.test(variable) || reserved.has(variable.toLowerCase())) return undefined;
  return variable;
}

/** Variables for resources by their names, distinct in the whole program. */
export function variables(
  resources: readonly { readonly id: string; readonly type: string; readonly name: string }[],
  inUse: ReadonlySet<string>,
): string[] {
  const short = resources.map(({ name }) => variableOf(name));
  const isFree = freeIn(short, inUse);
  const wanted = resources.map(({ id, type, name }, i) => {
    const variable = short[i];
    if (variable !== undefined && isFree(variable)) return { id, name: variable };
    const words = camel(name);
    const typeFirst = type[0]!.toLowerCase() + type.slice(1) + capitalized(words);
    return { id, name: /^[a-z]/.test(words) ? words + type : typeFirst };
  });
  return distinct(wanted, inUse, "");
}

/** The letters and digits of a name in camel case. */
function camel(name: string): string {
  return name.replace(/[^A-Za-z0-9]+(.?)/g, (_, letter: string) => letter.toUpperCase());
}
