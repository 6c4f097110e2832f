/** Objects of an account with a common parent as the set that manages them. */
import { declarations } from "../resources/registry";
import type { Declaration } from "../schema/declaration";
import { entryKeyOf } from "../schema/entry-set";
import { wireName } from "../schema/field";
import { asText } from "../schema/unknown";
import { compareNumbered } from "../text/order";
import { accountObject } from "./account";
import type { AccountObject } from "./account";
import type { InventoryObject } from "./inventory";

/** The id of the parent of an object that a set may manage; undefined where it has none. */
export function parentOf({ declaration, outputs }: InventoryObject): string | undefined {
  return asText(outputs[declaration.parentId ?? ""]);
}

/** The key that the object has in a set, in canonical spelling. */
export function entryKey(set: Declaration, { outputs }: InventoryObject): string {
  return entryKeyOf(set, set.entries!, String(outputs[set.entries!.key]));
}

/** What an entry of a set says, such as "203.0.113.0/24 allow"; undefined for any other object. */
export function entryText({ declaration, outputs }: InventoryObject): string | undefined {
  const set = setClasses.find(({ entries }) => entries!.of === declaration)?.entries;
  if (set === undefined) return undefined;
  return [set.key, set.precedence.argument].map((name) => asText(outputs[name]) ?? "?").join(" ");
}

/** The classes of sets. */
export const setClasses = declarations.filter(({ entries }) => entries !== undefined);

type IsSet = (set: Declaration, parent: string, entries: readonly AccountObject[]) => boolean;

/** The objects, those of one parent as one set where `isSet` says so. */
export function withSets(objects: readonly AccountObject[], isSet: IsSet): AccountObject[] {
  return setClasses.reduce((rest, set) => withSetsOf(set, rest, isSet), [...objects]);
}

function withSetsOf(set: Declaration, objects: readonly AccountObject[], isSet: IsSet): AccountObject[] {
  const ofSet = objects.filter(({ declaration }) => declaration === set.entries!.of);
  const sets = [...Map.groupBy(ofSet, parentOf)].filter(
    (group): group is [string, AccountObject[]] => group[0] !== undefined && isSet(set, group[0], group[1]),
  );
  const inSet = new Set(sets.flatMap(([, entries]) => entries));
  return [
    ...objects.filter((object) => !inSet.has(object)),
    ...sets.map(([id, entries]): AccountObject => {
      const member = wireName(set.entries!.entries, set.fields[set.entries!.entries]!);
      // A list has the newest first; a set is read by people, who look for a range.
      const answers = entries
        .map((entry): [string, unknown] => [entryKey(set, entry), entry.answer])
        .sort(([a], [b]) => compareNumbered(a, b));
      return accountObject(set, id, { [member]: Object.fromEntries(answers) });
    }),
  ];
}
