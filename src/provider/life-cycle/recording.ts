/** The states that the life cycle records: after a read, after a write, and without a request. */
import type { Declaration } from "../../schema/declaration";
import { same } from "../../schema/equality";
import { defaultOf, keepsDefault } from "../../schema/field";
import type { Fields, ShapeOf } from "../../schema/field";
import type { Json } from "../../schema/json";
import { localPart, withLocal } from "../../schema/local";
import { argumentsIn, heldRulesIn, managedArguments, unansweredAt } from "../../schema/recorded-state";
import type { AcceptedValue, RecordedState } from "../../schema/recorded-state";
import { isSummarized } from "../../schema/rule-set";
import { inOneForm } from "../../schema/sealing";
import { isRecord, membersOf, valueAt } from "../../schema/unknown";
import { setPaths } from "../../schema/walk";
import { argumentsFrom, membersWhere, outputsFrom } from "../../schema/values";
import type { Answer, Arguments, FieldValues, Inputs, Outputs } from "../../schema/values";
import type { Settings } from "../settings/settings";
import {
  acceptedBy,
  acceptedRules,
  asKept,
  asSent,
  notChanged,
  otherMeaning,
  stillAccepted,
} from "./accepted";
import { isConfigured, outputsOf, withUnanswered } from "./answers";
import type { UnansweredPaths } from "./answers";
import { comparedArguments, localIn } from "./arguments";
import { compareInputs, isPathWithin } from "./changes";
import type { ArgumentChange } from "./changes";
import { GatewayError } from "../errors";
import type { IncompleteError } from "../errors";
import { valuesIn } from "../http/path";

/** The state after a read. The caller sets its mark. */
export function foundState(
  declaration: Declaration,
  id: string,
  answer: Answer,
  before: RecordedState,
): RecordedState {
  const { fields, path, style } = declaration;
  const known: Outputs = { ...valuesIn(path, id), ...before.outputs };
  const answered = outputsOf(declaration, answer, known);
  // A module without content may have been deleted. Then its required arguments are gone too.
  const isThere =
    style !== "singleton" || before.unanswered !== undefined || isConfigured(declaration, answer);
  const { local } = before;
  const leftOut: UnansweredPaths = { keeps: (path) => isAt(path, before.unanswered), keptPaths: [] };
  const complete = isThere ? withUnanswered(fields, answered, known, answer, leftOut) : answered;
  const outputs = inOneForm(declaration, local ?? {}, complete);
  return {
    outputs,
    managed: managedArguments(before),
    accepted: stillAccepted(before, outputs),
    ...unansweredAt(leftOut.keptPaths),
    ...(before.filledIn && { filledIn: before.filledIn }),
    ...(local && { local: localPart(fields, withLocal(fields, outputs, local)) }),
    ...originIn(before),
    ...heldRulesIn(answer),
  };
}

/** Whether the path is one of the paths, or inside one. */
function isAt(path: string, paths: readonly string[] = []): boolean {
  return paths.some((each) => isPathWithin(path, each));
}

/** A write and what is known beside its answer. */
export interface Write {
  readonly inputs: Inputs;
  /** The known values of what the answer may leave out. */
  readonly knownValues: FieldValues;
  /** What an update sent, if not all arguments: its answer says nothing about the others. A create is compared with all. */
  readonly sent?: Arguments;
  /** The state before an update; undefined for a create. */
  readonly before?: RecordedState;
  /** For a create: the id of the object that it replaces, if the path is the identity and differs. */
  readonly movedFrom?: string | undefined;
  /** When the object or a part of it was created, if the path is the identity. */
  readonly createdAt?: string | undefined;
  /** For a create: the mark of the account. */
  readonly account?: string;
  /** The failure of a part of the write: what differs may not have been sent. */
  readonly incomplete?: IncompleteError;
}

/** What a state records of a write. */
export interface WriteRecord {
  readonly state: RecordedState;
  /** Why the write failed though it was answered. */
  readonly problem?: GatewayError;
}

/**
 * The state after a write, and the problem if the service does not keep what was sent.
 * @param answer undefined if the object is exactly as its arguments.
 */
export function writtenState(
  declaration: Declaration,
  answer: Answer | undefined,
  { inputs, knownValues, sent, before, movedFrom, createdAt, account, incomplete }: Write,
  settings: Settings,
): WriteRecord {
  const args = comparedArguments(declaration, inputs);
  const origin = originIn({
    ...(before ?? { movedFrom, account }),
    ...(createdAt !== undefined && { createdAt }),
  });
  if (answer === undefined) return { state: { ...stateWith(declaration, args, inputs), ...origin } };
  const { fields } = declaration;
  const local = localIn(declaration, inputs);
  const wasSent = (path: string): boolean => isSent(fields, sent ?? args, path.split("."), declaration.whole);
  const leftOut: UnansweredPaths = { keeps: () => true, keptPaths: [] };
  const answered = outputsOf(declaration, answer, knownValues);
  const complete = withUnanswered(fields, answered, knownValues, answer, leftOut);
  const outputs = inOneForm(declaration, args, complete);
  const earlier = before ? acceptedBy(declaration, stillAccepted(before, outputs), args) : [];
  const state: RecordedState = {
    outputs,
    managed: setPaths(fields, args),
    accepted: [...earlier, ...acceptedRules(declaration, outputs, args, incomplete?.accepted)],
    ...unansweredAt(leftOut.keptPaths.filter((path) => wasSent(path) || isAt(path, before?.unanswered))),
    ...(local && { local }),
    ...origin,
    ...heldRulesIn(answer),
  };
  const changes = compareInputs(declaration, state, inputs, settings);
  // The entries of a summarized set do not show which of its rules are missing or left.
  const isUnfinished = changes.length > 0 || isSummarized(args);
  if (incomplete) return { state: isUnfinished ? { ...state, mark: "unlike" } : state };
  const { accepted, isUnlike, problem } = differencesAfter(declaration, changes, {
    outputs,
    args,
    before,
    wasSent,
  });
  return {
    state: { ...state, accepted: [...state.accepted, ...accepted], ...(isUnlike && { mark: "unlike" }) },
    ...(problem && { problem }),
  };
}

/** Whether a request with these arguments sets the value at the path. */
function isSent(
  fields: Fields,
  sent: Json,
  [name = "", ...rest]: readonly string[],
  isWhole: boolean,
): boolean {
  const [shape, value] = [fields[name]?.shape, sent[name]];
  if (value === undefined) return isWhole;
  if (rest.length === 0 || shape?.kind !== "object") return true;
  return isSent(
    shape.fields,
    membersOf(value),
    rest,
    isWhole || shape.whole || shape.alternatives !== undefined,
  );
}

interface WrittenValues {
  readonly outputs: Outputs;
  readonly args: Arguments;
  readonly before: RecordedState | undefined;
  readonly wasSent: (path: string) => boolean;
}

/**
 * Sorts the differences between the outputs after a write and the arguments: the values that the service keeps in another form, whether
 * the next update repairs something, and why the write failed though it was answered. Those accepted earlier are not among them.
 */
function differencesAfter(
  { noun }: Declaration,
  differences: readonly ArgumentChange[],
  { outputs, args, before, wasSent }: WrittenValues,
) {
  const accepted: AcceptedValue[] = [];
  const problems: string[] = [];
  let isUnlike = false;
  for (const { path, field, secret, decidesAccess, recordedOnly } of differences) {
    if (recordedOnly) continue;
    // Somebody else has changed it, and the next update repairs it.
    if (!wasSent(path)) {
      isUnlike = true;
      continue;
    }
    const [sent, kept] = [valueAt(args, path), valueAt(outputs, path)];
    const isIgnored = before !== undefined && same(field, valueAt(before.outputs, path), kept);
    if (sent === undefined) isUnlike = true;
    if (isIgnored) problems.push(notChanged({ name: path, sent, keptValue: kept }, secret));
    else if (decidesAccess) problems.push(otherMeaning({ name: path, sent, keptValue: kept }, secret));
    else if (sent !== undefined) accepted.push({ at: path.split("."), sent });
  }
  if (problems.length === 0) return { accepted, isUnlike };
  const problem = new GatewayError(
    `the service accepted the ${noun} but keeps another value: ${problems.join("; ")}. ` +
      "Put the value that the service keeps into the program, or ask the operator of the service",
  );
  return { accepted, isUnlike: true, problem };
}

/** The state after an update that sends nothing. */
export function stateWithoutRequest(
  declaration: Declaration,
  before: RecordedState,
  inputs: Inputs,
): RecordedState {
  const args = comparedArguments(declaration, inputs);
  const accepted = acceptedBy(declaration, before.accepted, args);
  const outputs = overlaid(declaration.fields, before.outputs, args);
  const state = stateWith(declaration, asKept(outputs, accepted, before.outputs), inputs);
  const { heldRules, ruleIds, mark, unanswered = [] } = before;
  const ofRules = { ...(heldRules && { heldRules }), ...(ruleIds && { ruleIds }) };
  const kept = { ...originIn(before), ...ofRules, ...(mark && { mark }) };
  return { ...state, accepted, ...unansweredAt(unanswered), ...kept };
}

/** What a state records of an object's creation. No update changes it. */
type Origin = Pick<RecordedState, "movedFrom" | "createdAt" | "account">;

function originIn({ movedFrom, createdAt, account }: Origin): Origin {
  return membersWhere({ movedFrom, createdAt, account }, (_, value) => value !== undefined);
}

/** The arguments, and the service's values of those that the program does not give. */
function overlaid<Values extends Json>(fields: Fields, outputs: Values, args: Json): Values {
  // No answer holds a write-only value, so it goes with the argument.
  const answered = membersWhere(outputs, (name) => fields[name]?.traits.writeOnly !== true);
  const own = Object.entries(args).filter(([name]) => fields[name] !== undefined);
  const given = own.map(([name, value]): [string, unknown] => {
    const [shape, known] = [fields[name]?.shape, outputs[name]];
    const isObject = shape?.kind === "object" && isRecord(value) && isRecord(known);
    return [name, isObject ? overlaid(shape.fields, known, value) : value];
  });
  return { ...answered, ...Object.fromEntries(given) };
}

/** The state of an object with values that are known without an answer. */
function stateWith(declaration: Declaration, values: FieldValues, inputs: Inputs): RecordedState {
  const { fields } = declaration;
  const local = localIn(declaration, inputs);
  return {
    outputs: outputsFrom(membersWhere(values, (name) => fields[name]?.traits.local !== true)),
    managed: setPaths(fields, argumentsIn(inputs)),
    accepted: [],
    ...(local && { local }),
  };
}

/**
 * The arguments that would lead to the outputs, with accepted values as they were sent. They contain what the program set and,
 * in an object that is set whole, what differs from the default. Pulumi stores them as inputs after a refresh found drift.
 * @param state the state now, which records what the program set and what was accepted.
 */
export function argumentsAsSent(declaration: Declaration, outputs: Outputs, state: RecordedState): Arguments {
  const { fields, whole } = declaration;
  const picked = pick(fields, outputs, "", new Set(managedArguments(state)), whole);
  return asSent(argumentsFrom(picked), state.accepted);
}

function pick(
  fields: Fields,
  values: unknown,
  prefix: string,
  managed: ReadonlySet<string>,
  whole: boolean,
): Json {
  const given = membersOf(values);
  const picked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const path = prefix + name;
    const value = given[name];
    if (field.presence === "computed" || value === undefined) continue;
    const drifted = whole && keepsDefault(field) && !same(field, value, defaultOf(field));
    if (!managed.has(path) && !drifted) continue;
    const { shape } = field;
    picked[name] =
      shape.kind === "object" && isManagedIn(shape, path, value, managed)
        ? pick(shape.fields, value, `${path}.`, managed, whole || shape.whole)
        : value;
  }
  return picked;
}

/** Whether the program set the alternative that the object holds. Another one is drift as a whole. */
function isManagedIn(
  shape: ShapeOf<"object">,
  path: string,
  value: unknown,
  managed: ReadonlySet<string>,
): boolean {
  return !shape.alternatives || Object.keys(membersOf(value)).every((name) => managed.has(`${path}.${name}`));
}
