/**
 * The public interfaces of a collection, inferred from its fields. Each is a mapping of the fields' own names alone, which
 * keeps their documentation in editors and in the declarations of the package, with every compiler since TypeScript 3.8.
 */
import type * as pulumi from "@pulumi/pulumi";
import type { AnyField } from "./field";

/** Fields by name. An interface of fields has no index signature, as `Fields` demands one. */
export type FieldsIn<F> = { readonly [K in keyof F]: AnyField };

/** Names of fields by what a program gives: all of them, or those that it may or must give. */
export type ArgumentName<F> = { [K in keyof F]: F[K] extends { argument: never } ? never : K }[keyof F] &
  string;
type OptionalName<F> = {
  [K in keyof F]: F[K] extends { argument: infer A } ? (undefined extends A ? K : never) : never;
}[keyof F];

type Given<F extends FieldsIn<F>, K extends keyof F> = {
  -readonly [P in K]: pulumi.Input<F[P]["argument"]>;
};
type MaybeGiven<F extends FieldsIn<F>, K extends keyof F> = {
  -readonly [P in K]?: pulumi.Input<Exclude<F[P]["argument"], undefined>>;
};

/** What a program gives: an Input for each argument, at every depth. */
export type ArgsOf<F extends FieldsIn<F>> = Given<F, Exclude<ArgumentName<F>, OptionalName<F>>> &
  MaybeGiven<F, ArgumentName<F> & OptionalName<F>>;

type OutputName<F> = { [K in keyof F]: F[K] extends { output: never } ? never : K }[keyof F];
type Shown<F extends FieldsIn<F>, K extends keyof F> = {
  readonly [P in K]: pulumi.Output<F[P]["output"]>;
};

/** The outputs of a resource. */
export type OutputsOf<F extends FieldsIn<F>> = Shown<F, OutputName<F>>;

type MaybeName<F> = {
  [K in keyof F]: F[K] extends { output: infer O } ? (undefined extends O ? K : never) : never;
}[keyof F];
type Held<F extends FieldsIn<F>, K extends keyof F> = { -readonly [P in K]: F[P]["output"] };
type MaybeHeld<F extends FieldsIn<F>, K extends keyof F> = { -readonly [P in K]?: F[P]["output"] };

/** The plain value of an object with these fields. */
export type ValueOf<F extends FieldsIn<F>> = Held<F, Exclude<OutputName<F>, MaybeName<F>>> &
  MaybeHeld<F, OutputName<F> & MaybeName<F>>;

/** What a function that reads an object gives: all members are there, though some may be undefined. */
export type ReadOf<F extends FieldsIn<F>> = Held<F, keyof F>;

/** The fields of several groups, in this order. Groups stay apart to the compiler, so that they keep their documentation. */
export function together<A, B, C = unknown, D = unknown, E = unknown, F = unknown>(
  a: A,
  b: B,
  c?: C,
  d?: D,
  e?: E,
  f?: F,
): A & B & C & D & E & F {
  return Object.assign({}, a, b, c, d, e, f) as A & B & C & D & E & F;
}
