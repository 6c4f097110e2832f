/** The values that decide who gets in, found by the declaration, at every depth. */
import { fieldsOf, visit } from "./field";
import type { AnyField, Fields } from "./field";
import type { Json } from "./json";
import { isRecord } from "./unknown";

/** Whether the field decides access, or holds one that does. */
function holdsAccess(field: AnyField): boolean {
  return field.traits.decidesAccess === true || Object.values(fieldsOf(field)).some(holdsAccess);
}

/** The arguments that decide access, or hold one that does. */
export function accessArguments(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => holdsAccess(fields[name]!));
}

/** A value that decides access, and its path, such as `ipRestriction.enabled`. */
export interface AccessValue {
  readonly path: string;
  readonly value: unknown;
}

type Wanted = (value: unknown, field: AnyField) => boolean;

/**
 * The values that decide access and that `wanted` picks. Declared secrets beside them, such as an app's client secret, do
 * not count. A value that is picked is not searched any further.
 */
export function accessValues(fields: Fields, values: Json, wanted: Wanted): AccessValue[] {
  return accessArguments(fields).flatMap((name) => valuesAt(fields[name]!, values[name], name, wanted));
}

/** @param isInside whether the value is a part of one that decides access: all of its parts do. */
function valuesAt(
  field: AnyField,
  value: unknown,
  path: string,
  wanted: Wanted,
  isInside = false,
): AccessValue[] {
  if (value === undefined || field.traits.secret || field.presence === "computed") return [];
  if (wanted(value, field)) return [{ path, value }];
  const decides = isInside || field.traits.decidesAccess === true;
  return visit<AccessValue[]>(field, {
    leaf: () => [],
    list: ({ item }) =>
      Array.isArray(value)
        ? value.flatMap((each, index) => valuesAt(item, each, `${path}[${index}]`, wanted, decides))
        : [],
    map: (shape) =>
      isRecord(value)
        ? Object.entries(value).flatMap(([key, each]) =>
            valuesAt(shape.value, each, `${path}[${JSON.stringify(key)}]`, wanted, decides),
          )
        : [],
    object: ({ fields }) => {
      if (!isRecord(value)) return [];
      const names = decides ? Object.keys(fields) : accessArguments(fields);
      return names.flatMap((name) =>
        valuesAt(fields[name]!, value[name], `${path}.${name}`, wanted, decides),
      );
    },
  });
}
