/** Values in the spelling that is known already, so that no preview shows another spelling as a change. */
import type { AnyField } from "./field";
import { same } from "./equality";
import { isRecord, membersOf } from "./unknown";

/** The value, or the known one where both mean the same; in a map that holds for each entry and its key. */
export function inKnownSpelling(field: AnyField, known: unknown, value: unknown): unknown {
  if (known === undefined || known === null) return value;
  if (same(field, known, value)) return known;
  const { shape } = field;
  if (shape.kind !== "map" || !isRecord(value)) return value;
  const entries = Object.entries(membersOf(known));
  const byKey = new Map(entries.map((entry) => [shape.canonicalKey(entry[0]), entry]));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const [knownKey, knownItem] = byKey.get(shape.canonicalKey(key)) ?? [key, item];
      return [knownKey, same(shape.value, knownItem, item) ? knownItem : item];
    }),
  );
}
