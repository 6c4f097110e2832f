/** The one mapping between arguments and outputs and what goes over the wire. It walks the declaration. */
import { defaultOf, wireName } from "../../schema/field";
import type { AnyField, Fields } from "../../schema/field";
import { noState } from "../../schema/recorded-state";
import { isHiddenSecret, notReturned } from "../../schema/secrets";
import { same, inKnownSpelling } from "../../schema/equality";
import { mapParts, shorten } from "../../schema/walk";
import { membersOf } from "../../schema/unknown";
import { GatewayError } from "../errors";
import { argumentsFrom, bodyFrom, outputsFrom } from "../../schema/values";
import type { Answer, Arguments, Body, FieldValues, Outputs } from "../../schema/values";

/** A request body with the given values. What is computed, local or absent is not sent. */
export function toWire(fields: Fields, values: Arguments): Body {
  const body: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = values[name];
    if (value === undefined || field.presence === "computed") continue;
    if (field.traits.local || field.traits.inPath) continue;
    if (value === notReturned && field.traits.secret) {
      throw new GatewayError(
        `${name}: the service does not return this secret of an imported object, and this change must send it; ` +
          `set it in the program instead of notReturned`,
      );
    }
    body[wireName(name, field)] = valueToWire(field, value);
  }
  return bodyFrom(body);
}

function valueToWire(field: AnyField, value: unknown): unknown {
  const { shape } = field;
  if (shape.kind === "string" && typeof value === "string") return shape.format.sent?.(value) ?? value;
  return mapParts(field, value, valueToWire, ({ fields }, members) => toWire(fields, argumentsFrom(members)));
}

/**
 * The outputs in an answer. `prior` holds the known values: an equal value keeps its spelling, and values that the answer
 * does not contain (secrets, write-only values) are kept. `isComputed`: only answers hold the object with these fields.
 */
export function fromWire(
  fields: Fields,
  answer: Answer,
  prior: FieldValues = noState.outputs,
  isComputed = false,
): Outputs {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.traits.local) continue;
    const value =
      field.traits.writeOnly || field.traits.inPath
        ? prior[name]
        : reconcile(
            field,
            valueFromWire(field, answeredValue(name, field, answer), prior[name]),
            prior[name],
          );
    if (value !== undefined) values[name] = value;
    // A program may rely on a list that the specification says every answer holds.
    else if (field.shape.kind === "list" && isAnswered(field, isComputed)) values[name] = [];
  }
  return outputsFrom(values);
}

/** Whether answers alone hold the field: a computed one, or a required member of a computed object. */
function isAnswered({ presence }: AnyField, isComputed: boolean): boolean {
  return presence === "computed" || (isComputed && presence === "required");
}

/** The answer's value for a field: its own member, or the ids of its Refs. */
export function answeredValue(name: string, field: AnyField, answer: Answer): unknown {
  const { ref, within } = field.traits;
  const holder = within === undefined ? answer : membersOf(answer[within]);
  if (ref === undefined) return holder[wireName(name, field)];
  const refs = holder[ref];
  return Array.isArray(refs) ? refs.map((each) => membersOf(each).id) : membersOf(refs).id;
}

function valueFromWire(field: AnyField, value: unknown, prior: unknown): unknown {
  if (value === null) return undefined;
  const itemFromWire = (item: AnyField, each: unknown): unknown => valueFromWire(item, each, undefined);
  const decoded = mapParts(field, value, itemFromWire, ({ fields, alternatives }, members) => {
    const known = outputsFrom(membersOf(prior));
    const values = fromWire(fields, members, known, field.presence === "computed");
    return alternatives && Object.keys(values).length === 0 ? undefined : shorten(field, values);
  });
  return Array.isArray(decoded) ? decoded.filter((item) => item !== undefined) : decoded;
}

/** The value to keep: the decoded one, or the known one if the answer means the same or says nothing. */
function reconcile(field: AnyField, decoded: unknown, prior: unknown): unknown {
  const { secret, noneWhen } = field.traits;
  if (decoded === undefined || noneWhen?.(decoded)) return withoutAnswer(field, prior);
  if (secret && isHiddenSecret(decoded)) return prior;
  if (same(field, prior, decoded)) return prior;
  // What was never set may be answered as null, "" or not at all. To a program it is always undefined.
  if (decoded === "" && field.presence === "optional") return undefined;
  return inKnownSpelling(field, prior, decoded);
}

/** The output for a field that the answer leaves out. */
function withoutAnswer(field: AnyField, prior: unknown): unknown {
  const { secret, absentAs } = field.traits;
  const { shape } = field;
  const hidesOthers = shape.kind === "object" && shape.alternatives?.others === true;
  const isKept =
    secret === true || isEmpty(prior) || hidesOthers || same(field, prior, absentAs ?? defaultOf(field));
  return isKept ? prior : undefined;
}

/** What is empty may be answered as if it had never been set. */
function isEmpty(value: unknown): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}
