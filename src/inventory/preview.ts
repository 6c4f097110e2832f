/** The objects before and after a deployment, from its preview. */
import type { Json } from "../schema/json";
import { defaultOf } from "../schema/field";
import { setArgumentsOf } from "../provider/life-cycle/changes";
import { hiddenAsUnknown } from "../stack/secrets";
import type { Preview, State, Subject } from "../stack/preview";
import { Inventory } from "./inventory";
import type { InventoryObject } from "./inventory";

export interface Inventories {
  readonly before: Inventory;
  /** The state that the deployment leads to. What it creates has no id yet. */
  readonly after: Inventory;
}

export function inventoriesOf({ subjects }: Pick<Preview, "subjects">): Inventories {
  const before = new Inventory(subjects.flatMap((subject) => objectBefore(subject) ?? []));
  const after = new Inventory(
    subjects.flatMap((subject) => objectAfter(subject) ?? []),
    // What is deleted, or replaced by an object with another id.
    (id, provider) => before.byId(id, provider) !== undefined,
  );
  return { before, after };
}

function objectBefore({ before, ...subject }: Subject): InventoryObject | undefined {
  return before && currentObject(subject, before);
}

type Identity = Pick<Subject, "urn" | "name" | "declaration">;

/** The object that a state of the stack describes. */
export function currentObject(identity: Identity, state: State): InventoryObject {
  return objectIn(identity, state, state.id, currentValues(state));
}

function objectAfter(subject: Subject): InventoryObject | undefined {
  const { after, before, action } = subject;
  const id = action === "create" || action === "replace" ? undefined : (before?.id ?? after?.id);
  return after && objectIn(subject, after, id, valuesAfter(subject, after));
}

function objectIn(
  { urn, name, declaration }: Identity,
  state: State,
  id: string | undefined,
  outputs: Json,
): InventoryObject {
  const { provider, inputs: args } = state;
  return {
    declaration,
    id,
    urn,
    provider,
    name,
    args,
    outputs: hiddenAsUnknown(declaration, outputs),
    state,
  };
}

/** The outputs, with the arguments that the service does not return. */
function currentValues({ inputs, outputs }: State): Json {
  const isReturned = Object.keys(inputs).every((name) => name in outputs);
  return isReturned ? outputs : { ...inputs, ...outputs };
}

function valuesAfter({ before, action, declaration }: Subject, { inputs }: State): Json {
  const stays = action === "update" || action === "same" ? before : undefined;
  const managed = new Set(setArgumentsOf(stays?.outputs ?? {}));
  const restored = Object.entries(declaration.fields).map(([name, field]): [string, unknown] => {
    const given = inputs[name];
    if (given !== undefined) return [name, given];
    // The value of an argument without a known default stays when the program no longer gives it.
    const isKept = !managed.has(name) || (!declaration.whole && field.traits.serverDefault?.known === false);
    return [name, stays && isKept ? stays.outputs[name] : defaultOf(field)];
  });
  return Object.fromEntries(restored);
}
