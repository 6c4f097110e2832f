/** What a rule looks at, one thing after another: objects, objects before and after the deployment, or steps. */
import { pairedByPlace } from "../../access/served";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import { oncePer } from "../../../schema/once-per";
import type { ResourceChange } from "../../inventory/world";
import type { ChangeRule, Context, Found, StateRule } from "../rule";

/** A message about what a rule looks at, or the finding about it; undefined where there is none. */
type Message = string | (Omit<Found, "on"> & Partial<Pick<Found, "on">>) | undefined | false;

/** A finding about the deployment as a whole. */
export const deployment: Found["on"] = { urn: undefined, name: "", declaration: { type: "" } };

const nothing: readonly Found[] = [];

function findings(on: Found["on"], said: Message | readonly Message[]): readonly Found[] {
  // Of most resources of a large stack most rules say nothing.
  if (!said) return nothing;
  const all = Array.isArray(said) ? (said as readonly Message[]) : [said as Message];
  return all.flatMap((each) => {
    if (!each) return nothing;
    return typeof each === "string" ? { on, message: each } : { on, ...each };
  });
}

/** Looks at each object of some types. */
export function objects(
  types: readonly string[] | "of all types",
  say: (on: InventoryObject, ...of: Parameters<StateRule["states"]>) => Message | readonly Message[],
): StateRule["states"] {
  return (inventory, context) => {
    const all = types === "of all types" ? [...inventory.all.values()] : inventory.ofType(...types);
    return all.flatMap((on) => findings(on, say(on, inventory, context)));
  };
}

/** Looks at what is at one place before and after the deployment. What is found is about the latter. */
export function pairs(
  types: readonly string[],
  say: (old: InventoryObject, next: InventoryObject, context: Context) => Message,
): ChangeRule["changes"] {
  return (context) =>
    pairsOf(context, types).flatMap(({ old, next }) => findings(next, say(old, next, context)));
}

/** Looks at each resource and what happens to it. */
export function subjects(
  say: (subject: ResourceChange, context: Context) => Message | readonly Message[],
): ChangeRule["changes"] {
  return (context) =>
    [...context.resources.values()].flatMap((subject) => findings(subject, say(subject, context)));
}

/** What is at one place before and after the deployment, under one name or another. */
export interface Pair {
  readonly old: InventoryObject;
  readonly next: InventoryObject;
}

/** The resources of some types that exist before and after the deployment, by their places. */
export function pairsOf({ before, after }: Context, types: readonly string[]): Pair[] {
  const all = pairedByPlace(before.ofType(...types), after.ofType(...types));
  return all.flatMap(([old, next]) => (old && next ? [{ old, next }] : []));
}

/** What the deployment creates at places where nothing was before, under any name. */
export const newObjects = oncePer(
  ({ before, after, resources }: Context): ReadonlySet<InventoryObject> =>
    new Set(
      pairedByPlace([...before.all.values()], [...after.all.values()]).flatMap(([old, next]) =>
        !old && next && resources.get(keyOf(next))?.action === "create" ? [next] : [],
      ),
    ),
);
