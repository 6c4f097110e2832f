/** Rules as functions of one thing: an object, an object before and after the deployment, or a resource that changes. */
import { isPair, pairedByPlace } from "../../access/served";
import type { Pair } from "../../access/served";
import { keyOf } from "../../inventory/inventory";
import type { InventoryObject } from "../../inventory/inventory";
import { oncePer } from "../../../schema/once-per";
import { counted } from "../../../schema/text/phrase";
import type { ResourceChange } from "../../inventory/read-preview";
import type { ChangeRule, Context, Found, StateRule } from "../rule";

/** What a rule finds: a message about what it checks, a finding, or nothing. */
type Message = string | (Omit<Found, "on"> & Partial<Pick<Found, "on">>) | undefined | false;

/** The subject of a finding about the deployment as a whole. */
export const deployment: Found["on"] = { urn: undefined, name: "", declaration: { type: "" } };

/** The finding that a rule cannot check something, because the preview leaves out unchanged resources. */
export function notChecked(what: string, { unseen }: Context): Found {
  const reason = `the preview leaves out ${counted(unseen, "unchanged resource")}`;
  return {
    on: deployment,
    message: `${what} cannot be checked, because ${reason}; run it with --show-sames`,
  };
}

const nothing: readonly Found[] = [];

function findings(on: Found["on"], found: Message | readonly Message[]): readonly Found[] {
  // In a large stack, most rules find nothing about most resources.
  if (!found) return nothing;
  return [found].flat().flatMap((each) => {
    if (!each) return nothing;
    return typeof each === "string" ? { on, message: each } : { on, ...each };
  });
}

/** Checks each object of some types. */
export function objects(
  types: readonly string[] | "of all types",
  check: (on: InventoryObject, ...of: Parameters<StateRule["states"]>) => Message | readonly Message[],
): StateRule["states"] {
  return (inventory, context) => {
    const all = types === "of all types" ? [...inventory.all.values()] : inventory.ofType(...types);
    return all.flatMap((on) => findings(on, check(on, inventory, context)));
  };
}

/** Checks the objects at one place before and after the deployment. The finding is about the second one. */
export function pairs(
  types: readonly string[],
  check: (old: InventoryObject, next: InventoryObject, context: Context) => Message,
): ChangeRule["changes"] {
  return (context) =>
    pairsOf(context, types).flatMap(({ old, next }) => findings(next, check(old, next, context)));
}

/** Checks each resource with what happens to it. */
export function subjects(
  check: (subject: ResourceChange, context: Context) => Message | readonly Message[],
): ChangeRule["changes"] {
  return (context) =>
    [...context.resources.values()].flatMap((subject) => findings(subject, check(subject, context)));
}

/** The resources of some types that exist before and after the deployment, by their places. */
export function pairsOf({ before, after }: Context, types: readonly string[]): Pair[] {
  return pairedByPlace(before.ofType(...types), after.ofType(...types)).filter(isPair);
}

/** The objects that the deployment creates at places where nothing was before, whatever its name was. */
export const newObjects = oncePer(
  ({ before, after, resources }: Context): ReadonlySet<InventoryObject> =>
    new Set(
      pairedByPlace([...before.all.values()], [...after.all.values()]).flatMap(({ old, next }) =>
        !old && next && resources.get(keyOf(next))?.action === "create" ? [next] : [],
      ),
    ),
);
