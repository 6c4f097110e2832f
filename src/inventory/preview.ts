/** The objects before and after a deployment, from its preview. */
import type { Json } from "../schema/json";
import type { Declaration } from "../schema/declaration";
import { defaultOf } from "../schema/field";
import { haveLocal, localPart, withLocal } from "../schema/local";
import { mapValues } from "../schema/unknown";
import { unknown } from "../schema/unknown";
import { managedArguments, recordedState } from "../schema/recorded-state";
import { namesIn, valuesIn } from "../provider/path";
import { hiddenAsUnknown } from "../stack/secrets";
import type { Preview, Subject } from "../stack/preview";
import type { State } from "../stack/state";
import { Inventory, keyOf } from "./inventory";
import type { InventoryObject } from "./inventory";
import { ProviderAccounts } from "./provider-accounts";

export interface Inventories {
  readonly before: Inventory;
  /** The state that the deployment leads to. What it creates has no id yet. */
  readonly after: Inventory;
  /** What the stack no longer has after the deployment and the account keeps. */
  readonly kept: readonly Kept[];
}

/** An object that the engine drops from the stack and does not delete. */
interface Kept {
  readonly old: InventoryObject;
  /** The resource option that keeps it. */
  readonly by: "retainOnDelete" | "deletedWith";
}

/** The part of a preview that says what there is before and after it. */
export type Planned = Pick<Preview, "subjects" | "steps" | "mismatches" | "providers" | "stackUrl">;

export function inventoriesOf(preview: Planned): Inventories {
  const { subjects, steps, mismatches } = preview;
  const before = new Inventory(
    subjects.flatMap((subject) => objectBefore(subject) ?? []),
    undefined,
    mismatches.before,
    accountsIn(preview, "before"),
  );
  const kept = keptObjects(before, steps);
  const planned = subjects.flatMap((subject) => objectAfter(subject) ?? []);
  const urns = new Set(planned.map(({ urn }) => urn));
  const after = new Inventory(
    // Beside a new object of its URN, an old one is known by its id.
    [...planned, ...kept.map(({ old }) => (urns.has(old.urn) ? { ...old, urn: undefined } : old))],
    // What is deleted, or replaced by an object with another id.
    (id, provider) => before.byId(id, provider) !== undefined,
    mismatches.after,
    accountsIn(preview, "after"),
  );
  return { before, after, kept };
}

function accountsIn({ providers, stackUrl }: Planned, time: "before" | "after"): ProviderAccounts {
  return new ProviderAccounts(
    new Map([[undefined, stackUrl], ...providers.map((each) => [each.urn, each[time]] as const)]),
  );
}

function keptObjects(before: Inventory, steps: Planned["steps"]): Kept[] {
  const left = new Set(
    steps.flatMap(({ urn, action }) => (action === "delete" || action === "replace" ? [urn] : [])),
  );
  const known = new Map<string, Kept["by"] | undefined>();
  const keptBy = (urn: string): Kept["by"] | undefined => {
    if (known.has(urn)) return known.get(urn);
    known.set(urn, undefined); // a circle keeps nothing
    const old = before.all.get(urn);
    const owner = old?.state?.deletedWith;
    const isKept =
      owner !== undefined && left.has(owner) && !(isPartOf(before, old!, owner) && !keptBy(owner));
    const by =
      !old || !left.has(urn)
        ? undefined
        : old.state?.retainOnDelete
          ? "retainOnDelete"
          : isKept
            ? "deletedWith"
            : undefined;
    known.set(urn, by);
    return by;
  };
  return [...before.all].flatMap(([urn, old]) => {
    const by = keptBy(urn);
    return by ? [{ old, by }] : [];
  });
}

/** Whether the service deletes an object together with another one, of which it is a part. */
function isPartOf(inventory: Inventory, part: InventoryObject, owner: string): boolean {
  const { parentId, entries, path } = part.declaration;
  const names = [parentId, entries?.of.parentId, ...namesIn(path)];
  return inventory
    .references(part)
    .some(({ argument, to }) => names.includes(argument) && to !== undefined && keyOf(to) === owner);
}

function objectBefore({ before, ...subject }: Subject): InventoryObject | undefined {
  return before && asRecorded(currentObject(subject, before), before);
}

/**
 * What guards an object that the program only reads is not the program's: what the stack has not recorded of it is not
 * known. A preview shows none of it.
 */
function asRecorded(object: InventoryObject, recorded: State | undefined): InventoryObject {
  const { declaration, state } = object;
  if (!state?.external || !declaration.gates) return object;
  const known: Json = {
    ...(recorded && recorded.id === state.id ? recorded.outputs : {}),
    ...valuesIn(declaration.path, state.id ?? ""),
  };
  const outputs = mapValues(declaration.fields, (_, name) => known[name] ?? unknown);
  return { ...object, outputs: hiddenAsUnknown(declaration, outputs) };
}

type Identity = Pick<Subject, "urn" | "name" | "declaration">;

/** The object that a state of the stack describes. */
export function currentObject(identity: Identity, state: State): InventoryObject {
  return objectIn(identity, state, state.id, currentValues(identity.declaration, state));
}

function objectAfter(subject: Subject): InventoryObject | undefined {
  const { after, before, action } = subject;
  const id = action === "create" || action === "replace" ? undefined : (before?.id ?? after?.id);
  return after && asRecorded(objectIn(subject, after, id, valuesAfter(subject, after)), before);
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

/** The outputs, with the arguments that the service does not return, and with what it never gets. */
function currentValues({ fields }: Declaration, { inputs, outputs }: State): Json {
  const isReturned = Object.keys(inputs).every((name) => name in outputs);
  const values = isReturned ? outputs : { ...inputs, ...outputs };
  return haveLocal(fields) ? withLocal(fields, values, localPart(fields, inputs)) : values;
}

function valuesAfter({ before, action, declaration }: Subject, { inputs }: State): Json {
  const stays = action === "update" || action === "same" ? before : undefined;
  const managed = new Set(stays ? managedArguments(recordedState(declaration, stays.outputs)) : []);
  const restored = Object.entries(declaration.fields).map(([name, field]): [string, unknown] => {
    const given = inputs[name];
    if (given !== undefined) return [name, given];
    // The value of an argument without a known default stays when the program no longer gives it.
    const isKept = !managed.has(name) || (!declaration.whole && field.traits.serverDefault?.known === false);
    return [name, stays && isKept ? stays.outputs[name] : defaultOf(field)];
  });
  return Object.fromEntries(restored);
}
