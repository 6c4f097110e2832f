/**
 * Whether an answer about a module holds something that was configured. A service may answer 200 for a module that
 * was never set: with no body, {}, null, or defaults only.
 */
import type { Declaration } from "../../schema/declaration";
import { chosen, same } from "../../schema/equality";
import { defaultOf, visit } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import type { Json } from "../../schema/json";
import { isRecord, membersOf } from "../../schema/unknown";
import { fromWire } from "../wire";

export function isConfigured({ fields }: Declaration, answer: Json): boolean {
  return anyConfigured(fields, fromWire(fields, answer, {}));
}

function anyConfigured(fields: Fields, values: Json): boolean {
  return Object.entries(fields).some(
    ([name, field]) =>
      field.presence !== "computed" && !field.traits.inPath && holdsContent(field, values[name]),
  );
}

function holdsContent(field: AnyField, value: unknown): boolean {
  if (value === undefined || same(field, value, defaultOf(field))) return false;
  return visit<boolean>(field, {
    string: () => value !== "",
    number: () => value !== 0,
    // A switch configures nothing by itself.
    boolean: () => false,
    list: () => Array.isArray(value) && value.length > 0,
    map: () => isRecord(value) && Object.keys(value).length > 0,
    object: ({ fields, alternatives }) =>
      alternatives ? chosen(value) !== "" : anyConfigured(fields, membersOf(value)),
  });
}
