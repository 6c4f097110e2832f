/** The parts of a value, along its field. */
import { everyField, fieldsOf, visit } from "./field";
import type { AnyField, Fields, ShapeOf } from "./field";
import type { Json } from "./json";
import { isRecord, membersOf } from "./unknown";

/** The members that the field's objects have: its own, or those of its items. */
export function memberFields(field: AnyField): Fields {
  const object = everyField(field).find(({ shape }) => shape.kind === "object");
  return object ? fieldsOf(object) : {};
}

/** A value with its field, and its path such as `ipRestriction.ipPolicyIds[0]`. */
export interface Part {
  readonly field: AnyField;
  readonly value: unknown;
  readonly path: string;
}

/** The items of a list, the values of a map or the members of an object. What is not shaped like its field has none. */
export function partsOf({ field, value, path }: Part): Part[] {
  return visit<Part[]>(field, {
    leaf: () => [],
    list: ({ item }) =>
      Array.isArray(value)
        ? value.map((each: unknown, i) => ({ field: item, value: each, path: `${path}[${i}]` }))
        : [],
    map: (shape) =>
      Object.entries(membersOf(value)).map(([key, each]) => ({
        ...{ field: shape.value, value: each, path: `${path}[${JSON.stringify(key)}]` },
      })),
    object: ({ fields }) =>
      Object.entries(isRecord(value) ? fields : {}).map(([name, member]) => ({
        ...{ field: member, value: membersOf(value)[name], path: `${path}.${name}` },
      })),
  });
}

interface Parts {
  /** What an object's value becomes. */
  readonly object: (shape: ShapeOf<"object">, value: Record<string, unknown>) => unknown;
  /** What an item of a list or a value of a map becomes. */
  readonly item: (field: AnyField, value: unknown) => unknown;
}

/** The value with its parts changed. What has no parts, or is not shaped like its field, stays as it is. */
export function mapParts(field: AnyField, value: unknown, { object, item }: Parts): unknown {
  // Most values are no containers, and in a large set there are tens of thousands.
  if (typeof value !== "object") return value;
  return visit<unknown>(field, {
    leaf: () => value,
    list: (shape) => (Array.isArray(value) ? value.map((each) => item(shape.item, each)) : value),
    map: (shape) => (isRecord(value) ? mapValues(value, (each) => item(shape.value, each)) : value),
    object: (shape) => (isRecord(value) ? object(shape, value) : value),
  });
}

/** The value with everything in it changed, along the data. What `change` returns as it is has its own parts changed. */
export function mapDeep(value: unknown, change: (part: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value) return changed;
  if (Array.isArray(value)) return value.map((each) => mapDeep(each, change));
  return isRecord(value) ? mapValues(value, (each) => mapDeep(each, change)) : value;
}

/** The object with its values changed. */
export function mapValues(
  values: Json,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}

/** The value with a shorthand written out: an object may be written as the value of one of its members. */
export function expand(field: AnyField, value: unknown): unknown {
  const { shape } = field;
  if (shape.kind !== "object" || shape.shorthand === undefined) return value;
  return typeof value === "string" ? { [shape.shorthand]: value } : value;
}

/** The value as its shorthand, where that says all of it. */
export function shorten(field: AnyField, value: unknown): unknown {
  const { shape } = field;
  if (shape.kind !== "object" || shape.shorthand === undefined) return value;
  const members = Object.entries(value as Readonly<Record<string, unknown>>);
  return members.length === 1 && members[0]![0] === shape.shorthand ? members[0]![1] : value;
}
