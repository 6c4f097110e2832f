/**
 * The values of a resource on their way between program and service. Each step has a type of its own, so that the compiler
 * checks the order of the steps; at run time all of them are plain objects. What comes from outside may begin as any object:
 * `Inputs` and `StoredOutputs` from the engine, an `Answer` from the service. All others come from the step before, and the
 * functions here are the only ones that say of an object which it is.
 */
import type { Json } from "./json";

declare const step: unique symbol;
type Received<Name> = Json & { readonly [step]?: Name };
type Made<Name> = Json & { readonly [step]: Name };

/** What the engine stores of a program's resource: the arguments, and hints under hidden names. */
export type Inputs = Received<"inputs">;
/** What the program gives, by the names of the fields. */
export type Arguments = Made<"arguments">;
/** What a request says of an object, by the names on the wire. */
export type Body = Made<"body">;
/** What the service says of an object, by the names on the wire. */
export type Answer = Received<"answer">;
/** What the resource shows, by the names of the fields. */
export type Outputs = Made<"outputs">;
/** What the engine stores of an object: the outputs, and the other parts of a `RecordedState` under hidden names. */
export type StoredOutputs = Received<"stored outputs">;
/** What is known of an object by the names of the fields, whether the program gives it or the resource shows it. */
export type FieldValues = Arguments | Outputs;

/** The values as arguments: what a step has made, or what the package gives in the place of a program. */
export const argumentsFrom = (values: Json): Arguments => values as Arguments;
/** The values as outputs. */
export const outputsFrom = (values: Json): Outputs => values as Outputs;
/** The values as the body of a request. */
export const bodyFrom = (values: Json): Body => values as Body;

/** The values without the members that `keeps` refuses. They stay of their step; what has none of them is not copied. */
export function membersWhere<Values extends Json>(
  values: Values,
  keeps: (name: string, value: unknown) => boolean,
): Values {
  const names = Object.keys(values);
  const kept = names.filter((name) => keeps(name, values[name]));
  if (kept.length === names.length) return values;
  return Object.fromEntries(kept.map((name) => [name, values[name]])) as Values;
}
