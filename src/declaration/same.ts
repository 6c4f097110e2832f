import { defaultOf } from "./field";
import type { AnyField } from "./field";
import { isRecord, isUnknown } from "./unknown";

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
      if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
      return shape.ordered ? a.every((item, i) => same(shape.item, item, b[i])) : sameSet(shape.item, a, b);
    case "map":
      return sameMembers(a, b, () => shape.value);
    case "object":
      return sameMembers(a, b, (name) => shape.fields[name]);
  }
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Equal texts are struck out first, so that long lists of ids cost no comparison of each with each. */
function sameSet(item: AnyField, a: unknown[], b: unknown[]): boolean {
  const left = new Map<string, unknown[]>();
  for (const value of a) {
    const key = JSON.stringify(value);
    const equals = left.get(key);
    if (equals) equals.push(value);
    else left.set(key, [value]);
  }
  const unmatched = b.filter((value) => left.get(JSON.stringify(value))?.pop() === undefined);
  const rest = [...left.values()].flat();
  return unmatched.every((value) => {
    const index = rest.findIndex((candidate) => same(item, candidate, value));
    if (index < 0) return false;
    rest.splice(index, 1);
    return true;
  });
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
