/**
 * Objects that exist though a create or update was not completed. Pulumi records what the error holds, so that
 * nothing is orphaned, and the next up repairs the object.
 */
import type { Declaration } from "../../schema/declaration";
import type { Fields } from "../../schema/field";
import { wireName } from "../../schema/field";
import type { Json } from "../../schema/json";
import { incompleteState, shimIn, stateForEngine, withShim } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { secretsOfCreation } from "../../schema/secrets";
import { setPaths } from "../../schema/walk";
import type { Arguments, Inputs } from "../../schema/values";
import { ApiError, GatewayError, IncompleteError } from "../errors";
import type { CreatedObject } from "./answers";
import type { WriteRecord } from "./recording";

/** What Pulumi's plugin takes for a resource that was made and is not ready. */
export class PartialFailure extends GatewayError {
  constructor(
    problem: GatewayError,
    readonly id: string,
    readonly properties: Json,
  ) {
    super(`${problem.message}. The object ${id} exists and is recorded; the next pulumi up repairs it`);
  }

  get reasons(): string[] {
    return [this.message];
  }
}

/**
 * Sends a create or update. A refusal that is about one of the arguments names it. The error of an object that is only
 * in part as its arguments say holds what Pulumi records of it.
 * @param written the state for the answer that the error holds.
 */
export async function recording<T>(
  declaration: Declaration,
  inputs: Inputs,
  args: Arguments,
  written: (incomplete: IncompleteError) => WriteRecord,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw atItsArgument(error, declaration.fields, args);
    throw failureOf(declaration, error, error.id, written(error).state, inputs);
  }
}

/** The state after a write. Throws where the service answered it and did not take it; the engine records what it keeps. */
export function taken(
  declaration: Declaration,
  { state, problem }: WriteRecord,
  id: string,
  inputs: Inputs,
): Json {
  if (problem) throw failureOf(declaration, problem, id, state, inputs);
  return stateForEngine(declaration, state);
}

function failureOf(
  declaration: Declaration,
  problem: GatewayError,
  id: string,
  state: RecordedState,
  inputs: Inputs,
): PartialFailure {
  return new PartialFailure(problem, id, withShim(stateForEngine(declaration, state), shimIn(inputs)));
}

/**
 * The failure of a create whose object exists: it is recorded with its arguments and with the secrets that no
 * later answer will hold.
 */
export function partialFailure(
  declaration: Declaration,
  { id, answer, problem }: CreatedObject & { problem: GatewayError },
  inputs: Inputs,
  given: Arguments,
): PartialFailure {
  const { fields } = declaration;
  const args = Object.entries(inputs).filter(
    ([name]) => fields[name]?.traits.local === undefined && name in fields,
  );
  const secrets = secretsOfCreation(fields)
    .map((name): [string, unknown] => [name, answer[wireName(name, fields[name]!)]])
    .filter(([, secret]) => typeof secret === "string");
  const outputs = Object.fromEntries([...args, ...secrets]);
  const state = incompleteState(declaration, { outputs, managed: setPaths(fields, given), mark: "partial" });
  return new PartialFailure(problem, id, withShim(state, shimIn(inputs)));
}

/** The outputs of a partial object that nothing but a new object can have. */
export function lostOutputs(declaration: Declaration, { mark, outputs }: RecordedState): string[] {
  if (mark !== "partial") return [];
  return secretsOfCreation(declaration.fields).filter((name) => outputs[name] === undefined);
}

/** A refusal that may be about one of the arguments names it, and says what the specification says of it. */
export function atItsArgument(error: unknown, fields: Fields, args: Arguments): unknown {
  if (!(error instanceof ApiError)) return error;
  for (const [name, { traits }] of Object.entries(fields)) {
    const { refusal } = traits;
    const isMissing = args[name] === undefined;
    if (!refusal?.status.includes(error.status) || isMissing !== (refusal.missing ?? false)) continue;
    return error.at(name, refusal.clause);
  }
  return error;
}
