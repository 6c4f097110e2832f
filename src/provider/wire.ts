/** The one mapping between arguments and outputs and what goes over the wire. It walks the declaration. */
import { defaultOf, wireName } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { redacted } from "../schema/formats/redacted";
import { notReturned } from "../schema/not-returned";
import { same } from "../schema/equality";
import { isRecord, membersOf } from "../schema/unknown";
import { GatewayError } from "./errors";
import type { Json } from "../schema/json";

/** A request body with the given values. What is computed, local or absent is not sent. */
export function toWire(fields: Fields, values: Json): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined || field.presence === "computed") continue;
    if (field.traits.local || field.traits.inPath) continue;
    if (value === notReturned && field.traits.secret) {
      throw new GatewayError(
        `${name}: the service does not return this secret of an imported object, and this change must send it; ` +
          `set it in the program`,
      );
    }
    body[wireName(name, field)] = valueToWire(field, value);
  }
  return body;
}

function valueToWire(field: AnyField, value: unknown): unknown {
  const { shape } = field;
  if (shape.kind === "object" && isRecord(value)) return toWire(shape.fields, value);
  if (shape.kind === "list" && Array.isArray(value))
    return value.map((item) => valueToWire(shape.item, item));
  if (shape.kind === "map" && isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, valueToWire(shape.value, item)]),
    );
  }
  return value;
}

/**
 * The outputs that an answer stands for. `prior` holds what is known already: an equal value keeps its
 * spelling, and what the answer does not tell (secrets, what is never returned) is kept.
 */
export function fromWire(fields: Fields, answer: Json, prior: Json): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.traits.local) continue;
    const value =
      field.traits.writeOnly || field.traits.inPath
        ? prior[name]
        : reconcile(field, valueFromWire(field, answerFor(name, field, answer), prior[name]), prior[name]);
    if (value !== undefined) values[name] = value;
    // A program may rely on a list that every answer is said to hold.
    else if (field.shape.kind === "list" && field.presence !== "optional") values[name] = [];
  }
  return values;
}

/** The answer's value for a field: its own member, or the ids of the Refs that stand for it. */
function answerFor(name: string, field: AnyField, answer: Json): unknown {
  const { ref, within } = field.traits;
  const holder = within === undefined ? answer : membersOf(answer[within]);
  if (ref === undefined) return holder[wireName(name, field)];
  const refs = holder[ref];
  return Array.isArray(refs) ? refs.map((ref) => membersOf(ref).id) : membersOf(refs).id;
}

function valueFromWire(field: AnyField, value: unknown, prior: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  const { shape } = field;
  switch (shape.kind) {
    case "list":
      return Array.isArray(value) ? value.map((item) => valueFromWire(shape.item, item, undefined)) : value;
    case "map": {
      if (!isRecord(value)) return value;
      const known = new Map(Object.keys(membersOf(prior)).map((key) => [shape.canonicalKey(key), key]));
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          known.get(shape.canonicalKey(key)) ?? key,
          valueFromWire(shape.value, item, undefined),
        ]),
      );
    }
    case "object": {
      if (!isRecord(value)) return value;
      const members = fromWire(shape.fields, value, membersOf(prior));
      return shape.alternatives && Object.keys(members).length === 0 ? undefined : members;
    }
    default:
      return value;
  }
}

/** What becomes of a decoded value beside the one that is known already. */
function reconcile(field: AnyField, decoded: unknown, prior: unknown): unknown {
  const { secret, absentAs, noneWhen } = field.traits;
  const { shape } = field;
  const value = decoded !== undefined && noneWhen?.(decoded) ? undefined : decoded;
  if (value === undefined) {
    if (secret || prior === undefined) return prior;
    if (same(field, prior, absentAs ?? defaultOf(field)) || isEmpty(prior)) return prior;
    return shape.kind === "object" && shape.alternatives?.others ? prior : undefined;
  }
  if (secret && typeof value === "string" && redacted(value)) return prior;
  if (prior !== undefined && same(field, prior, value)) return prior;
  // What was never set may be answered as null, "" or not at all; to a program it is one thing: undefined.
  return value === "" && field.presence === "optional" ? undefined : value;
}

/** What is empty may be answered as if it had never been set. */
function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}
