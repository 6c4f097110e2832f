/** What answers of the service mean for an object. */
import type { Declaration } from "../../schema/declaration";
import { chosen, same } from "../../schema/equality";
import { defaultOf, isFilledIn, visit } from "../../schema/field";
import type { AnyField, Fields, UpdateSettings } from "../../schema/field";
import type { Json } from "../../schema/json";
import { isCreationMark } from "../../schema/metadata";
import { withoutAbsent } from "../../schema/recorded-state";
import { isAbsent, isRecord, membersOf } from "../../schema/unknown";
import { partsIn, setPaths, walk } from "../../schema/walk";
import { argumentsFrom } from "../../schema/values";
import type { Answer, Arguments, FieldValues, Outputs } from "../../schema/values";
import type { GatewayError } from "../errors";
import { answeredValue, fromWire } from "./wire";
import { compare } from "./changes";

/** An object that the service created. */
export interface CreatedObject {
  readonly id: string;
  readonly answer: Answer;
  /** What failed after the object was created. */
  readonly problem?: GatewayError;
}

/** An object that is exactly as its arguments, so that nothing else is recorded. */
export interface AsAsked {
  readonly id: string;
  readonly answer?: undefined;
  readonly problem?: undefined;
}

/**
 * The outputs of an object.
 * @param known the arguments that were sent, or the previous outputs.
 */
export function outputsOf({ fields }: Declaration, answer: Answer, known: FieldValues): Outputs {
  return withoutAbsent(fromWire(fields, answer, known));
}

/** Which of the arguments that an answer leaves out keep their known values, and which did. */
export interface UnansweredPaths {
  readonly keeps: (path: string) => boolean;
  readonly keptPaths: string[];
}

/**
 * The outputs, with the known values of arguments that an answer left out though they cannot have been removed, and of
 * those that `leftOut` names. Taken as a removal, a member that the service merely hides would replace the object.
 */
export function withUnanswered<Values extends Json>(
  fields: Fields,
  outputs: Values,
  known: Json,
  answer: Json,
  leftOut: UnansweredPaths,
  around = "",
): Values {
  const knownMembers = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const [value, before, path] = [outputs[name], known[name], around + name];
    const { shape, presence, traits } = field;
    if (traits.local) return [];
    const shown = answeredValue(name, field, answer);
    if (isRecord(value)) {
      if (shape.kind !== "object") return [];
      const [was, is] = [membersOf(before), membersOf(shown)];
      return [[name, withUnanswered(shape.fields, value, was, is, leftOut, `${path}.`)]];
    }
    if (value !== undefined) return [];
    if (presence === "required" || traits.essential || isFixed(field, before)) return [[name, before]];
    if (isLeftOut(field, before, shown) && leftOut.keeps(path)) {
      leftOut.keptPaths.push(path);
      return [[name, before]];
    }
    if (shape.kind !== "object") return [];
    const members = hiddenMembers(shape.fields, membersOf(before), leftOut, `${path}.`);
    return members.length > 0 ? [[name, Object.fromEntries(members)]] : [];
  });
  return knownMembers.length === 0 ? outputs : { ...outputs, ...Object.fromEntries(knownMembers) };
}

/** Whether the answer leaves out a known argument. An empty value is not left out. */
function isLeftOut({ shape, presence }: AnyField, known: unknown, shown: unknown): boolean {
  if (known === undefined || presence === "computed") return false;
  return isAbsent(shown) || (shape.kind === "object" && chosen(shown) === "");
}

/** The members that remain when an answer leaves the whole object out, such as the namespace of a deployment. */
function hiddenMembers(
  fields: Fields,
  known: Json,
  { keeps, keptPaths }: UnansweredPaths,
  around: string,
): [string, unknown][] {
  return Object.entries(known).filter(([name, value]) => {
    const member = fields[name];
    if (member?.presence !== "optional") return false;
    if (isFixed(member, value) || member.traits.writeOnly) return true;
    if (!keeps(around + name)) return false;
    keptPaths.push(around + name);
    return true;
  });
}

/** Whether the argument can only change by replacing the object. */
function isFixed({ traits }: AnyField, known: unknown): boolean {
  return traits.replace?.({ old: known, next: undefined }, { patchUndocumented: true }) ?? false;
}

/**
 * Whether the object has every argument that was sent.
 * @param known what counts as sent where the answer does not show it, such as secrets. Default: all that was sent.
 */
export function matchesRequest(
  declaration: Declaration,
  answer: Answer,
  sent: Arguments,
  settings: UpdateSettings,
  known: FieldValues = sent,
): boolean {
  const outputs = outputsOf(declaration, answer, known);
  const state = { outputs, managed: setPaths(declaration.fields, sent), accepted: [] };
  return compare(declaration, state, sent, settings).length === 0;
}

/**
 * Whether the object may have been created with these arguments: a text that was not sent must have its default, or an object
 * without a name would match every other.
 */
export function mayResultFrom(
  declaration: Declaration,
  answer: Answer,
  args: Arguments,
  settings: UpdateSettings,
): boolean {
  // An object whose creation did not finish has a mark as metadata.
  const shown = isCreationMark(answer.metadata) ? { ...answer, metadata: args.metadata } : answer;
  return matchesRequest(declaration, shown, withTexts(declaration, args), settings);
}

/** The arguments, and the default of each text that was not sent. */
export function withTexts({ fields }: Declaration, args: Arguments): Arguments {
  const texts = Object.entries(fields)
    .filter(([name, { shape }]) => shape.kind === "string" && args[name] === undefined)
    .filter(([, { traits }]) => !traits.writeOnly && !traits.secret)
    .map(([name, field]): [string, unknown] => [name, defaultOf(field)]);
  return argumentsFrom({ ...args, ...Object.fromEntries(texts) });
}

/**
 * Whether an answer about a module holds something that was configured. A service may answer 200 for a module that
 * was never set: with no body, {}, null, or defaults only.
 * @param countsFilledIn whether a text that services fill in, such as a cookie prefix, counts as configured.
 */
export function isConfigured({ fields }: Declaration, answer: Answer, countsFilledIn = true): boolean {
  let found = false;
  walk(partsIn(fields, fromWire(fields, answer)), ({ field, value }) => {
    if (field.presence === "computed" || field.traits.inPath) return false;
    if (value === undefined || same(field, value, defaultOf(field))) return false;
    if (!countsFilledIn && isFilledIn(field, value)) return false;
    found ||= holdsContent(field, value);
    return field.shape.kind === "object" && !field.shape.alternatives;
  });
  return found;
}

/** Whether the value itself is content; the members of objects are checked one by one. */
function holdsContent(field: AnyField, value: unknown): boolean {
  return visit<boolean>(field, {
    string: () => value !== "",
    number: () => value !== 0,
    // A switch configures nothing by itself.
    boolean: () => false,
    list: () => Array.isArray(value) && value.length > 0,
    map: () => isRecord(value) && Object.keys(value).length > 0,
    object: ({ alternatives }) => alternatives !== undefined && chosen(value) !== "",
  });
}
