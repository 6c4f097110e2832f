import { defaultOf, visit } from "./field";
import type { AnyField, Format } from "./field";
import { expand } from "./shorthand";
import { isAbsent, isRecord, isUnknown, membersOf } from "./unknown";

/**
 * Whether two values of a field mean the same. An unknown value equals nothing, null means absent, and a member
 * left out of an object equals its default. Neither value needs to be well shaped: a state may be older than
 * the declaration.
 */
export function same(field: AnyField, a: unknown, b: unknown): boolean {
  if (isUnknown(a) || isUnknown(b)) return false;
  if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
  return visit<boolean>(field, {
    string: ({ format }) => a === b || sameText(format, a, b),
    leaf: () => a === b,
    list: ({ item, ordered }) =>
      Array.isArray(a) && Array.isArray(b) && (ordered ? sameList(item, a, b) : sameSet(item, a, b)),
    // Keys that are spelled alike need no canonical spelling, which takes most of the time of large maps.
    map: ({ value, canonicalKey }) =>
      sameEntries(value, a, b) || sameEntries(value, withKeys(a, canonicalKey), withKeys(b, canonicalKey)),
    object: ({ fields, shorthand }) =>
      (shorthand !== undefined && typeof a === "string" && a === b) ||
      sameMembers(expand(field, a), expand(field, b), (name) => fields[name]),
  });
}

function sameText(format: Format, a: unknown, b: unknown): boolean {
  return typeof a === "string" && typeof b === "string" && (format.same?.(a, b) ?? false);
}

function sameList(item: AnyField, a: unknown[], b: unknown[]): boolean {
  return a.length === b.length && a.every((each, i) => same(item, each, b[i]));
}

/** Removes items with equal JSON first, so that long lists of ids are not compared each with each. */
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
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(value, a[key], b[key]))
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
