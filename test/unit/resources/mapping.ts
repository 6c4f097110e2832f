/** The life of an object without a service: what is sent, and what an answer makes of the state. */
import { checkArguments, sentence } from "../../../src/schema/validate";
import type { Declaration } from "../../../src/schema/declaration";
import type { UpdateSettings } from "../../../src/schema/field";
import type { Json } from "../../../src/schema/json";
import { setPaths } from "../../../src/schema/walk";
import { changedArguments, compare } from "../../../src/provider/life-cycle/changes";
import { outputsOf } from "../../../src/provider/life-cycle/answers";
import { recordedState } from "../../../src/schema/recorded-state";
import { toWire } from "../../../src/provider/wire";

const strict: UpdateSettings = { patchUndocumented: false };

/** What is wrong with the arguments, as a user reads it. */
export function problems(declaration: Declaration, args: Json): string[] {
  return checkArguments(declaration.fields, declaration.rules, args, {}).map(sentence);
}

/** The body of the create. */
export function created(declaration: Declaration, args: Json): Json {
  return toWire(declaration.fields, args);
}

/** The state after a create with the arguments was answered so. */
export function stateOf(declaration: Declaration, args: Json, answer: Json): Json {
  return { ...outputsOf(declaration, answer, args), __args: setPaths(declaration.fields, args) };
}

/** The state after a refresh was answered so. */
export function refreshed(declaration: Declaration, state: Json, answer: Json): Json {
  return { ...outputsOf(declaration, answer, state), __args: state.__args };
}

/** The paths that differ between state and arguments, those that replace with a "!" behind. */
export function changes(
  declaration: Declaration,
  state: Json,
  args: Json,
  settings: Partial<UpdateSettings> = {},
): string[] {
  const found = compare(declaration, recordedState(state), { args }, { ...strict, ...settings }).changes;
  return found
    .filter((change) => !change.recordedOnly)
    .map(({ path, replaces }) => path + (replaces ? "!" : ""));
}

/** The body of the update from the state to the arguments. */
export function updated(
  declaration: Declaration,
  state: Json,
  args: Json,
  settings: Partial<UpdateSettings> = {},
): Json {
  const both = { ...strict, ...settings };
  const found = compare(declaration, recordedState(state), { args }, both).changes;
  return toWire(declaration.fields, changedArguments(declaration, found, args, both));
}
