/** Values in the spelling that is known already, so that no preview shows another spelling as a change. */
import { same } from "./equality";
import { canonicalOf } from "./field";
import type { AnyField } from "./field";
import { isAbsent, isRecord, membersOf } from "./unknown";

/** The value, or the known one where both mean the same; in a map that holds for each entry and its key. */
export function inKnownSpelling(field: AnyField, known: unknown, value: unknown): unknown {
  if (isAbsent(known)) return value;
  if (same(field, known, value)) return known;
  const { shape } = field;
  if (shape.kind !== "map" || !isRecord(value)) return value;
  const before = membersOf(known);
  // Most entries of a large map are spelled as before, so only the others are compared by their canonical keys.
  const isKnown = (key: string): boolean => Object.hasOwn(before, key);
  const others = Object.keys(before).filter((key) => !Object.hasOwn(value, key));
  const byKey = new Map(others.map((key) => [canonicalOf(shape.key, key), key]));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const knownKey = isKnown(key) ? key : (byKey.get(canonicalOf(shape.key, key)) ?? key);
      const knownItem = isKnown(knownKey) ? before[knownKey] : item;
      return [knownKey, same(shape.value, knownItem, item) ? knownItem : item];
    }),
  );
}
