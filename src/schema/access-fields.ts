/** The values that decide who gets in, found by the declaration, at every depth. */
import { everyField } from "./field";
import type { AnyField, Fields } from "./field";
import type { Json } from "./json";
import { isAccess } from "./meaning";
import type { Meaning } from "./meaning";
import { oncePer } from "./once-per";
import { partsIn, walk } from "./walk";
import type { Part } from "./walk";

/** Whether the field decides access, or holds one that does. Declared secrets do not count: no review can read them. */
const holdsAccess = oncePer((field: AnyField) =>
  everyField(field).some(({ traits }) => isAccess(traits.meaning) && !traits.secret),
);

/** The arguments that decide access, or hold one that does. */
export const accessArguments = oncePer((fields: Fields): readonly string[] =>
  Object.keys(fields).filter((name) => holdsAccess(fields[name]!)),
);

/** A value that decides access, its path, such as `ipRestriction.enabled`, and what it decides. */
export interface AccessValue extends Pick<Part, "path" | "value"> {
  /** Undefined of a value around others that have meanings of their own. */
  readonly meaning: Meaning | undefined;
}

type Wanted = (value: unknown, field: AnyField) => boolean;

/**
 * The values that decide access and that `wanted` picks. Declared secrets beside them, such as an app's client secret, do
 * not count. A value that is picked is not searched any further.
 */
export function accessValues(fields: Fields, values: Json, wanted: Wanted): AccessValue[] {
  const found: AccessValue[] = [];
  walk(partsIn(fields, values), (part) => {
    const { field, value } = part;
    if (value === undefined || field.traits.secret || field.presence === "computed") return false;
    const { meaning } = part.said;
    if (!isAccess(meaning) && !holdsAccess(field)) return false;
    const isWanted = wanted(value, field);
    if (isWanted) found.push({ path: part.path, value, meaning });
    return !isWanted;
  });
  return found;
}
