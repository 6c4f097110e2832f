/**
 * Services that normalise. When the answer to a write holds another value than was sent, the state records what was
 * sent: of an argument, or of a rule of a set. As long as the service keeps its value and the program keeps its own,
 * that isn't a change.
 */
import type { Declaration } from "../../schema/declaration";
import { canonical } from "../../schema/formats/cidr";
import { same } from "../../schema/equality";
import { fieldsOf } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import { firstItems, most20, quote } from "../../schema/text/phrase";
import type { Json } from "../../schema/json";
import { expand, fieldAt } from "../../schema/walk";
import type { AcceptedValue, RecordedState } from "../../schema/recorded-state";
import { rulePath } from "../../schema/rule-set";
import { holdsSecret } from "../../schema/secrets";
import { membersOf, valueAt } from "../../schema/unknown";
import type { Arguments, Outputs } from "../../schema/values";

/** The accepted values that the values still hold as they were sent. */
export function acceptedBy(
  { fields }: Declaration,
  accepted: readonly AcceptedValue[],
  values: Arguments | Outputs,
): readonly AcceptedValue[] {
  return accepted.filter(({ at, sent }) => {
    const field = fieldAt(fields, at);
    return field !== undefined && same(field, sent, valueAt(values, at));
  });
}

/** The accepted values that the service still keeps as in the state. */
export function stillAccepted({ accepted, outputs }: RecordedState, now: Outputs): readonly AcceptedValue[] {
  return accepted.filter(
    ({ at }) => JSON.stringify(valueAt(outputs, at)) === JSON.stringify(valueAt(now, at)),
  );
}

/** The values, with each accepted value as it was sent. */
export function asSent<Values extends Json>(values: Values, accepted: readonly AcceptedValue[]): Values {
  return withParts(
    values,
    accepted.map(({ at, sent }) => [at, sent]),
  );
}

/** The values, with each accepted value as the outputs show it. */
export function asKept<Values extends Json>(
  values: Values,
  accepted: readonly AcceptedValue[],
  outputs: Outputs,
): Values {
  return withParts(
    values,
    accepted.map(({ at }) => [at, valueAt(outputs, at)]),
  );
}

/**
 * The rules of a set that the outputs after a write show in another form than the arguments.
 * @param acceptedRanges if the write failed in part: the canonical ranges that the service accepted.
 */
export function acceptedRules(
  declaration: Declaration,
  outputs: Outputs,
  args: Arguments,
  acceptedRanges?: ReadonlySet<string>,
): AcceptedValue[] {
  if (declaration.setOf === undefined || acceptedRanges?.size === 0) return [];
  const kept = membersOf(outputs.rules);
  const written = Object.entries(membersOf(args.rules))
    .filter(([range]) => kept[range] !== undefined && (acceptedRanges?.has(canonical(range)) ?? true))
    .map(([range, sent]) => ({ at: ["rules", range], sent }));
  const asSent = new Set(acceptedBy(declaration, written, outputs));
  return written.filter((rule) => !asSent.has(rule));
}

/** The notes of a preview about values that the service keeps in another form. */
export function acceptedNotes(declaration: Declaration, state: RecordedState, args: Arguments): string[] {
  const accepted = acceptedBy(declaration, state.accepted, args);
  const { shown, more } = firstItems(accepted, most20, "entry");
  const notes = shown.flatMap(({ at, sent }) => {
    const field = fieldAt(declaration.fields, at)!;
    const kept = valueAt(state.outputs, at);
    return declaration.setOf && at.length > 1
      ? ruleNotes(field, rulePath(at[1]!), kept, sent)
      : [keptNote({ name: at.join("."), sent, keptValue: kept }, holdsSecret(field))];
  });
  if (more === undefined) return notes;
  return [...notes, `the service keeps another form of ${more} of ${accepted[0]!.at[0]!}`];
}

function ruleNotes(field: AnyField, path: string, kept: unknown, sent: unknown): string[] {
  const [was, is] = [membersOf(expand(field, sent)), membersOf(expand(field, kept))];
  return Object.entries(fieldsOf(field))
    .filter(([name, member]) => !member.traits.local && !same(member, was[name], is[name]))
    .map(([name]) => keptNote({ name: `${path}.${name}`, sent: was[name], keptValue: is[name] }));
}

/** A value that differs between a request and its answer. */
export interface Deviation {
  /** The path of the argument. */
  readonly name: string;
  readonly sent: unknown;
  readonly keptValue: unknown;
}

/** The message about an answer with the previous value. */
export function notChanged({ name, sent, keptValue }: Deviation, isSecret = false): string {
  return `${name} was not changed: sent ${shown(sent, isSecret)}, kept ${shown(keptValue, isSecret)}`;
}

/** The message about an answer with another value that decides access. */
export function otherMeaning({ name, sent, keptValue }: Deviation, isSecret = false): string {
  return (
    `${name} decides who has access, and the service keeps another value: sent ${shown(sent, isSecret)}, ` +
    `kept ${shown(keptValue, isSecret)}`
  );
}

/** The note on a value that the service keeps in another form. */
function keptNote({ name, sent, keptValue }: Deviation, isSecret = false): string {
  return (
    `${name}: the service keeps ${shown(keptValue, isSecret)} for ${shown(sent, isSecret)}. This is not a ` +
    "change; to end this warning, write what the service keeps into the program"
  );
}

function shown(value: unknown, isSecret: boolean): string {
  if (isSecret) return "a secret value";
  if (value === undefined) return "nothing";
  return typeof value === "string" ? quote(value) : quote(JSON.stringify(value)).slice(1, -1);
}

/** The values with some parts replaced. Each object on the way is copied once: a set may have tens of thousands of entries. */
function withParts<Values extends Json>(
  values: Values,
  parts: readonly (readonly [at: readonly string[], part: unknown])[],
): Values {
  if (parts.length === 0) return values;
  const changed = [...Map.groupBy(parts, ([at]) => at[0]!)].map(([name, inner]): [string, unknown] => {
    const whole = inner.find(([at]) => at.length === 1);
    if (whole) return [name, whole[1]];
    const rest = inner.map(([at, part]) => [at.slice(1), part] as const);
    return [name, withParts(membersOf(values[name]), rest)];
  });
  return { ...values, ...Object.fromEntries(changed) };
}
