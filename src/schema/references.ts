/**
 * The ids in the values of an object: which objects it refers to, and where. Only fields that are declared as ids count,
 * so a description that equals an id is not a reference.
 */
import { oncePer } from "./once-per";
import { everyField } from "./field";
import type { AnyField, Fields } from "./field";
import type { Json } from "./json";
import { isAbsent, isUnknown, membersOf } from "./unknown";
import { partsIn, walk } from "./walk";
import type { Part } from "./walk";

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

/** The fields of the arguments that can contain ids: most of the thousands of objects have one or two. */
const idFields = oncePer((fields: Fields) =>
  Object.fromEntries(idArguments(fields).map(({ name, field }) => [name, field])),
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
export const prefixesOf = oncePer((field: AnyField): readonly string[] | undefined => {
  const found = everyField(field).flatMap(({ shape }) => {
    const format = shape.kind === "string" ? shape.format : shape.kind === "map" ? shape.key : {};
    return format.refersTo === undefined ? [] : [format.refersTo];
  });
  return found.length === 0 ? undefined : [...new Set(found.flat())];
});

/** The places for ids in the values of an object, each with the id that it holds; places without a value are left out. */
export function idSlots(fields: Fields, values: Json): IdSlot[] {
  const slots: IdSlot[] = [];
  walk(partsIn(idFields(fields), values), (part) => {
    const { field, value, key } = part;
    const ofKeys = prefixesOfKey(part);
    if (ofKeys !== undefined)
      slots.push(withWeight({ ...slotPlace(part, values), id: String(key), prefixes: ofKeys }, value));
    const prefixes = field.presence === "computed" ? undefined : prefixesOf(field);
    if (prefixes === undefined || isAbsent(value) || value === "") return false;
    const isKnown = !isUnknown(value);
    if (takesId(field) && typeof value === "string")
      slots.push({ ...slotPlace(part, values), id: isKnown ? value : undefined, prefixes });
    else if (!isKnown) slots.push({ ...slotPlace(part, values), isWhole: true, id: undefined, prefixes });
    return isKnown;
  });
  return slots;
}

/** The prefixes of the ids that are keys of the map with the part; undefined where it is in no such map. */
function prefixesOfKey({ around }: Part): readonly string[] | undefined {
  const shape = around?.field.shape;
  return shape?.kind === "map" ? shape.key.refersTo : undefined;
}

/** The argument that contains the part, its place in the innermost list whose order counts, and whether it is disabled. */
function slotPlace(part: Part, values: Json): Omit<IdSlot, "id" | "prefixes"> {
  let position: number | undefined;
  let isOff = values.enabled === false;
  let { key, around } = part;
  for (; around !== undefined; { key, around } = around) {
    const { shape } = around.field;
    if (shape.kind === "list" && shape.ordered) position ??= Number(key);
    if (shape.kind === "object") isOff ||= membersOf(around.value).enabled === false;
  }
  return { argument: String(key), isOff, isWhole: false, ...(position === undefined ? {} : { position }) };
}

function withWeight(slot: IdSlot, value: unknown): IdSlot {
  return typeof value === "number" ? { ...slot, weight: value, isOff: value === 0 } : slot;
}
