/** One resource in a file for `pulumi import --file`: inputs and outputs as the life cycle would have left them. */
import type { Declaration } from "../schema/declaration";
import { mapSecrets } from "../schema/secrets";
import type { Json } from "../schema/json";
import { withoutAbsent } from "../provider/life-cycle/state";
import { shimOf, tokenPrefix } from "../program/shim";
import { secretInFile } from "./secrets";

export interface ImportEntry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** Names in the file's name table. */
  readonly parent?: string;
  readonly provider?: string;
  readonly inputs: Json;
  readonly outputs: Json;
}

export interface ImportedState extends Omit<ImportEntry, "type"> {
  readonly declaration: Declaration;
}

/** The entry of one resource. It holds secrets in plaintext, in the notation that makes the engine encrypt them. */
export function importEntry({ declaration, inputs, outputs, ...place }: ImportedState): ImportEntry {
  const { type, fields } = declaration;
  const __provider = shimOf(type);
  const written = (values: Json): Json => ({
    ...(mapSecrets(fields, withoutAbsent(values), secretInFile) as Json),
    __provider,
  });
  // The life cycle writes null for what the object does not have.
  const shown = Object.keys(fields).filter((field) => !fields[field]!.traits.local);
  const absent = Object.fromEntries(shown.map((field) => [field, null]));
  return {
    type: tokenPrefix + type,
    ...place,
    inputs: written(inputs),
    outputs: { ...absent, ...written(outputs) },
  };
}

/** The arguments among a state's inputs: without the hidden members of Pulumi and of this package. */
export function argumentsIn(inputs: Json): Json {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
}
