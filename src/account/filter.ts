/** Filters of lists: the members that an object must have, or the caller's function. */
import { defaultOf, visit } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { same } from "../schema/equality";
import { isRecord } from "../schema/unknown";
import { GatewayError } from "../provider/errors";

/**
 * What an object must hold. Values are compared by meaning, so a range or a time matches in every spelling. A map or an
 * object must hold at least the given members, a list at least the given items.
 */
export type Match<T> = { [K in keyof T]?: MatchValue<T[K]> };

type MatchValue<V> = V extends readonly unknown[]
  ? V
  : V extends object
    ? { [M in keyof V]?: MatchValue<V[M]> }
    : V;

/** What an object must hold, or a function that returns true for it. */
export type Filter<T> = Match<T> | ((object: T) => boolean);

/** A function that says whether an object matches. Throws a GatewayError if the filter itself is wrong. */
export function matcher<T extends object>(
  fields: Fields,
  noun: string,
  filter: Filter<T> | undefined,
): (object: T) => boolean {
  if (filter === undefined) return () => true;
  if (typeof filter === "function") return filter;
  const wanted = Object.entries<unknown>(filter);
  for (const [name, value] of wanted) {
    if (name !== "id" && fields[name] === undefined) {
      const known = ["id", ...Object.keys(fields)].join(", ");
      throw new GatewayError(`filter: the ${noun} has no field ${name}; its fields are ${known}`);
    }
    if (value === undefined || value === null) {
      // An undefined value is usually a variable that was never set, not a search for objects without the value.
      throw new GatewayError(
        `filter: ${name} is ${String(value)}; leave it out, or find objects without it by a function: ` +
          `(each) => each.${name} === undefined`,
      );
    }
  }
  return (object) =>
    wanted.every(([name, value]) => fits(fields[name], value, (object as Record<string, unknown>)[name]));
}

function fits(field: AnyField | undefined, wanted: unknown, value: unknown): boolean {
  if (field === undefined) return wanted === value;
  if (value === undefined || value === null) {
    return same(field, wanted, field.traits.absentAs ?? defaultOf(field) ?? undefined);
  }
  const equal = (): boolean => same(field, wanted, value);
  return visit<boolean>(field, {
    leaf: equal,
    list: ({ item }) =>
      Array.isArray(wanted) && Array.isArray(value)
        ? wanted.every((each) => value.some((other) => fits(item, each, other)))
        : equal(),
    map: ({ value: entry }) =>
      isRecord(wanted) && isRecord(value)
        ? Object.entries(wanted).every(([key, each]) => key in value && fits(entry, each, value[key]))
        : equal(),
    object: ({ fields }) =>
      isRecord(wanted) && isRecord(value)
        ? Object.entries(wanted).every(([name, each]) => fits(fields[name], each, value[name]))
        : equal(),
  });
}

/** The filter as text for a message. A function has no text. */
export function inWords(filter: unknown): string {
  return typeof filter === "function" ? "the filter's function" : JSON.stringify(filter);
}
