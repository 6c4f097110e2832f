/** The kinds of fields: what a value is. One constructor each. */
import { Field } from "./field";
import type { AnyField, Fields, Format, Presence, FieldRule } from "./field";
import * as ids from "./formats/id";
import { quote } from "./formats/quote";
import { byteLimit, charLimit, notEmpty } from "./formats/text";

/** A reference in an answer to another object. Specification: Conventions. */
export interface Ref {
  /** The id of the object referred to. */
  id: string;
  /** The address of the object referred to. */
  uri: string;
}

/** Text, validated and compared by its format. */
export function text(format: Format = {}): Field<string> {
  return new Field<string>({ kind: "string", format }, "optional");
}

/** Text of at most `limit` bytes in UTF-8. Specification: Limits. */
export function bytes(limit: number): Field<string> {
  return text({ check: byteLimit(limit), limit: { count: limit, unit: "bytes" } });
}

/** Text of at most `limit` characters. Specification: Limits. */
export function characters(limit: number): Field<string> {
  return text({ check: charLimit(limit), limit: { count: limit, unit: "characters" } });
}

/** Text that must not be empty. */
export function filled(): Field<string> {
  return text({ check: notEmpty });
}

/** An id with one of these prefixes, or any id where the specification states no prefix. */
export function id(...prefixes: string[]): Field<string> {
  return text(ids.format(...prefixes));
}

/** One of a fixed set of words. */
export function oneOf<V extends string>(...words: V[]): Field<V> {
  const allowed = words.map((word) => JSON.stringify(word)).join(" or ");
  const check = (value: string): string | undefined =>
    (words as string[]).includes(value) ? undefined : `must be ${allowed}, not ${quote(value)}`;
  return new Field<V>({ kind: "string", format: { check, example: () => words[0]! } }, "optional");
}

/** A number, validated by `check`. `advise` says what looks wrong about a right value. */
export function number(
  check: (value: number) => string | undefined = () => undefined,
  advise?: (value: number) => string | undefined,
): Field<number> {
  return new Field<number>({ kind: "number", check, advise }, "optional");
}

/** true or false. */
export function flag(): Field<boolean> {
  return new Field<boolean>({ kind: "boolean" }, "optional");
}

/** A list whose order has a meaning. */
export function list<T, P extends Presence>(item: Field<T, P>): Field<T[]> {
  return new Field<T[]>({ kind: "list", item, ordered: true }, "optional");
}

/** A list that is compared as a set. */
export function set<T, P extends Presence>(item: Field<T, P>): Field<T[]> {
  return new Field<T[]>({ kind: "list", item, ordered: false }, "optional");
}

/**
 * A map with keys of the user's own, which are never renamed. `adviseEntry` says what looks wrong about a value by its
 * key.
 */
export function map<T, P extends Presence>(
  value: Field<T, P>,
  key: Format = {},
  adviseEntry?: (key: string, value: string) => string | undefined,
): Field<Record<string, T>> {
  return new Field<Record<string, T>>({ kind: "map", value, key, adviseEntry }, "optional");
}

type TypeOf<F> = F extends Field<infer T, infer _P> ? T : never;
type Required<F> = { [K in keyof F]: F[K] extends Field<infer _T, "required"> ? K : never }[keyof F];
type Flat<T> = { [K in keyof T]: T[K] };

/** The value of an object with these fields. */
type ValueOf<F> = Flat<
  { [K in Required<F>]: TypeOf<F[K]> } & { [K in Exclude<keyof F, Required<F>>]?: TypeOf<F[K]> }
>;

/** An object whose members are managed one by one. */
export function object<F extends Fields>(fields: F): Field<ValueOf<F>> {
  return new Field<ValueOf<F>>({ kind: "object", fields, rules: [], whole: false }, "optional");
}

/** An object that is replaced whole and that may be written as the value of its member `name` alone. */
export function shorthand<N extends string, F extends Fields & Record<N, AnyField>>(
  name: N,
  fields: F,
): Field<ValueOf<F> | TypeOf<F[N]>> {
  return new Field({ kind: "object", fields, rules: [], whole: true, shorthand: name }, "optional");
}

/** An object that the service replaces whole: a member left out of it means the member's default. */
export function wholeObject<F extends Fields>(
  fields: F,
  rules: readonly FieldRule[] = [],
): Field<ValueOf<F>> {
  return new Field<ValueOf<F>>({ kind: "object", fields, rules, whole: true }, "optional");
}

/**
 * An object whose members are alternatives; `howMany` is the rule that says how many of them may be set. With `others`,
 * an answer without any of the members is not drift: one that is not shown may be set.
 */
export function alternatives<F extends Fields>(
  fields: F,
  howMany: (...members: string[]) => FieldRule,
  { others = false } = {},
): Field<ValueOf<F>> {
  const rules = [howMany(...Object.keys(fields))];
  return new Field<ValueOf<F>>(
    { kind: "object", fields, rules, whole: true, alternatives: { others } },
    "optional",
  );
}

const reference: Field<Ref> = object({ id: text().required(), uri: text().required() });

/** A Ref of an answer. */
export function ref(wire: string): Field<Ref, "computed"> {
  return reference.named(wire).computed();
}

/** A list of Refs of an answer. */
export function refs(wire: string): Field<Ref[], "computed"> {
  return set(reference).named(wire).computed();
}
