/** The state format: what the life cycle keeps of an object beside its outputs. */
import type { Declaration } from "../../schema/declaration";
import type { AnyField, Fields, ShapeOf } from "../../schema/field";
import { markInHook, plaintextKey, secretSignature } from "../../schema/secrets";
import { isRecord, membersOf } from "../../schema/unknown";
import { same } from "../../schema/equality";
import { defaultOf, guards } from "../../schema/field";
import type { Json } from "../../schema/json";
import { fromWire } from "../wire";

/**
 * The outputs to keep for an object.
 * @param prior what is known already: the arguments sent, or the state before.
 * @param setArguments the names of the arguments that the program sets.
 */
export function outputsOf(
  declaration: Declaration,
  answer: Json,
  prior: Json,
  setArguments: readonly string[],
): Json {
  const values = withoutAbsent(fromWire(declaration.fields, answer, prior));
  return { ...values, __args: setArguments };
}

/**
 * The outputs, with the known values of arguments that an answer left out though they cannot have been removed.
 * Taken as a removal, a member that the service merely hides would replace the object.
 */
export function withUnanswered(fields: Fields, outputs: Json, prior: Json): Json {
  const kept = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const [value, known] = [outputs[name], prior[name]];
    const { shape } = field;
    if (value === undefined) {
      if (field.presence === "required" || field.traits.lasting || isFixed(field, known))
        return [[name, known]];
      const members = shape.kind === "object" ? fixedMembers(shape.fields, membersOf(known)) : [];
      return members.length > 0 ? [[name, Object.fromEntries(members)]] : [];
    }
    if (shape.kind !== "object" || !isRecord(value)) return [];
    return [[name, withUnanswered(shape.fields, value, membersOf(known))]];
  });
  return { ...outputs, ...Object.fromEntries(kept) };
}

/** The members that remain when the program leaves the whole object out, such as the namespace of a deployment. */
function fixedMembers(fields: Fields, known: Json): [string, unknown][] {
  return Object.entries(known).filter(([name, value]) => {
    const member = fields[name];
    return member?.presence === "optional" && isFixed(member, value);
  });
}

/** Whether the argument cannot be changed in any way while the object lives. */
function isFixed({ traits }: AnyField, known: unknown): boolean {
  return traits.replace?.({ old: known, next: undefined }, { patchUndocumented: true }) ?? false;
}

/**
 * Whether the outputs differ from the arguments that were sent last: the service did not take them as they were. The
 * engine, which compares inputs, cannot see it.
 */
export function isUnlike(state: Json): boolean {
  return state.__unlike === true;
}

/**
 * Outputs as a hook returns them. What the object does not have is null: an output that the state lacks
 * would be unknown in every preview, and what depends on it would show a change that there is not.
 */
export function returnedOutputs(declaration: Declaration, outputs: Json): Record<string, unknown> {
  const shown = Object.keys(declaration.fields).filter((name) => !declaration.fields[name]!.traits.local);
  const absent = Object.fromEntries(shown.map((name) => [name, null]));
  const { __accepted, __acceptedEntries, __local, ...rest } = outputs;
  const given = Object.entries({ __accepted, __acceptedEntries }).filter(
    ([, sent]) => Object.keys(membersOf(sent)).length > 0,
  );
  if (__local !== undefined) given.push(["__local", __local]);
  // What the program gave may be a secret, also one that only the program marked.
  const hidden = given.map(([name, value]): [string, unknown] => [name, { ...secretSignature, value }]);
  return { ...absent, ...returned(declaration, rest), ...Object.fromEntries(hidden) };
}

/** The hidden input that names the arguments whose local parts change in this deployment. */
export const changedLocalKey = "__changedLocal";

/**
 * The values without what is there for others, Pulumi's serialized provider and the hints for diff and review, without the
 * number of their format that states of 0.1.0 hold, and without the nulls that stand for what is absent.
 */
export function withoutHidden(values: Json): Json {
  const {
    __provider: _,
    __v: _format,
    [plaintextKey]: _plaintext,
    [changedLocalKey]: _changed,
    ...rest
  } = values;
  return withoutAbsent(rest);
}

/** Values as a hook returns them: nothing undefined, and every secret marked. */
export function returned(declaration: Declaration, values: Json): Record<string, unknown> {
  return markInHook(declaration.fields, withoutAbsent(values));
}

/**
 * The values without undefined and null members, at every depth; Pulumi's plugin cannot write undefined. What has none
 * is not copied: a set may have tens of thousands of entries.
 */
export function withoutAbsent(values: Json): Record<string, unknown> {
  const changed: [string, unknown][] = [];
  for (const name of Object.keys(values)) {
    const value = values[name];
    const kept = isRecord(value) ? withoutAbsent(value) : (value ?? undefined);
    if (kept !== value || kept === undefined) changed.push([name, kept]);
  }
  if (changed.length === 0) return values;
  const result: Record<string, unknown> = { ...values };
  for (const [name, kept] of changed) {
    if (kept === undefined) delete result[name];
    else result[name] = kept;
  }
  return result;
}

/**
 * The inputs that would have led to these outputs: what Pulumi stores as inputs after a refresh found drift.
 * They hold what the program set, and what differs from the default in an object that is set whole.
 */
export function inputsOf(declaration: Declaration, outputs: Json, setArguments: readonly string[]): Json {
  return pick(declaration.fields, outputs, "", new Set(setArguments), declaration.whole);
}

function pick(
  fields: Fields,
  values: unknown,
  prefix: string,
  set: ReadonlySet<string>,
  whole: boolean,
): Json {
  const given = membersOf(values);
  const picked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const path = prefix + name;
    const value = given[name];
    if (field.presence === "computed" || value === undefined) continue;
    const drifted = whole && guards(field) && !same(field, value, defaultOf(field));
    if (!set.has(path) && !drifted) continue;
    const { shape } = field;
    picked[name] =
      shape.kind === "object" && isSetIn(shape, path, value, set)
        ? pick(shape.fields, value, `${path}.`, set, whole || shape.whole)
        : value;
  }
  return picked;
}

/** Whether the program set the one of the object's alternatives that it holds: another one is drift as a whole. */
function isSetIn(shape: ShapeOf<"object">, path: string, value: unknown, set: ReadonlySet<string>): boolean {
  return !shape.alternatives || Object.keys(membersOf(value)).every((name) => set.has(`${path}.${name}`));
}
