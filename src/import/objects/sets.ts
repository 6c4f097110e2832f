/** Objects that become one set: the rules of a policy with many of them. */
import type { AccountObject } from "../../inventory/account";
import { withSets } from "../../inventory/entry-sets";
import { declarations } from "../../resources/registry";

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
  const entries = declarations.filter(({ type }) => isChosen(type)).map(({ entries }) => entries?.of.type);
  return (type) => isChosen(type) || entries.includes(type);
}
