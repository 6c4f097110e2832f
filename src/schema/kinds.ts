/** The kinds of fields: what a value is. One constructor each. */
import type * as pulumi from "@pulumi/pulumi";
import { Field } from "./field";
import type { Format, FieldRule } from "./field";
import * as ids from "./formats/id";
import { wordProblem } from "./formats/names";
import { atMostOneOf, exactlyOneOf } from "./member-rules";
import { byteLimit, charLimit, notEmpty } from "./formats/text";

/** A reference in an answer to another object. Specification: Conventions. */
export interface Ref {
  /** The id of the object referred to. */
  id: string;
  /** The address of the object referred to. */
  uri: string;
}

/** Text, validated and compared by its format. `V` are the only values, where the format knows them. */
export function text<V extends string = string>(format: Format = {}): Field<V | undefined> {
  return new Field({ kind: "string", format });
}

/** Text of at most so many bytes in UTF-8, or characters. Specification: Limits. */
export function atMost(count: number, unit: "bytes" | "characters"): Field<string | undefined> {
  const limited = unit === "bytes" ? byteLimit : charLimit;
  return text({ check: limited(count), limit: { count, unit } });
}

/** Text that must not be empty. */
export function filled(): Field<string | undefined> {
  return text({ check: notEmpty });
}

/** An id with one of these prefixes, or any id where the specification states no prefix. */
export function id(...prefixes: string[]): Field<string | undefined> {
  return text(ids.format(...prefixes));
}

/** One of a fixed set of words. */
export function oneOf<V extends string>(...words: V[]): Field<V | undefined> {
  return text({ check: (value) => wordProblem(words, value), example: () => words[0]!, words });
}

/** A number, validated by `check`. `advise` says what looks wrong about a right value. */
export function number(
  check: (value: number) => string | undefined = () => undefined,
  advise?: (value: number) => string | undefined,
): Field<number | undefined> {
  return new Field({ kind: "number", check, advise });
}

/** true or false. */
export function flag(): Field<boolean | undefined> {
  return new Field({ kind: "boolean" });
}

type ListOf<A, O> = Field<
  pulumi.Input<Exclude<A, undefined>>[] | undefined,
  Exclude<O, undefined>[] | undefined
>;

/** A list whose order has a meaning. */
export function list<A, O>(item: Field<A, O>): ListOf<A, O> {
  return new Field({ kind: "list", item, ordered: true });
}

/** A list that is compared as a set. */
export function set<A, O>(item: Field<A, O>): ListOf<A, O> {
  return new Field({ kind: "list", item, ordered: false });
}

/**
 * A map with keys of the user's own, which are never renamed. `adviseEntry` says what looks wrong about a value by its
 * key.
 */
export function map<A, O>(
  value: Field<A, O>,
  key: Format = {},
  adviseEntry?: (key: string, value: string) => string | undefined,
): Field<
  Record<string, pulumi.Input<Exclude<A, undefined>>> | undefined,
  Record<string, Exclude<O, undefined>> | undefined
> {
  return new Field({ kind: "map", value, key, adviseEntry });
}

/** The members of an object whose interface of arguments is `A`. */
export type MembersOf<A> = { readonly [K in keyof A]-?: Field<A[K], unknown> };

/**
 * An object whose members are managed one by one. `A` is the interface of its arguments, `V` what an output holds; both are
 * made from the fields.
 */
export function object<A, V = pulumi.Unwrap<A>>(fields: MembersOf<A>): Field<A | undefined, V | undefined> {
  return new Field({ kind: "object", fields, rules: [], whole: false });
}

/** An object that the service replaces whole: a member left out of it means the member's default. */
export function wholeObject<A, V = pulumi.Unwrap<A>>(
  fields: MembersOf<A>,
  rules: readonly FieldRule[] = [],
): Field<A | undefined, V | undefined> {
  return new Field({ kind: "object", fields, rules, whole: true });
}

/**
 * An object whose members are alternatives. Where exactly one must be set, an answer without any of them is not drift: one
 * that is not shown is set.
 */
export function alternatives<A, V = pulumi.Unwrap<A>>(
  fields: MembersOf<A>,
  howMany: "exactly one" | "at most one",
): Field<A | undefined, V | undefined> {
  const others = howMany === "exactly one";
  const rules = [(others ? exactlyOneOf : atMostOneOf)(...Object.keys(fields))];
  return new Field({ kind: "object", fields, rules, whole: true, alternatives: { others } });
}

/** An object that only answers hold. `V` is its interface. */
export function answered<V>(fields: { readonly [K in keyof V]-?: Field<unknown, V[K]> }): Field<
  V | undefined
> {
  return new Field({ kind: "object", fields, rules: [], whole: false });
}

const reference = answered<Ref>({ id: text().required(), uri: text().required() });

/** A Ref of an answer. */
export function ref(wire: string): Field<never, Ref> {
  return reference.named(wire).computed();
}

/** A list of Refs of an answer. */
export function refs(wire: string): Field<never, Ref[]> {
  return set(reference).named(wire).computed();
}
