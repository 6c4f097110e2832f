import type { Context } from "../rule";
import { pairedByPlace } from "../../access/served";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import { oncePer } from "../../once-per";

/** What is at one place before and after the deployment, under one name or another. */
export interface Pair {
  readonly old: InventoryObject;
  readonly next: InventoryObject;
}

/** The resources of some types that exist before and after the deployment, by their places. */
export function pairs({ before, after }: Context, ...types: string[]): Pair[] {
  const all = pairedByPlace(before.ofType(...types), after.ofType(...types));
  return all.flatMap(([old, next]) => (old && next ? [{ old, next }] : []));
}

/** What the deployment creates at places where nothing was before, under any name. */
export const newObjects = oncePer(
  ({ before, after, actions }: Context): ReadonlySet<InventoryObject> =>
    new Set(
      pairedByPlace([...before.all.values()], [...after.all.values()]).flatMap(([old, next]) =>
        !old && next && actions.get(keyOf(next)) === "create" ? [next] : [],
      ),
    ),
);

/** The members of a list; undefined if the value is not a list or not known. */
export function knownList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}
