/**
 * Objects that an import has found. Their arguments are what the account shows, and not what a program gives. Until the first
 * update, the inputs of the last deployment say what the program gives; a native provider gets them.
 */
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { localPart } from "../../schema/local";
import { adoptedState, argumentsIn } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { notReturned } from "../../schema/secrets";
import { valueAt } from "../../schema/unknown";
import type { Arguments, Inputs, Outputs } from "../../schema/values";
import { fieldAt, setPaths } from "../../schema/walk";
import { asSent } from "./accepted";
import { localIn } from "./arguments";

/**
 * The state of an object that an import has found.
 * @param separate the arguments whose items may be resources of their own.
 */
export function importedState(
  declaration: Declaration,
  args: Arguments,
  outputs: Outputs,
  separate: readonly string[],
): RecordedState {
  const { fields } = declaration;
  const isFilledIn = (path: string): boolean =>
    separate.includes(path) || fieldAt(fields, path.split("."))?.traits.serverDefault?.known === false;
  return {
    ...adoptedState(declaration, args, outputs),
    filledIn: setPaths(fields, args).filter(isFilledIn),
  };
}

/**
 * The state as a diff and an update see it. What the service may have filled in is an argument only where the program gives
 * it. Of what no answer shows, the values of the last deployment are known, and those of the first one are taken as they are.
 */
export function asDeployed(
  declaration: Declaration,
  state: RecordedState,
  inputs: Inputs,
  oldInputs: Inputs | undefined,
): RecordedState {
  const { filledIn, outputs } = state;
  if (filledIn === undefined || oldInputs === undefined) return state;
  const { fields } = declaration;
  const [before, args] = [argumentsIn(oldInputs), argumentsIn(inputs)];
  const given = setPaths(fields, args);
  const removed = setPaths(fields, before).filter(
    (path) => !given.includes(path) && !filledIn.includes(path),
  );
  const known = given.filter(isUnseen).map((path) => {
    const old = valueAt(before, path);
    return { at: path.split("."), sent: isReal(old) ? old : valueAt(args, path) };
  });
  const [localBefore, local] = [localPart(fields, before), localIn(declaration, inputs)];
  const knownLocal = Object.keys(localBefore).length > 0 ? localBefore : local && takenLocal(local);
  return {
    ...state,
    outputs: asSent(outputs, known),
    managed: [...given, ...removed],
    ...(knownLocal && { local: knownLocal }),
  };

  /** Leaves out what only a new object can have, such as a sealed token. */
  function takenLocal(values: Json): Json {
    return Object.fromEntries(Object.entries(values).filter(([name]) => !fields[name]?.traits.replace));
  }

  function isUnseen(path: string): boolean {
    const { secret, writeOnly } = fieldAt(fields, path.split("."))!.traits;
    return (secret === true || writeOnly === true) && !isReal(valueAt(outputs, path));
  }
}

function isReal(value: unknown): boolean {
  return value !== undefined && value !== notReturned;
}
