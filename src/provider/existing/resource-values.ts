/** The arguments with which a program manages an existing object without changing it. */
import type { Declaration } from "../../schema/declaration";
import * as time from "../../schema/formats/time";
import { adoptedState, stateForEngine, valuesForEngine } from "../../schema/recorded-state";
import { checkArguments, problemText } from "../../schema/validate";
import { argumentsFrom, membersWhere } from "../../schema/values";
import type { Arguments, Outputs } from "../../schema/values";
import { compare, setsOthers } from "../life-cycle/changes";
import { valuesIn, idProblem } from "../http/path";
import type { Json } from "../../schema/json";
import { outputsOf } from "../life-cycle/answers";
import type { Settings } from "../settings/settings";
import { AnswerReader, UnsupportedObject } from "./answer-reader";
import { hour } from "../../schema/text/phrase";
import type { Connection } from "../life-cycle/connection";
import { GatewayError } from "../errors";
import { importedState } from "../life-cycle/imported";
import type { StoredObject } from "../life-cycle/life-cycle";
import { requireFound } from "../life-cycle/response-schema";

/** An object of the account with its answer; `problem` says why the answer cannot be used. */
interface Existing {
  readonly declaration: Declaration;
  readonly id: string;
  readonly answer: Json;
  readonly problem?: string;
}

/** The arguments that the program gives, and the outputs that the state holds. */
export interface ResourceValues {
  readonly args: Arguments;
  readonly values: Outputs;
}

/** Why an object cannot be managed. */
export interface LeftOut {
  readonly reason: string;
}

export interface Conditions {
  readonly settings: Settings;
  /** The current time, in milliseconds since 1970. */
  readonly now: number;
  /** The arguments of an object that the program leaves out. */
  readonly without?: (object: Pick<Existing, "declaration" | "id">) => readonly string[];
}

/** The values of the object as a resource, or the reason why it cannot be one. */
export function resourceValues(object: Existing, conditions: Conditions): ResourceValues | LeftOut {
  const { problem } = object;
  if (problem !== undefined) return { reason: `the answer of the service is not as specified: ${problem}` };
  try {
    return unchangedValues(object, conditions);
  } catch (error) {
    if (error instanceof UnsupportedObject) return { reason: error.message };
    throw error;
  }
}

/** Throws an UnsupportedObject if no resource describes the object without changing it. */
function unchangedValues(object: Existing, conditions: Conditions): ResourceValues {
  const { declaration, answer } = object;
  const args = validArguments(object, conditions);
  const outputs = outputsOf(declaration, answer, args);
  const state = adoptedState(declaration, args, outputs);
  const changes = compare(declaration, state, args, conditions.settings);
  if (changes.length > 0 || setsOthers(declaration, state, args)) {
    const paths = changes.map(({ path }) => path).join(", ");
    throw new UnsupportedObject(`a program would change it: ${paths}`);
  }
  return { args, values: outputs };
}

/** The arguments for the object, valid for its class. */
function validArguments(object: Existing, conditions: Conditions): Arguments {
  const { fields, rules } = object.declaration;
  const problemsOf = (args: Json): string[] =>
    checkArguments(fields, rules, args, { olds: args, now: conditions.now }).map(problemText);
  const args = argumentsFor(object, conditions, false);
  const problems = problemsOf(args);
  if (problems.length === 0) return args;
  // A rule may require a secret that the service does not return.
  const withSecrets = argumentsFor(object, conditions, true);
  if (problemsOf(withSecrets).length === 0) return withSecrets;
  throw new UnsupportedObject(problems.join("; "));
}

function argumentsFor(
  { declaration, id, answer }: Existing,
  { settings, without }: Conditions,
  everySecret: boolean,
): Arguments {
  const path = valuesIn(declaration.path, id);
  const outputs = outputsOf(declaration, answer, path);
  const members = new AnswerReader(everySecret).members(declaration.fields, outputs, answer);
  const args = { ...withoutStamp(declaration, settings), ...members, ...path };
  const omitted = [...(without?.({ declaration, id }) ?? []), ...boundsOfService(declaration, outputs)];
  return argumentsFrom(membersWhere(args, (name) => !omitted.includes(name)));
}

/**
 * With the setting stampMetadata, metadata that a program leaves out is stamped. An empty argument keeps the object without
 * metadata.
 */
function withoutStamp({ fields }: Declaration, { stampMetadata }: Settings): Json {
  return stampMetadata && fields.metadata && fields.metadata.presence !== "computed" ? { metadata: "" } : {};
}

/** The largest difference caused by clocks and the service's rounding, in milliseconds. */
const tolerance = 120_000;

/** The bounds of a certificate's validity that the service chose. A program leaves them to the service. */
function boundsOfService({ validity }: Declaration, outputs: Outputs): string[] {
  if (!validity) return [];
  const at = (name: string): number => time.toInstant(outputs[name]) ?? NaN;
  const [from, until, created] = [at(validity.from), at(validity.until), at("createdAt")];
  const startsWithCreation = Math.abs(from - created) <= tolerance;
  // The service may count the default lifetime from either time.
  const hasDefaultLife = [from, created].some(
    (start) => Math.round((until - start) / hour) === validity.defaultHours,
  );
  return [...(startsWithCreation ? [validity.from] : []), ...(hasDefaultLife ? [validity.until] : [])];
}

/**
 * Reads the values of an object that becomes a resource. Throws if the id has the wrong form for the class, if the object does
 * not exist, or if no program can describe it.
 */
export async function existingValues(
  client: Pick<Connection, "settings" | "read">,
  declaration: Declaration,
  id: string,
): Promise<ResourceValues> {
  const { noun } = declaration;
  const problem = idProblem(declaration, id);
  if (problem !== undefined) throw new GatewayError(`the ${noun} cannot be imported: ${problem}`);
  const answer = await client.read(declaration, id);
  const { settings } = client;
  requireFound(declaration, id, answer, settings.baseUrl);
  const values = resourceValues({ declaration, id, answer }, { settings, now: Date.now() });
  if ("reason" in values) throw new GatewayError(`the ${noun} ${id} cannot be imported: ${values.reason}`);
  return values;
}

/**
 * Reads an object that becomes a resource, with the arguments that a program must give so that nothing changes. Throws like
 * {@link existingValues}.
 * @param separate the arguments whose items may be resources of their own.
 */
export async function importedObject(
  client: Parameters<typeof existingValues>[0],
  declaration: Declaration,
  id: string,
  separate: readonly string[],
): Promise<Required<StoredObject>> {
  const { args, values } = await existingValues(client, declaration, id);
  const props = stateForEngine(declaration, importedState(declaration, args, values, separate));
  return { id, props, inputs: valuesForEngine(declaration, args) };
}
