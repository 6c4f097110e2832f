/** One resource in a file for `pulumi import --file`: inputs and outputs as the life cycle would have left them. */
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import { stateForEngine, valuesForEngine, withShim } from "../schema/recorded-state";
import { setPaths } from "../schema/walk";
import type { Arguments, Outputs } from "../schema/values";
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
  readonly inputs: Arguments;
  readonly outputs: Outputs;
}

/** The entry of one resource. It holds secrets in plaintext, in the notation that makes the engine encrypt them. */
export function importEntry({ declaration, inputs, outputs, ...place }: ImportedState): ImportEntry {
  const { type, fields } = declaration;
  const shim = shimOf(type);
  const state = { outputs, managed: setPaths(fields, inputs), accepted: [] };
  return {
    type: tokenPrefix + type,
    ...place,
    inputs: withShim(valuesForEngine(declaration, inputs, secretInFile), shim),
    outputs: withShim(stateForEngine(declaration, state, secretInFile), shim),
  };
}
