/**
 * Objects that exist though making them did not end well. Pulumi records what the error holds, so that
 * nothing is orphaned, and the next up repairs the object.
 */
import type { Declaration } from "../schema/declaration";
import { wireName } from "../schema/field";
import { secretsOfCreation } from "../schema/secrets";
import type { Json } from "../schema/json";
import type { CreatedObject } from "./created-object";
import { GatewayError } from "./errors";
import { returned, stateVersion } from "./state";

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
 * The failure of a create whose object exists: it is recorded with its arguments and with the secrets that no
 * later answer will hold.
 */
export function partialFailure(
  declaration: Declaration,
  { id, answer, problem }: CreatedObject & { problem: GatewayError },
  inputs: Json,
  setArguments: readonly string[],
): PartialFailure {
  const { fields } = declaration;
  const args = Object.entries(inputs).filter(
    ([name]) => fields[name]?.traits.local === undefined && name in fields,
  );
  const secrets = secretsOfCreation(declaration.fields)
    .map((name): [string, unknown] => [name, answer[wireName(name, fields[name]!)]])
    .filter(([, secret]) => typeof secret === "string");
  const marks = { __args: setArguments, __v: stateVersion, __partial: true };
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
