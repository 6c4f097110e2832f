/** Which values mean the same. */
import { canonicalOf, defaultOf, visit } from "./field";
import type { AnyField, Format } from "./field";
import { expand } from "./walk";
import { isAbsent, isRecord, isUnknown, keysOfBoth, membersOf } from "./unknown";

/**
 * Whether two values of a field mean the same. An unknown value equals nothing, null means absent, and a member
 * left out of an object equals its default. Neither value needs to be well shaped: a state may be older than
 * the declaration.
 */
export function same(field: AnyField, a: unknown, b: unknown): boolean {
  if (isUnknown(a) || isUnknown(b)) return false;
  if (isAbsent(a) || isAbsent(b)) return isAbsent(a) && isAbsent(b);
  // Equal texts are the usual case, and in a large set there are tens of thousands.
  if (a === b && typeof a === "string") return true;
  return visit<boolean>(field, {
    string: ({ format }) =>
      typeof a === "string" && typeof b === "string" && canonicalOf(format, a) === canonicalOf(format, b),
    leaf: () => a === b,
    list: ({ item, ordered }) =>
      Array.isArray(a) && Array.isArray(b) && (ordered ? sameList(item, a, b) : sameSet(item, a, b)),
    map: ({ key, value }) => sameMap(key, value, a, b),
    object: ({ fields }) => sameMembers(expand(field, a), expand(field, b), (name) => fields[name]),
  });
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

/** Which of an object's alternatives are set. */
export function chosen(value: unknown): string {
  const members = Object.entries(membersOf(value));
  return members
    .filter(([, member]) => !isAbsent(member))
    .map(([name]) => name)
    .sort()
    .join();
}

/**
 * A key of a map counts even where its value is "", as a label's or an extension's may be. Keys are spelled canonically
 * only where that may matter, because a map may have tens of thousands.
 */
function sameMap(keyFormat: Format, value: AnyField, a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  const isOnlyIn = (one: Record<string, unknown>, other: Record<string, unknown>) => (key: string) =>
    !Object.hasOwn(other, key) || !same(value, one[key], other[key]);
  const left = Object.keys(a).filter(isOnlyIn(a, b));
  const right = Object.keys(b).filter(isOnlyIn(b, a));
  if (left.length !== right.length) return false;
  const others = new Map(right.map((key) => [canonicalOf(keyFormat, key), b[key]]));
  return left.every((key) => {
    const spelling = canonicalOf(keyFormat, key);
    return others.has(spelling) && same(value, a[key], others.get(spelling));
  });
}

function sameMembers(a: unknown, b: unknown, fieldOf: (name: string) => AnyField | undefined): boolean {
  if (!isRecord(a) || !isRecord(b)) return false;
  return keysOfBoth(a, b).every((name) => {
    const field = fieldOf(name);
    if (!field) return a[name] === b[name];
    const restored = defaultOf(field);
    return same(field, a[name] ?? restored, b[name] ?? restored);
  });
}

/**
 * Whether two values give the same members of an object. A member that is left out is the service's to fill in, and not its empty
 * value, unless its default is stated.
 */
export function givesTheSame(field: AnyField, a: unknown, b: unknown): boolean {
  if (field.shape.kind !== "object") return true;
  const [one, other] = [membersOf(expand(field, a)), membersOf(expand(field, b))];
  return Object.entries(field.shape.fields).every(([name, member]) => {
    if (member.traits.serverDefault?.known) return true;
    return isAbsent(one[name]) === isAbsent(other[name]) && givesTheSame(member, one[name], other[name]);
  });
}

/**
 * The value, or the known one where both mean the same, so that no preview shows another spelling as a change; in a map
 * that holds for each entry and its key.
 */
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
