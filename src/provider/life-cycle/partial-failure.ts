/**
 * Objects that exist though a create or update was not completed. Pulumi records what the error holds, so that
 * nothing is orphaned, and the next up repairs the object.
 */
import type { Declaration } from "../../schema/declaration";
import type { Fields } from "../../schema/field";
import { wireName } from "../../schema/field";
import {
  argumentsIn,
  incompleteState,
  managedArguments,
  shimIn,
  withShim,
} from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { outputsOfCreation } from "../../schema/sealing";
import { isHiddenSecret, secretsOfCreation } from "../../schema/secrets";
import { setPaths } from "../../schema/walk";
import { outputsFrom } from "../../schema/values";
import type { Answer, Arguments, Inputs, StoredOutputs } from "../../schema/values";
import { ApiError, GatewayError } from "../errors";
import { asSent } from "./accepted";
import { localIn } from "./arguments";
import { isPathWithin } from "./changes";
import type { ArgumentChange } from "./changes";
import type { Write } from "./recording";

/** The error by which Pulumi's plugin recognises a resource that exists and is not ready. */
export class PartialFailure extends GatewayError {
  /** The state that the engine records. */
  properties: StoredOutputs;

  constructor(
    readonly problem: GatewayError,
    readonly id: string,
    state: StoredOutputs,
    inputs: Inputs,
  ) {
    super(`${problem.message}. The object ${id} exists and is recorded; the next pulumi up repairs it`);
    this.properties = withShim(state, shimIn(inputs));
  }

  get reasons(): string[] {
    return [this.message];
  }
}

/** The state of a new object whose creation failed: its arguments, and the secrets that no later answer will hold. */
export function stateOfCreated(
  declaration: Declaration,
  answer: Answer,
  { inputs, movedFrom, account }: Pick<Write, "inputs" | "movedFrom" | "account">,
): StoredOutputs {
  const { fields } = declaration;
  const args = Object.entries(inputs).filter(
    ([name]) => fields[name]?.traits.local === undefined && name in fields,
  );
  const secrets = outputsOfCreation(declaration)
    .map((name): [string, unknown] => [name, answer[wireName(name, fields[name]!)]])
    .filter(([, secret]) => !isHiddenSecret(secret));
  // Soon after a creation, a 404 is not a deletion.
  const { created_at: createdAt } = answer;
  const time = fields.createdAt && typeof createdAt === "string" ? { createdAt } : {};
  const outputs = outputsFrom({ ...Object.fromEntries([...args, ...secrets]), ...time });
  const managed = setPaths(fields, argumentsIn(inputs));
  const local = localIn(declaration, inputs);
  return incompleteState(declaration, { outputs, managed, local, movedFrom, account, mark: "partial" });
}

/**
 * The state of an object whose update may have been done: the one before it. What no answer shows is not known any more, so that
 * the next update sends it, and what the update has added is removed if the program takes it back.
 */
export function unsureState(
  { fields }: Declaration,
  before: RecordedState,
  args: Arguments,
  changes: readonly ArgumentChange[],
): RecordedState {
  const { outputs, unanswered = [] } = before;
  const unseen = changes
    .flatMap(
      ({ path, secret }) => unanswered.find((each) => isPathWithin(path, each)) ?? (secret ? path : []),
    )
    .map((path) => ({ at: path.split("."), sent: undefined }));
  const managed = [...new Set([...managedArguments(before), ...setPaths(fields, args)])];
  return { ...before, outputs: asSent(outputs, unseen), managed, mark: "unsure" };
}

/** The outputs of a partial object that nothing but a new object can have. */
export function lostOutputs(declaration: Declaration, { mark, outputs }: RecordedState): string[] {
  const isKnown = outputsOfCreation(declaration).some((name) => outputs[name] !== undefined);
  return mark !== "partial" || isKnown ? [] : secretsOfCreation(declaration.fields);
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
