/**
 * The local parts of arguments: what the program gives and no request carries, such as the end of an entry. No answer
 * holds them, so a state records them beside the outputs.
 */
import { oncePer } from "./once-per";
import { same } from "./equality";
import { everyField, fieldsOf, visit } from "./field";
import type { AnyField, Fields } from "./field";
import type { Json } from "./json";
import { expand } from "./walk";
import { isRecord, keysOfBoth, membersOf } from "./unknown";

const holdsLocal = oncePer((field: AnyField) =>
  everyField(field).some(({ traits }) => traits.local === true),
);

/** Whether any of the fields has a local part. */
export const haveLocal = oncePer((fields: Fields) => Object.values(fields).some(holdsLocal));

/** The local parts of the values, at their places, and nothing else. */
export function localPart(fields: Fields, values: Json): Json {
  const parts = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
    const value = values[name];
    if (value === undefined || !holdsLocal(field)) return [];
    const part = field.traits.local ? value : localWithin(field, value);
    return part === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(parts);
}

function localWithin(field: AnyField, value: unknown): Json | undefined {
  if (!isRecord(value)) return undefined;
  const part = visit<Json>(field, {
    leaf: () => ({}),
    list: () => ({}),
    map: (shape) =>
      Object.fromEntries(
        Object.entries(value).flatMap(([key, each]) => {
          const inner = localWithin(shape.value, each);
          return inner ? [[key, inner]] : [];
        }),
      ),
    object: (shape) => localPart(shape.fields, value),
  });
  return Object.keys(part).length === 0 ? undefined : part;
}

/** The values with local parts in the entries and objects that they hold. */
export function withLocal<Values extends Json>(fields: Fields, values: Values, parts: Json): Values {
  const added = Object.entries(parts).flatMap(([name, part]): [string, unknown][] => {
    const field = fields[name];
    if (!field) return [];
    if (field.traits.local) return [[name, part]];
    return values[name] === undefined ? [] : [[name, withLocalIn(field, values[name], part)]];
  });
  return added.length === 0 ? values : { ...values, ...Object.fromEntries(added) };
}

function withLocalIn(field: AnyField, value: unknown, part: unknown): unknown {
  const given = expand(field, value);
  if (!isRecord(given)) return value;
  if (field.shape.kind !== "map") return withLocal(fieldsOf(field), given, membersOf(part));
  const { value: entry } = field.shape;
  const added = Object.entries(membersOf(part))
    .filter(([key]) => Object.hasOwn(given, key))
    .map(([key, each]): [string, unknown] => [key, withLocalIn(entry, given[key], each)]);
  return { ...given, ...Object.fromEntries(added) };
}

/** The arguments whose local parts differ. */
export function changedLocal(fields: Fields, before: Json, after: Json): string[] {
  return keysOfBoth(before, after).filter(
    (name) => fields[name] && !same(fields[name], before[name], after[name]),
  );
}
