import type { Context } from "../rule";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";

/** A resource that exists before and after the deployment. */
export interface Pair {
  readonly old: InventoryObject;
  readonly next: InventoryObject;
}

/** The resources of some types that exist before and after the deployment. */
export function* pairs({ before, after }: Context, ...types: string[]): Generator<Pair> {
  for (const old of before.ofType(...types)) {
    const next = after.all.get(keyOf(old));
    if (next) yield { old, next };
  }
}

/** The members of a list; undefined if the value is not a list or not known. */
export function knownList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}
