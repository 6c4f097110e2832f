/**
 * Opaque values: secrets that a preview masks, and values that are known only after the deployment. A text stands for each of
 * them, which is compared by equality alone.
 */
import { randomUUID } from "node:crypto";
import type { AnyField, Fields } from "../../schema/field";
import { visit } from "../../schema/field";
import type { Json } from "../../schema/json";
import { contains, isUnknown, mapDeep, mapValues, unknown } from "../../schema/unknown";
import { mapParts } from "../../schema/walk";
import { secretMask } from "../stack/mask";

/** The mask of a secret that the engine reports as changed: it differs from the earlier mask. No program can contain it. */
const changedMask = `${secretMask} ${randomUUID()}`;

/** The end of the text that stands for all items of a list, whose number nobody knows. */
const allMark = ` all ${randomUUID()}`;

/** Whether the text stands for all items of a list that is opaque as a whole. */
export function isForAll(value: unknown): value is string {
  return typeof value === "string" && value.endsWith(allMark);
}

/** The text that stands for one item. */
function withoutAll(text: string): string {
  return isForAll(text) ? text.slice(0, -allMark.length) : text;
}

/** Whether an opaque text stands for a value that is known only after the deployment, and not for a secret. */
export function isOfUnknown(text: string): boolean {
  return isUnknown(withoutAll(text));
}

export function isOpaque(text: string): boolean {
  const one = withoutAll(text);
  return one === secretMask || one === changedMask || isUnknown(one);
}

/** Whether a part of the value is opaque. */
export function holdsOpaque(value: unknown): boolean {
  return contains(value, (part) => typeof part === "string" && isOpaque(part));
}

/**
 * The new inputs of an update. A preview masks a secret before and after in the same way. So each secret in an argument that
 * the engine reports as changed gets another mask, because the secret may be what changes.
 */
export function withChangedSecrets(news: Json, changed: readonly string[]): Json {
  return mapValues(news, (value, name) => (changed.includes(name) ? mapDeep(value, changedPart) : value));
}

const changedPart = (part: unknown): unknown => {
  if (part === secretMask) return changedMask;
  return part === secretMask + allMark ? changedMask + allMark : part;
};

/** The values, at any depth; a list, map or object that is opaque as a whole gets the shape of its field. */
export function withShapes(fields: Fields, values: Json): Json {
  if (!holdsOpaque(values)) return values;
  return mapValues(values, (value, name) => {
    const field = fields[name];
    return field === undefined ? value : shaped(field, value);
  });
}

function shaped(field: AnyField, value: unknown): unknown {
  if (typeof value !== "string" || !isOpaque(value))
    return mapParts(field, value, shaped, ({ fields }, members) => withShapes(fields, members));
  return visit<unknown>(field, {
    string: () => value,
    number: () => value,
    boolean: () => value,
    list: ({ item }) => {
      const one = shaped(item, value);
      return [typeof one === "string" ? one + allMark : one];
    },
    map: ({ value: item }) => ({ [value]: shaped(item, value) }),
    object: () => unknown,
  });
}
