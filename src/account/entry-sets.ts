/** Objects with a common parent as the set that manages them. */
import type { Declaration } from "../schema/declaration";
import { keyOf } from "../schema/entry-set";
import { wireName } from "../schema/field";
import { membersOf } from "../schema/unknown";
import type { AccountObject } from "./contents";

/** The id of the parent of an object that a set may manage; undefined where it has none. */
export function parentOf({ declaration: { parentId, fields }, answer }: AccountObject): string | undefined {
  if (parentId === undefined) return undefined;
  const { id } = membersOf(answer[fields[parentId]!.traits.ref!]);
  return typeof id === "string" ? id : undefined;
}

/** The key that the object has in a set, in canonical spelling. */
export function entryKey(set: Declaration, { declaration, answer }: AccountObject): string {
  const { key } = set.entries!;
  return keyOf(set, set.entries!, String(answer[wireName(key, declaration.fields[key]!)]));
}

type IsSet = (set: Declaration, parent: string, entries: readonly AccountObject[]) => boolean;

/** The objects, those of one parent as one set where `isSet` says so. */
export function withSets(
  objects: readonly AccountObject[],
  declarations: readonly Declaration[],
  isSet: IsSet,
): AccountObject[] {
  return declarations
    .filter(({ entries }) => entries !== undefined)
    .reduce((rest, set) => withSetsOf(set, rest, isSet), [...objects]);
}

function withSetsOf(set: Declaration, objects: readonly AccountObject[], isSet: IsSet): AccountObject[] {
  const ofSet = objects.filter(({ declaration }) => declaration.type === set.entries!.of.type);
  const sets = [...Map.groupBy(ofSet, parentOf)].filter(
    (group): group is [string, AccountObject[]] => group[0] !== undefined && isSet(set, group[0], group[1]),
  );
  const inSet = new Set(sets.flatMap(([, entries]) => entries));
  return [
    ...objects.filter((object) => !inSet.has(object)),
    ...sets.map(([id, entries]): AccountObject => {
      const member = wireName(set.entries!.entries, set.fields[set.entries!.entries]!);
      const answers = entries.map((entry): [string, unknown] => [entryKey(set, entry), entry.answer]);
      return { declaration: set, id, answer: { [member]: Object.fromEntries(answers) } };
    }),
  ];
}
