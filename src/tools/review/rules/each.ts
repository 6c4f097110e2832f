/** Rules as functions of one thing: an object, an object before and after the deployment, or a resource that changes. */
import { isPair, pairedByPlace } from "../../access/served";
import type { Pair } from "../../access/served";
import { keyOf } from "../../inventory/inventory";
import type { Inventory, InventoryObject } from "../../inventory/inventory";
import { oncePer } from "../../../schema/once-per";
import { counted } from "../../../schema/text/phrase";
import type { ResourceChange } from "../../inventory/read-preview";
import type { ChangeRule, Context, Find, StateRule } from "../rule";
import type { Finding, Severity } from "../../output/finding";
import type { Flaw } from "../../access/open-gates";

/** What a rule says of what it checks; nothing if it finds nothing. */
type Message = string | (Flaw & { readonly severity?: Severity }) | undefined | false;

/** The subject of a finding about the deployment as a whole. */
export const deployment = { urn: undefined, name: "", declaration: { type: "" } };

/** The finding that a rule cannot check something, because the preview leaves out unchanged resources. */
export function notChecked(find: Find, what: string, { unseen }: Context): Finding {
  const reason = `the preview leaves out ${counted(unseen, "unchanged resource")}`;
  return find(deployment, `${what} cannot be checked, because ${reason}; run it with --show-sames`);
}

const nothing: readonly Finding[] = [];

function findings(
  find: Find,
  on: InventoryObject | ResourceChange,
  found: Message | readonly Message[],
): readonly Finding[] {
  // In a large stack, most rules find nothing about most resources.
  if (!found) return nothing;
  return [found].flat().flatMap((each) => {
    if (!each) return nothing;
    return typeof each === "string" ? find(on, each) : find(on, each.message, each);
  });
}

/** Checks each object of some types. */
export function objects(
  types: readonly string[] | "of all types",
  check: (on: InventoryObject, inventory: Inventory, context: Context) => Message | readonly Message[],
): StateRule["states"] {
  return (find, inventory, context) => {
    const all = types === "of all types" ? [...inventory.all.values()] : inventory.ofType(...types);
    return all.flatMap((on) => findings(find, on, check(on, inventory, context)));
  };
}

/** Checks the objects at one place before and after the deployment. The finding is about the second one. */
export function pairs(
  types: readonly string[],
  check: (old: InventoryObject, next: InventoryObject, context: Context) => Message,
): ChangeRule["changes"] {
  return (find, context) =>
    pairsOf(context, types).flatMap(({ old, next }) => findings(find, next, check(old, next, context)));
}

/** Checks each resource with what happens to it. */
export function subjects(
  check: (subject: ResourceChange, context: Context) => Message | readonly Message[],
): ChangeRule["changes"] {
  return (find, context) =>
    [...context.resources.values()].flatMap((subject) => findings(find, subject, check(subject, context)));
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
