import { defaultOf } from "./field";
import type { AnyField } from "./field";
import { isRecord, isUnknown, membersOf } from "./unknown";

/**
 * Whether two values of a field mean the same. Unknown is the same as nothing, null is absent, and a member
 * left out of an object equals its default. Neither is expected to be well shaped: a state may be older than
 * the declaration.
 */
export function same(field: AnyField, a: unknown, b: unknown): boolean {
  if (isUnknown(a) || isUnknown(b)) return false;
  if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
  const { shape } = field;
  switch (shape.kind) {
    case "string":
      if (typeof a !== "string" || typeof b !== "string") return a === b;
      return a === b || (shape.format.same?.(a, b) ?? false);
    case "number":
    case "boolean":
      return a === b;
    case "list":
      if (!Array.isArray(a) || !Array.isArray(b)) return false;
      if (!shape.ordered) return sameSet(shape.item, a, b);
      return a.length === b.length && a.every((item, i) => same(shape.item, item, b[i]));
    case "map":
      return sameEntries(shape.value, withKeys(a, shape.canonicalKey), withKeys(b, shape.canonicalKey));
    case "object":
      return sameMembers(a, b, (name) => shape.fields[name]);
  }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Equal texts are left out first, so that long lists of ids cost no comparison of each with each. */
function sameSet(item: AnyField, a: unknown[], b: unknown[]): boolean {
  const [left, right] = [byText(a), byText(b)];
  const onlyIn = (set: Map<string, unknown>, other: Map<string, unknown>): unknown[] =>
    [...set].filter(([text]) => !other.has(text)).map(([, value]) => value);
  const covers = (values: unknown[], rest: unknown[]): boolean =>
    rest.every((value) => values.some((candidate) => same(item, candidate, value)));
  return covers(b, onlyIn(left, right)) && covers(a, onlyIn(right, left));
}

function byText(values: unknown[]): Map<string, unknown> {
  return new Map(values.map((value) => [JSON.stringify(value), value]));
}

function withKeys(value: unknown, keyFor: (key: string) => string): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [keyFor(key), item]));
}

/** Which of an object's alternatives are set. */
export function chosen(value: unknown): string {
  const members = Object.entries(membersOf(value));
  return members
    .filter(([, member]) => !isAbsent(member))
    .map(([name]) => name)
    .sort()
    .join();
}

/** A key of a map counts even where its value is "", as a label's or an extension's may be. */
function sameEntries(value: AnyField, a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length && keys.every((key) => key in b && same(value, a[key], b[key]))
  );
}

function sameMembers(a: unknown, b: unknown, fieldOf: (name: string) => AnyField | undefined): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => {
    const field = fieldOf(name);
    if (!field) return a[name] === b[name];
    const restored = defaultOf(field);
    return same(field, a[name] ?? restored, b[name] ?? restored);
  });
}
