/** One resource in a file for `pulumi import --file`: its inputs and outputs as the life cycle would have recorded them. */
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { adoptedState, stateForEngine, valuesForEngine, withShim } from "../../schema/recorded-state";
import type { Arguments, Outputs } from "../../schema/values";
import { isNativeToken, shimOf } from "../../program/shim";
import { secretInFile } from "./engine-secrets";

export interface ImportEntry {
  /** The type token. */
  readonly type: string;
  readonly name: string;
  /** The name in the program, if `name` differs from it. */
  readonly logicalName?: string;
  readonly id: string;
  /** Names in the file's name table. */
  readonly parent?: string;
  readonly provider?: string;
  readonly inputs: Json;
  readonly outputs: Json;
}

export interface ImportedState extends ImportEntry {
  readonly declaration: Declaration;
  readonly inputs: Arguments;
  readonly outputs: Outputs;
}

/** The entry of one resource. Its secrets are in plaintext, in the notation that makes the engine encrypt them. */
export function importEntry({ declaration, inputs, outputs, ...identity }: ImportedState): ImportEntry {
  const { type } = identity;
  // The state of a dynamic resource holds the code that works on it.
  const withCode = (values: Json): Json =>
    isNativeToken(type) ? values : withShim(values, shimOf(declaration.type));
  const state = adoptedState(declaration, inputs, outputs);
  return {
    ...identity,
    inputs: withCode(valuesForEngine(declaration, inputs, secretInFile)),
    outputs: withCode(stateForEngine(declaration, state, secretInFile)),
  };
}
