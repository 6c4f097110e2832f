/**
 * Objects that exist though a create or update was not completed. Pulumi records what the error holds, so that
 * nothing is orphaned, and the next up repairs the object.
 */
import type { Declaration } from "../../schema/declaration";
import type { Fields } from "../../schema/field";
import { wireName } from "../../schema/field";
import { secretsOfCreation } from "../../schema/secrets";
import { setPaths } from "../../schema/walk";
import type { Json } from "../../schema/json";
import type { CreatedObject } from "../objects/created-object";
import { ApiError, GatewayError, IncompleteError } from "../errors";
import type { WriteRecord } from "./outputs";
import { returned } from "./state";

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
 * @param written the outputs for an answer.
 */
export async function recording<T>(
  { fields }: Declaration,
  inputs: Json,
  args: Json,
  written: (answer: Json, incomplete: IncompleteError) => WriteRecord,
  send: () => Promise<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw atItsArgument(error, fields, args);
    throw new PartialFailure(error, error.id, {
      ...written(error.answer, error).outputs,
      __provider: inputs.__provider,
    });
  }
}

/** The outputs of a write. Throws where the service answered it and did not take it; the state records what it keeps. */
export function taken({ outputs, problem }: WriteRecord, id: string, inputs: Json): Json {
  if (problem === undefined) return outputs;
  throw new PartialFailure(problem, id, { ...outputs, __provider: inputs.__provider });
}

/**
 * The failure of a create whose object exists: it is recorded with its arguments and with the secrets that no
 * later answer will hold.
 */
export function partialFailure(
  declaration: Declaration,
  { id, answer, problem }: CreatedObject & { problem: GatewayError },
  inputs: Json,
  given: Json,
): PartialFailure {
  const { fields } = declaration;
  const args = Object.entries(inputs).filter(
    ([name]) => fields[name]?.traits.local === undefined && name in fields,
  );
  const secrets = secretsOfCreation(declaration.fields)
    .map((name): [string, unknown] => [name, answer[wireName(name, fields[name]!)]])
    .filter(([, secret]) => typeof secret === "string");
  const marks = { __args: setPaths(fields, given), __partial: true };
  return new PartialFailure(problem, id, {
    ...returned(declaration, { ...Object.fromEntries([...args, ...secrets]), ...marks }),
    __provider: inputs.__provider,
  });
}

/** Whether the state is that of an object whose answer to its creation was of no use. */
export function isPartial(state: Json): boolean {
  return state.__partial === true;
}

/** The outputs of a partial object that nothing but a new object can have. */
export function lostOutputs(declaration: Declaration, state: Json): string[] {
  return isPartial(state)
    ? secretsOfCreation(declaration.fields).filter((name) => state[name] === undefined)
    : [];
}

/** A refusal that may be about one of the arguments names it, and says what the specification says of it. */
export function atItsArgument(error: unknown, fields: Fields, args: Json): unknown {
  if (!(error instanceof ApiError)) return error;
  for (const [name, { traits }] of Object.entries(fields)) {
    const { refusal } = traits;
    const isMissing = args[name] === undefined;
    if (!refusal?.status.includes(error.status) || isMissing !== (refusal.missing ?? false)) continue;
    return error.at(name, refusal.clause);
  }
  return error;
}
