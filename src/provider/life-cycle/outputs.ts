/** The outputs that a state records: after a read, after a write, and without a request. */
import type { Declaration } from "../../schema/declaration";
import type { AnyField, Fields } from "../../schema/field";
import type { Json } from "../../schema/json";
import { localPart, withLocal } from "../../schema/local";
import { isRecord } from "../../schema/unknown";
import { setPaths } from "../../schema/walk";
import type { Settings } from "../../settings";
import { acceptedOf, acceptedValues, differencesAfter, stillAccepted, withValues } from "./accepted";
import {
  acceptedEntryValues,
  newlyAcceptedEntries,
  stillAcceptedEntries,
  withAcceptedEntries,
} from "./accepted-entries";
import { acceptedIn, compare, setArgumentsOf } from "./changes";
import { isConfigured } from "./configured";
import type { GatewayError, IncompleteError } from "../errors";
import { changedLocalKey, inputsOf, outputsOf, returnedOutputs, withUnanswered } from "./state";

/** The outputs that an answer to a read stands for. */
export function foundOutputs(
  declaration: Declaration,
  answer: Json,
  known: Json,
  setArguments: readonly string[],
): Json {
  const { fields } = declaration;
  const outputs = outputsOf(declaration, answer, known, setArguments);
  // A module without content may have been deleted: then what was required of it is gone too.
  const isThere = declaration.style !== "singleton" || isConfigured(declaration, answer);
  const found = isThere ? withUnanswered(fields, outputs, known) : outputs;
  return {
    ...found,
    ...(isRecord(known.__local) && { __local: localPart(fields, withLocal(fields, found, known.__local)) }),
    __accepted: stillAccepted(known, found),
    __acceptedEntries: stillAcceptedEntries(declaration, known, found),
  };
}

/** A write and what is known beside its answer. */
export interface Write {
  readonly args: Json;
  /** What the answer may leave out. */
  readonly known: Json;
  /** The outputs before an update; undefined for a create. */
  readonly before?: Json;
  /** A part of the write failed, so that what differs was perhaps not sent. */
  readonly incomplete?: IncompleteError;
}

/** What a state records of a write. */
export interface WriteRecord {
  readonly outputs: Json;
  /** Why the write failed though it was answered. */
  readonly problem?: GatewayError;
}

/**
 * The outputs after a write. Where the service did not take what it was sent, they say so.
 * @param answer undefined where the object is just what its arguments say.
 */
export function writtenOutputs(
  declaration: Declaration,
  answer: Json | undefined,
  { args, known, before, incomplete }: Write,
  settings: Settings,
): WriteRecord {
  if (answer === undefined) return { outputs: recordedOutputs(declaration, args, args) };
  const { fields } = declaration;
  const outputs = outputsOf(declaration, answer, known, setPaths(fields, args));
  const whole = { ...withUnanswered(fields, outputs, known), __local: args.__local };
  const earlier = acceptedOf(declaration, stillAccepted(before ?? {}, whole), args);
  const __acceptedEntries = newlyAcceptedEntries(declaration, whole, args, incomplete?.accepted);
  const { changes } = compare(
    declaration,
    { ...whole, __accepted: earlier, __acceptedEntries },
    args,
    settings,
  );
  if (incomplete) {
    const marks = { __unlike: changes.length > 0 || undefined, __accepted: earlier, __acceptedEntries };
    return { outputs: returnedOutputs(declaration, { ...whole, ...marks }) };
  }
  const { accepted, isUnlike, problem } = differencesAfter(declaration, changes, {
    outputs: whole,
    args,
    before,
  });
  const marks = {
    __unlike: isUnlike || undefined,
    __accepted: { ...earlier, ...accepted },
    __acceptedEntries,
  };
  return { outputs: returnedOutputs(declaration, { ...whole, ...marks }), problem };
}

/** The outputs after an update that sends nothing. */
export function outputsWithoutRequest(declaration: Declaration, state: Json, args: Json): Json {
  const accepted = { ...acceptedValues(state), ...acceptedEntryValues(declaration, state, args) };
  const values = { ...overlaid(declaration.fields, state, args), ...accepted };
  return recordedOutputs(declaration, values, args);
}

/** The arguments, and the values of the service where the program gives none. */
function overlaid(fields: Fields, state: Json, args: Json): Json {
  // What no answer holds is known from the program only, so it is forgotten with the argument.
  const answered = Object.entries(state).filter(([name]) => fields[name]?.traits.writeOnly !== true);
  const own = Object.entries(args).filter(([name]) => fields[name] !== undefined);
  const given = own.map(([name, value]): [string, unknown] => {
    const [shape, known] = [fields[name]?.shape, state[name]];
    const isObject = shape?.kind === "object" && isRecord(value) && isRecord(known);
    return [name, isObject ? overlaid(shape.fields, known, value) : value];
  });
  return { ...Object.fromEntries(answered), ...Object.fromEntries(given) };
}

/**
 * The inputs that would have led to the values, with what was sent in the place of what the service keeps in another form.
 * @param outputs the outputs now, which record both.
 */
export function inputsAsSent(declaration: Declaration, values: Json, outputs: Json): Json {
  const inputs = withValues(inputsOf(declaration, values, setArgumentsOf(outputs)), acceptedIn(outputs));
  return withAcceptedEntries(declaration, inputs, outputs);
}

/** The outputs that are known without an answer. */
function recordedOutputs(declaration: Declaration, values: Json, args: Json): Json {
  const { [changedLocalKey]: _, ...kept } = filtered(declaration, values, (field) => !field.traits.local);
  const setArguments = setPaths(declaration.fields, args);
  return returnedOutputs(declaration, { ...kept, __args: setArguments, __local: args.__local });
}

/** The values without those of the fields that are not kept. */
export function filtered({ fields }: Declaration, values: Json, keep: (field: AnyField) => boolean): Json {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => fields[name] === undefined || keep(fields[name])),
  );
}
