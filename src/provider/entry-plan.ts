/** What has to be done so that a parent's objects are the entries of a set: decided here, carried out by the client. */
import type { Declaration, EntrySet } from "../schema/declaration";
import { defaultOf, wireName } from "../schema/field";
import { entryArguments, keyOf } from "../schema/entry-set";
import { isRecord, setPaths } from "../schema/unknown";
import type { Settings } from "../settings";
import { changedArguments, compare } from "./changes";
import type { Json } from "../schema/json";
import { outputsOf } from "./state";

/** One entry that the set wants. */
export interface Wish {
  /** The entry's key in canonical spelling. */
  readonly key: string;
  /** The arguments of its object, with defaults in the place of what the entry leaves out. */
  readonly args: Json;
}

export interface Plan {
  /** Entries without an object. */
  readonly create: readonly Wish[];
  /** Entries whose object cannot become what they want: it is deleted first, because a key can exist only once. */
  readonly replace: readonly { readonly wish: Wish; readonly object: Json }[];
  readonly update: readonly { readonly wish: Wish; readonly object: Json; readonly changed: Json }[];
  /** Objects that are no entry. */
  readonly remove: readonly Json[];
}

/** The entries that the arguments of a set want, by canonical key. */
export function wishesOf(declaration: Declaration, set: EntrySet, args: Json): Map<string, Wish> {
  const entries = args[set.entries];
  const wishes = Object.entries(isRecord(entries) ? entries : {}).map(([spelling, value]): [string, Wish] => {
    const key = keyOf(declaration, set, spelling);
    return [key, { key, args: entryArguments(declaration, set, args, key, value) }];
  });
  return new Map(wishes);
}

/**
 * @param held the objects of the parent.
 * @param removable whether an object that is no entry is to be removed.
 */
export function planOf(
  declaration: Declaration,
  set: EntrySet,
  wishes: ReadonlyMap<string, Wish>,
  held: readonly Json[],
  removable: (key: string) => boolean,
  settings: Settings,
): Plan {
  const byKey = groupByKey(declaration, set, held);
  const holds = literalMatch(set);
  const plan = {
    create: [] as Wish[],
    replace: [] as Plan["replace"][number][],
    update: [] as Plan["update"][number][],
    remove: [] as Json[],
  };
  for (const wish of wishes.values()) {
    const [object, ...others] = bestFirst(set.of, byKey.get(wish.key) ?? [], wish, settings);
    if (object === undefined) {
      plan.create.push(wish);
      continue;
    }
    const changes = holds(object, wish) ? [] : differences(set.of, object, wish, settings).changes;
    if (changes.some(({ replaces }) => replaces)) plan.replace.push({ wish, object });
    else if (changes.length > 0) {
      plan.update.push({ wish, object, changed: changedArguments(set.of, changes, wish.args, settings) });
    }
    // The service may hold a key more than once; only one of the objects is the entry.
    if (removable(wish.key)) plan.remove.push(...others);
  }
  for (const [key, objects] of byKey) {
    if (!wishes.has(key) && removable(key)) plan.remove.push(...objects);
  }
  return plan;
}

/**
 * Whether an object is literally what a wish says. It is so for most objects of a large set, and costs much less than
 * finding the differences.
 */
function literalMatch({ of }: EntrySet): (object: Json, wish: Wish) => boolean {
  const members = Object.entries(of.fields)
    .filter(([name, { presence }]) => presence !== "computed" && name !== of.parentId)
    .map(([name, field]) => ({ name, wire: wireName(name, field), restored: defaultOf(field) }));
  return (object, { args }) =>
    members.every(
      ({ name, wire, restored }) =>
        typeof args[name] === "string" && (object[wire] ?? restored) === args[name],
    );
}

/** The objects by canonical key. */
export function groupByKey(
  declaration: Declaration,
  set: EntrySet,
  objects: readonly Json[],
): Map<string, Json[]> {
  const member = wireName(set.key, set.of.fields[set.key]!);
  return Map.groupBy(objects, (object) => keyOf(declaration, set, String(object[member])));
}

function bestFirst(
  of: Declaration,
  objects: readonly Json[],
  wish: Wish,
  settings: Settings,
): readonly Json[] {
  if (objects.length < 2) return objects;
  const effort = (object: Json): number => {
    const { changes } = differences(of, object, wish, settings);
    return changes.some(({ replaces }) => replaces) ? Infinity : changes.length;
  };
  return [...objects].sort((a, b) => Math.min(effort(a), 1e6) - Math.min(effort(b), 1e6));
}

function differences(
  of: Declaration,
  object: Json,
  wish: Wish,
  settings: Settings,
): ReturnType<typeof compare> {
  const outputs = outputsOf(of, object, {}, setPaths(of.fields, wish.args));
  return compare(of, outputs, wish.args, settings);
}
