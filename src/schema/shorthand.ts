/** Objects that may be written as the value of one of their members. */
import type { AnyField } from "./field";

/** The value with a shorthand written out. */
export function expand(field: AnyField, value: unknown): unknown {
  const { shape } = field;
  if (shape.kind !== "object" || shape.shorthand === undefined) return value;
  return typeof value === "string" ? { [shape.shorthand]: value } : value;
}

/** The value as its shorthand, where that says all of it. */
export function shorten(field: AnyField, value: unknown): unknown {
  const { shape } = field;
  if (shape.kind !== "object" || shape.shorthand === undefined) return value;
  const members = Object.entries(value as Readonly<Record<string, unknown>>);
  return members.length === 1 && members[0]![0] === shape.shorthand ? members[0]![1] : value;
}
