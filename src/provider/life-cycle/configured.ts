/**
 * Whether an answer about a module holds something that was configured. A service may answer 200 for a module that
 * was never set: with no body, {}, null, or defaults only.
 */
import type { Declaration } from "../../schema/declaration";
import { chosen, same } from "../../schema/equality";
import { defaultOf, visit } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import type { Json } from "../../schema/json";
import { isRecord } from "../../schema/unknown";
import { partsIn, walk } from "../../schema/walk";
import { fromWire } from "../wire";

export function isConfigured({ fields }: Declaration, answer: Json): boolean {
  let found = false;
  walk(partsIn(fields, fromWire(fields, answer, {})), ({ field, value }) => {
    if (field.presence === "computed" || field.traits.inPath) return false;
    if (value === undefined || same(field, value, defaultOf(field))) return false;
    found ||= holdsContent(field, value);
    return field.shape.kind === "object" && !field.shape.alternatives;
  });
  return found;
}

/** Whether the value itself is content; an object's members are looked at one by one. */
function holdsContent(field: AnyField, value: unknown): boolean {
  return visit<boolean>(field, {
    string: () => value !== "",
    number: () => value !== 0,
    // A switch configures nothing by itself.
    boolean: () => false,
    list: () => Array.isArray(value) && value.length > 0,
    map: () => isRecord(value) && Object.keys(value).length > 0,
    object: ({ alternatives }) => alternatives !== undefined && chosen(value) !== "",
  });
}
