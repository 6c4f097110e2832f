import type { Json } from "./json";

/**
 * A value that the engine does not know yet, in a hook. In programs such values are Outputs and promises. It is the SDK's
 * `unknownValue`, whose module takes long to load.
 */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

export function isUnknown(value: unknown): boolean {
  return value === unknown;
}

/** Whether anything in the value is unknown. */
export function hasUnknown(value: unknown): boolean {
  return contains(value, isUnknown);
}

/** Whether the test holds for the value or for anything in it. The walk follows the data: it may be wrongly shaped. */
export function contains(value: unknown, test: (part: unknown) => boolean): boolean {
  if (test(value)) return true;
  if (Array.isArray(value)) return value.some((part) => contains(part, test));
  return isRecord(value) && Object.values(value).some((part) => contains(part, test));
}

/** Null means absent. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

export function asText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The members of an object; none if the value is not an object. */
export function membersOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The names of the members that at least one of two objects has. */
export function keysOfBoth(one: Json, other: Json): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

const none: readonly unknown[] = [];

/** The items of a list; none if the value is not a list. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : none;
}

/** The objects in a list. */
export function recordsIn(value: unknown): Record<string, unknown>[] {
  return itemsOf(value).filter(isRecord);
}

/** The texts in a list. A list of texts is returned as it is: a preview may have tens of thousands of them. */
export function textsIn(value: unknown): readonly string[] {
  const isText = (item: unknown): item is string => typeof item === "string";
  const items = itemsOf(value);
  return items.every(isText) ? items : items.filter(isText);
}

/** The value at a path such as `deployment.name`, or at the names of members and the keys of maps. */
export function valueAt(object: unknown, path: string | readonly string[]): unknown {
  if (typeof path !== "string") return path.reduce((part, name) => membersOf(part)[name], object);
  if (!isRecord(object)) return undefined;
  if (path in object) return object[path];
  const dot = path.indexOf(".");
  return dot < 0 ? undefined : valueAt(object[path.slice(0, dot)], path.slice(dot + 1));
}

/** The value with its parts changed, at every depth. If `change` returns a part unchanged, the parts inside it are changed. */
export function mapDeep(value: unknown, change: (part: unknown) => unknown): unknown {
  const changed = change(value);
  if (changed !== value) return changed;
  if (Array.isArray(value)) return value.map((each) => mapDeep(each, change));
  return isRecord(value) ? mapValues(value, (each) => mapDeep(each, change)) : value;
}

/** The object with its values changed. */
export function mapValues(
  values: Json,
  change: (value: unknown, name: string) => unknown,
): Record<string, unknown> {
  const entries = Object.entries(values);
  for (const entry of entries) entry[1] = change(entry[1], entry[0]);
  return Object.fromEntries(entries);
}
