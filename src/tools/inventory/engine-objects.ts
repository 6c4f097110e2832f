/** The objects that states of the engine describe. */
import { valuesIn } from "../../provider/http/path";
import type { Declaration } from "../../schema/declaration";
import { defaultOf } from "../../schema/field";
import type { Json } from "../../schema/json";
import { haveLocal, localPart, withLocal } from "../../schema/local";
import { managedArguments, recordedState } from "../../schema/recorded-state";
import { mapValues, unknown } from "../../schema/unknown";
import type { Action } from "../stack/preview";
import { hiddenAsUnknown } from "../stack/engine-secrets";
import type { EngineRecord, EngineState } from "../stack/state";
import type { InventoryObject } from "./inventory";

/** An object that a stack manages or reads. */
export interface EngineObject extends InventoryObject {
  readonly urn: string;
  readonly record: EngineRecord;
}

type ResourceIdentity = Pick<EngineObject, "urn" | "name" | "declaration">;

/** The object that a state of a stack describes. */
export function objectOf(identity: ResourceIdentity, state: EngineState): EngineObject {
  return objectWith(identity, state, state.id, recordedValues(identity.declaration, state));
}

/** The object before a deployment. */
export function objectBefore(identity: ResourceIdentity, state: EngineState): EngineObject {
  return asRecorded(objectOf(identity, state), state, state);
}

/** The object that a deployment leads to. */
export function objectAfter(
  identity: ResourceIdentity,
  after: EngineState,
  action: Action,
  before: EngineState | undefined,
): EngineObject {
  const id = action === "create" || action === "replace" ? undefined : (before?.id ?? after.id);
  const stays = action === "update" || action === "same" ? before : undefined;
  // The deployment does not change an object that the program only reads.
  const values =
    before && after.external && before.id === after.id
      ? recordedValues(identity.declaration, before)
      : plannedValues(identity.declaration, after.inputs, stays);
  return asRecorded(objectWith(identity, after, id, values), after, before);
}

/**
 * The program does not manage the guards of an object that it only reads, and a preview does not show them. So the values
 * that the stack has not recorded are unknown.
 */
function asRecorded(
  object: EngineObject,
  { external, id }: EngineState,
  recorded: EngineState | undefined,
): EngineObject {
  const { declaration } = object;
  if (!external || !declaration.gates) return object;
  const known: Json = {
    ...(recorded && recorded.id === id ? recorded.outputs : {}),
    ...valuesIn(declaration.path, id ?? ""),
  };
  const outputs = mapValues(declaration.fields, (_, name) => known[name] ?? unknown);
  return { ...object, outputs: hiddenAsUnknown(declaration, outputs) };
}

/** The object with these values. */
export function objectWith(
  { urn, name, declaration }: ResourceIdentity,
  state: EngineRecord & Pick<EngineState, "provider" | "inputs">,
  id: string | undefined,
  outputs: Json,
): EngineObject {
  const { provider, inputs: args } = state;
  return {
    ...{ declaration, id, urn, provider, name, args, record: state },
    outputs: hiddenAsUnknown(declaration, outputs),
  };
}

/** The outputs, with the arguments that the service does not return and the values that it never gets. */
function recordedValues({ fields }: Declaration, { inputs, outputs }: EngineState): Json {
  const isReturned = Object.keys(inputs).every((name) => name in outputs);
  const values = isReturned ? outputs : { ...inputs, ...outputs };
  return haveLocal(fields) ? withLocal(fields, values, localPart(fields, inputs)) : values;
}

/** The arguments, with the values that the service keeps for arguments that the program does not give. */
function plannedValues(declaration: Declaration, args: Json, stays: EngineState | undefined): Json {
  const managed = new Set(stays ? managedArguments(recordedState(stays.outputs)) : []);
  const values = Object.entries(declaration.fields).map(([name, field]): [string, unknown] => {
    const given = args[name];
    if (given !== undefined) return [name, given];
    // The value of an argument without a known default stays when the program no longer gives it.
    const isKept = !managed.has(name) || (!declaration.whole && field.traits.serverDefault?.known === false);
    return [name, stays && isKept ? stays.outputs[name] : defaultOf(field)];
  });
  return Object.fromEntries(values);
}
