/**
 * The ids in the values of an object: which objects it refers to, and where. Only fields that are declared as ids count,
 * so a description that equals an id is no reference.
 */
import { oncePer } from "../once-per";
import { everyField, visit } from "./field";
import type { AnyField, Fields } from "./field";
import type { Json } from "./json";
import { isAbsent, isUnknown, membersOf } from "./unknown";

/** A place that takes the id of an object. */
export interface IdSlot {
  /** The argument that contains the place. */
  readonly argument: string;
  /** The prefixes of the ids that it takes; none where the specification states none. */
  readonly prefixes: readonly string[];
  /** Undefined if it is not known yet. */
  readonly id: string | undefined;
  /** A list, a map or an object is not known yet: it can hold any number of ids. */
  readonly isWhole: boolean;
  /** The place in a list whose order counts, from 0. */
  readonly position?: number;
  /** The number that a map gives the id. */
  readonly weight?: number;
  /** The object that contains the place is disabled, or the weight is 0. */
  readonly isOff: boolean;
}

/** An argument that can contain ids. */
export interface IdArgument {
  readonly name: string;
  readonly field: AnyField;
  /** The prefixes of the ids, in values and in keys of maps. */
  readonly prefixes: readonly string[];
}

/** The arguments that can contain ids. */
export const idArguments = oncePer((fields: Fields): readonly IdArgument[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const prefixes = field.presence === "computed" ? undefined : prefixesOf(field);
    return prefixes === undefined ? [] : [{ name, field, prefixes }];
  }),
);

/** Whether a field's values are ids. */
export function takesId({ shape }: AnyField): boolean {
  return shape.kind === "string" && shape.format.refersTo !== undefined;
}

/** Whether a field takes an id, or contains one that does. */
export function mayHoldIds(field: AnyField): boolean {
  return prefixesOf(field) !== undefined;
}

/** The prefixes of the ids that a field can contain; undefined if it can contain none. */
export function prefixesOf(field: AnyField): readonly string[] | undefined {
  const found = everyField(field).flatMap(({ shape }) => {
    const format = shape.kind === "string" ? shape.format : shape.kind === "map" ? shape.key : {};
    return format.refersTo === undefined ? [] : [format.refersTo];
  });
  return found.length === 0 ? undefined : [...new Set(found.flat())];
}

/** The places for ids in the values of an object, each with the id that it holds; places without a value are left out. */
export function idSlots(fields: Fields, values: Json): IdSlot[] {
  return idArguments(fields).flatMap(({ name, field }) =>
    slotsIn(field, values[name], { argument: name, isOff: values.enabled === false }),
  );
}

type Place = Omit<IdSlot, "id" | "prefixes" | "isWhole">;

function slotsIn(field: AnyField, value: unknown, at: Place): IdSlot[] {
  if (isAbsent(value) || value === "") return [];
  const slot = (id: string | undefined, prefixes: readonly string[], isWhole = false): IdSlot => ({
    ...at,
    ...{ id, prefixes, isWhole },
  });
  if (isUnknown(value)) {
    const prefixes = prefixesOf(field);
    return prefixes === undefined ? [] : [slot(undefined, prefixes, !takesId(field))];
  }
  const members = membersOf(value);
  return visit<IdSlot[]>(field, {
    string: ({ format }) =>
      format.refersTo && typeof value === "string" ? [slot(value, format.refersTo)] : [],
    leaf: () => [],
    list: ({ item, ordered }) =>
      Array.isArray(value)
        ? value.flatMap((each, position) => slotsIn(item, each, ordered ? { ...at, position } : at))
        : [],
    map: ({ key: { refersTo }, value: entry }) =>
      Object.entries(members).flatMap(([id, member]) => [
        ...(refersTo ? [{ ...slot(id, refersTo), ...weightOf(member, at) }] : []),
        ...slotsIn(entry, member, at),
      ]),
    object: ({ fields }) => {
      const isOff = at.isOff || members.enabled === false;
      return idArguments(fields).flatMap(({ name, field: member }) =>
        slotsIn(member, members[name], { ...at, isOff }),
      );
    },
  });
}

function weightOf(value: unknown, { isOff }: Place): Partial<Place> {
  return typeof value === "number" ? { weight: value, isOff: isOff || value === 0 } : {};
}
