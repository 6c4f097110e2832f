/** Which objects of a list are meant: by what they hold, or by a function of the caller's. */
import { defaultOf } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { same } from "../schema/equality";
import { isRecord } from "../schema/unknown";
import { GatewayError } from "../provider/errors";

/**
 * What an object must hold. Text and numbers are compared by their meaning, so that a range or a time may be
 * spelled in any way; of a map or an object the given members must be there, and of a list the given items.
 */
export type Match<T> = { [K in keyof T]?: MatchValue<T[K]> };

type MatchValue<V> = V extends readonly unknown[]
  ? V
  : V extends object
    ? { [M in keyof V]?: MatchValue<V[M]> }
    : V;

/** Which objects are meant: what they hold, or a function that says so. */
export type Filter<T> = Match<T> | ((object: T) => boolean);

/** Whether an object is meant. Throws where the filter itself is wrong. */
export function matcher<T extends object>(
  fields: Fields,
  noun: string,
  filter: Filter<T> | undefined,
): (object: T) => boolean {
  if (filter === undefined) return () => true;
  if (typeof filter === "function") return filter;
  const wanted = Object.entries(filter).map(([name, value]): [string, unknown, AnyField | undefined] => {
    if (name !== "id" && fields[name] === undefined) {
      const known = ["id", ...Object.keys(fields)].join(", ");
      throw new GatewayError(`filter: ${name} is nothing that the ${noun} has; it has ${known}`);
    }
    if (value === undefined || value === null) {
      // It is more often a variable that was never set than a search for what is not set.
      throw new GatewayError(
        `filter: ${name} is ${String(value)}; leave it out, or look for what is not set with a function: ` +
          `(each) => each.${name} === undefined`,
      );
    }
    return [name, value, fields[name]];
  });
  return (object) =>
    wanted.every(([name, value, field]) => fits(field, value, (object as Record<string, unknown>)[name]));
}

function fits(field: AnyField | undefined, wanted: unknown, value: unknown): boolean {
  if (field === undefined) return wanted === value;
  if (value === undefined || value === null) return same(field, wanted, defaultOf(field) ?? undefined);
  const { shape } = field;
  if (shape.kind === "list" && Array.isArray(wanted) && Array.isArray(value)) {
    return wanted.every((item) => value.some((other) => fits(shape.item, item, other)));
  }
  if (shape.kind === "map" && isRecord(wanted) && isRecord(value)) {
    return Object.entries(wanted).every(([key, item]) => key in value && fits(shape.value, item, value[key]));
  }
  if (shape.kind === "object" && isRecord(wanted) && isRecord(value)) {
    return Object.entries(wanted).every(([name, member]) => fits(shape.fields[name], member, value[name]));
  }
  return same(field, wanted, value);
}

/** The filter in words, for a message. A function has none. */
export function inWords(filter: unknown): string {
  return typeof filter === "function" ? "the filter's function" : JSON.stringify(filter);
}
