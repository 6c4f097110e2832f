/** Objects that become one set: the rules of a policy with many of them. */
import type { AccountObject } from "../../inventory/account-contents";
import { accountObject } from "../../inventory/account-contents";
import { entryKey, parentOf, setClasses } from "../../inventory/managed";
import { declarations } from "../../resources/registry";
import type { Declaration } from "../../schema/declaration";
import { compareNumbered } from "../../text/compare-texts";

/** Above this number of rules a policy's rules become one set: a resource for each would slow down every deployment. */
const mostSingles = 20;

/**
 * Puts the objects that become sets into them: those of a parent with many of them, none of which the stack manages. The
 * function does the same with a later reading, however many they are then.
 */
export function setMaker(
  objects: readonly AccountObject[],
  isManaged: (object: AccountObject) => boolean,
  isChosen: (type: string) => boolean,
): (objects: readonly AccountObject[]) => AccountObject[] {
  const found = new Set<string>();
  withSets(objects, ({ type }, parent, entries) => {
    const isSet = isChosen(type) && entries.length > mostSingles && !entries.some(isManaged);
    if (isSet) found.add(`${type} ${parent}`);
    return isSet;
  });
  return (some) => withSets(some, ({ type }, parent) => found.has(`${type} ${parent}`));
}

/** The chosen classes, and those of the objects that a chosen set consists of. */
export function withEntries(isChosen: (type: string) => boolean): (type: string) => boolean {
  const entries = declarations.filter(({ type }) => isChosen(type)).map(({ setOf }) => setOf?.type);
  return (type) => isChosen(type) || entries.includes(type);
}

type IsSet = (set: Declaration, parent: string, entries: readonly AccountObject[]) => boolean;

/** The objects, those of one parent as one set where `isSet` says so. */
export function withSets(objects: readonly AccountObject[], isSet: IsSet): AccountObject[] {
  return setClasses.reduce((rest, set) => withSetsOf(set, rest, isSet), [...objects]);
}

function withSetsOf(set: Declaration, objects: readonly AccountObject[], isSet: IsSet): AccountObject[] {
  const ofSet = objects.filter(({ declaration }) => declaration === set.setOf);
  const sets = [...Map.groupBy(ofSet, parentOf)].filter(
    (group): group is [string, AccountObject[]] => group[0] !== undefined && isSet(set, group[0], group[1]),
  );
  const inSet = new Set(sets.flatMap(([, entries]) => entries));
  return [
    ...objects.filter((object) => !inSet.has(object)),
    ...sets.map(([id, entries]): AccountObject => {
      // A list has the newest first; a set is read by people, who look for a range.
      const answers = entries
        .map((entry): [string, unknown] => [entryKey(entry), entry.answer])
        .sort(([a], [b]) => compareNumbered(a, b));
      return accountObject(set, id, { rules: Object.fromEntries(answers) });
    }),
  ];
}
