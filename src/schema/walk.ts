/**
 * The one walk over fields and their values: what is outside comes before what is inside it. Code has a recursion of its
 * own only where it goes through two values at once (what is the same, matches or changes), makes something else of each
 * kind of field (requests, programs, answers of mocks), or works after the members too (validation).
 */
import { everyField, fieldsOf, visit } from "./field";
import type { AnyField, Fields, ShapeOf, Traits } from "./field";
import type { Json } from "./json";
import { isRecord, mapValues, membersOf } from "./unknown";

/** The members that the field's objects have: its own, or those of its items. */
export function memberFields(field: AnyField): Fields {
  const object = everyField(field).find(({ shape }) => shape.kind === "object");
  return object ? fieldsOf(object) : {};
}

/** The field at the names of members and the keys of maps; undefined where the fields have none: a state may be older. */
export function fieldAt(fields: Fields, [name = "", ...rest]: readonly string[]): AnyField | undefined {
  const field = fields[name];
  if (field === undefined || rest.length === 0) return field;
  return field.shape.kind === "map" ? field.shape.value : fieldAt(memberFields(field), rest);
}

/** A value with its field and its place. */
export class Part {
  constructor(
    readonly field: AnyField,
    readonly value: unknown,
    /** The name of the member, the key in the map or the number in the list, from 0. */
    readonly key: string | number,
    /** What the value is inside; undefined for an argument or output. */
    readonly around?: Part,
  ) {}

  /** The path, such as `ipRestriction.ipPolicyIds[0]`: made only where it is needed, as a map may have many entries. */
  get path(): string {
    const { key, around } = this;
    if (around === undefined) return String(key);
    return around.field.shape.kind === "object"
      ? `${around.path}.${key}`
      : `${around.path}[${JSON.stringify(key)}]`;
  }

  /** What the value, or the innermost one around it that says anything, says of its meaning. */
  get said(): Pick<Traits, "meaning" | "givesNoMore"> {
    const { field, around } = this;
    return field.traits.meaning !== undefined || around === undefined ? field.traits : around.said;
  }

  /** The same place with another value. */
  with(value: unknown): Part {
    return new Part(this.field, value, this.key, this.around);
  }
}

/** The members of the values, those without a value included. */
export function partsIn(fields: Fields, values: Json, around?: Part): Part[] {
  return Object.keys(fields).map((name) => new Part(fields[name]!, values[name], name, around));
}

/** The items of a list, the values of a map or the members of an object. What is not shaped like its field has none. */
export function partsOf(part: Part): Part[] {
  const { field, value } = part;
  return visit<Part[]>(field, {
    leaf: () => [],
    list: ({ item }) => (Array.isArray(value) ? value.map((each, i) => new Part(item, each, i, part)) : []),
    map: ({ value: field, listed }) =>
      listed && Array.isArray(value)
        ? value.map((each, i) => new Part(listed.item, each, i, part))
        : Object.entries(membersOf(value)).map(([key, each]) => new Part(field, each, key, part)),
    object: ({ fields }) => {
      const written = expand(field, value);
      return isRecord(written) ? partsIn(fields, written, part) : [];
    },
  });
}

/** Visits the parts. `enter` says whether those inside a part are visited too. */
export function walk(parts: readonly Part[], enter: (part: Part) => boolean): void {
  for (const part of parts) if (enter(part)) walk(partsOf(part), enter);
}

/** The paths of the members that the program set, nested ones as `outer.inner`. */
export function setPaths(fields: Fields, values: unknown): string[] {
  const paths: string[] = [];
  walk(partsIn(fields, membersOf(values)), (part) => {
    const { field, value } = part;
    if (value === undefined || field.presence === "computed" || field.traits.local) return false;
    paths.push(part.path);
    return field.shape.kind === "object" && isRecord(value);
  });
  return paths;
}

/** The values with those of the fields changed. Others stay as they are. */
export function mapMembers(
  fields: Fields,
  values: Json,
  change: (field: AnyField, value: unknown) => unknown,
): Record<string, unknown> {
  return mapValues(values, (value, name) =>
    // A wrong argument may be called like a member of every object, such as "constructor".
    Object.hasOwn(fields, name) ? change(fields[name]!, value) : value,
  );
}

/**
 * The value with its parts changed. What has no parts, or is not shaped like its field, stays as it is.
 * @param object what an object's value becomes, where that is not an object with changed members.
 */
export function mapParts(
  field: AnyField,
  value: unknown,
  change: (field: AnyField, value: unknown) => unknown,
  object?: (shape: ShapeOf<"object">, members: Json) => unknown,
): unknown {
  // Most values are not containers, and in a large set there are tens of thousands.
  if (typeof value !== "object") return value;
  return visit<unknown>(field, {
    leaf: () => value,
    list: ({ item }) => (Array.isArray(value) ? value.map((each) => change(item, each)) : value),
    map: (shape) => (isRecord(value) ? mapValues(value, (each) => change(shape.value, each)) : value),
    object: (shape) => {
      if (!isRecord(value)) return value;
      return object ? object(shape, value) : mapMembers(shape.fields, value, change);
    },
  });
}

/** The value with a shorthand written out: an object may be written as the value of one of its members. */
export function expand({ shape }: AnyField, value: unknown): unknown {
  if (shape.kind !== "object" || shape.shorthand === undefined) return value;
  return typeof value === "string" ? { [shape.shorthand]: value } : value;
}

/** The value as its shorthand, where that says all of it. */
export function shorten({ shape }: AnyField, value: unknown): unknown {
  if (shape.kind !== "object" || shape.shorthand === undefined) return value;
  const members = Object.entries(membersOf(value));
  return members.length === 1 && members[0]![0] === shape.shorthand ? members[0]![1] : value;
}
