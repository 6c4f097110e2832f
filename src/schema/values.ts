/**
 * The values of a resource on their way between program and service. Each step has a type of its own, so that the compiler
 * refuses outputs where it expects arguments. At run time all of them are plain objects, and an object that has no such
 * type may begin any step.
 */
import type { Json } from "./json";

declare const step: unique symbol;
type Step<Name> = Json & { readonly [step]?: Name };

/** What the engine stores of a program's resource: the arguments, and hints under hidden names. */
export type Inputs = Step<"inputs">;
/** What the program gives, by the names of the fields. */
export type Arguments = Step<"arguments">;
/** What the resource shows, by the names of the fields. */
export type Outputs = Step<"outputs">;
/** What a request says of an object, by the names on the wire. */
export type Body = Step<"body">;
/** What the service says of an object, by the names on the wire. */
export type Answer = Step<"answer">;
