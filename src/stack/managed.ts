/** Whether a stack manages an object of the account, as a resource of its own or as an entry of a set. */
import type { AccountObject } from "../account/contents";
import { entryKey, parentOf } from "../account/entry-sets";
import { declarations } from "../resources/registry";
import { keyOf } from "../schema/entry-set";
import type { StackContents } from "./state";

/** The objects that the stack manages; none without a stack. */
export function managedBy(stack: StackContents | undefined): (object: AccountObject) => boolean {
  const ids = new Set(stack?.managed.map(({ type, id }) => `${type} ${id}`));
  const sets = declarations.filter(({ entries }) => entries !== undefined);
  const keys = new Map(
    sets.flatMap((set) =>
      (stack?.managed ?? [])
        .filter(({ type }) => type === set.type)
        .map(({ id, entries }): [string, ReadonlySet<string> | undefined] => [
          `${set.type} ${id}`,
          entries && new Set(entries.map((key) => keyOf(set, set.entries!, key))),
        ]),
    ),
  );
  return (object) => {
    if (ids.has(`${object.declaration.type} ${object.id}`)) return true;
    const parent = parentOf(object);
    return sets.some((set) => {
      const place = `${set.type} ${parent}`;
      if (set.entries!.of.type !== object.declaration.type || !keys.has(place)) return false;
      return keys.get(place)?.has(entryKey(set, object)) ?? true; // an exclusive set manages all
    });
  };
}
