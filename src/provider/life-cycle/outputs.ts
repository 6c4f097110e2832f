/** The outputs that a state records: after a read, after a write, and without a request. */
import type { Declaration } from "../../schema/declaration";
import type { AnyField } from "../../schema/field";
import type { Json } from "../../schema/json";
import { setPaths } from "../../schema/unknown";
import type { Settings } from "../../settings";
import { compare } from "./changes";
import { isConfigured } from "./configured";
import { outputsOf, returnedOutputs, withUnanswered } from "./state";

/** The outputs that an answer to a read stands for. */
export function foundOutputs(
  declaration: Declaration,
  answer: Json,
  known: Json,
  setArguments: readonly string[],
): Json {
  const outputs = outputsOf(declaration, answer, known, setArguments);
  // A module without content may have been deleted: then what was required of it is gone too.
  const isThere = declaration.style !== "singleton" || isConfigured(declaration, answer);
  return isThere ? withUnanswered(declaration.fields, outputs, known) : outputs;
}

/**
 * The outputs after a write. Where the service did not take what it was sent, they say so.
 * @param answer undefined where the object is just what its arguments say.
 * @param known what the answer may leave out.
 */
export function writtenOutputs(
  declaration: Declaration,
  answer: Json | undefined,
  known: Json,
  args: Json,
  settings: Settings,
): Json {
  if (answer === undefined) return recordedOutputs(declaration, args, args);
  const { fields } = declaration;
  const outputs = outputsOf(declaration, answer, known, setPaths(fields, args));
  const whole = withUnanswered(fields, outputs, known);
  const isUnlike = compare(declaration, whole, args, settings).changes.length > 0;
  return returnedOutputs(declaration, { ...whole, __unlike: isUnlike || undefined });
}

/** The outputs that are known without an answer. */
export function recordedOutputs(declaration: Declaration, values: Json, args: Json): Json {
  const kept = filtered(declaration, values, (field) => !field.traits.local);
  const setArguments = setPaths(declaration.fields, args);
  return returnedOutputs(declaration, { ...kept, __args: setArguments });
}

/** The values without those of the fields that are not kept. */
export function filtered({ fields }: Declaration, values: Json, keep: (field: AnyField) => boolean): Json {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => fields[name] === undefined || keep(fields[name])),
  );
}
