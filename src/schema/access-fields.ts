/** The values that decide who gets in, found by the declaration, at every depth. */
import { everyField } from "./field";
import type { AnyField, Fields } from "./field";
import type { Json } from "./json";
import { partsOf } from "./parts";
import type { Part } from "./parts";

/** Whether the field decides access, or holds one that does. */
function holdsAccess(field: AnyField): boolean {
  return everyField(field).some(({ traits }) => traits.decidesAccess === true);
}

/** The arguments that decide access, or hold one that does. */
export function accessArguments(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => holdsAccess(fields[name]!));
}

/** A value that decides access, and its path, such as `ipRestriction.enabled`. */
export type AccessValue = Pick<Part, "path" | "value">;

type Wanted = (value: unknown, field: AnyField) => boolean;

/**
 * The values that decide access and that `wanted` picks. Declared secrets beside them, such as an app's client secret, do
 * not count. A value that is picked is not searched any further.
 */
export function accessValues(fields: Fields, values: Json, wanted: Wanted): AccessValue[] {
  return accessArguments(fields).flatMap((name) =>
    valuesIn({ field: fields[name]!, value: values[name], path: name }, wanted),
  );
}

/** @param isInside whether the value is a part of one that decides access: all of its parts do. */
function valuesIn(part: Part, wanted: Wanted, isInside = false): AccessValue[] {
  const { field, value, path } = part;
  if (value === undefined || field.traits.secret || field.presence === "computed") return [];
  if (wanted(value, field)) return [{ path, value }];
  const decides = isInside || field.traits.decidesAccess === true;
  return partsOf(part)
    .filter((inner) => decides || holdsAccess(inner.field))
    .flatMap((inner) => valuesIn(inner, wanted, decides));
}
