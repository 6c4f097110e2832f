/** The state format: what the life cycle keeps of an object beside its outputs. */
import type { Declaration } from "../declaration/collection";
import type { Fields } from "../declaration/field";
import { markInHook } from "../declaration/secrets";
import { isRecord, membersOf } from "../declaration/unknown";
import { same } from "../declaration/same";
import { defaultOf } from "../declaration/field";
import type { Json } from "./access";
import { fromWire } from "./wire";

/** The format of the state that this version writes. Every older format must go on working. */
export const stateVersion = 1;

/**
 * The outputs to keep for an object.
 * @param prior what is known already: the arguments sent, or the state before.
 * @param setArguments the names of the arguments that the program sets.
 */
export function outputsOf(
  declaration: Declaration,
  answer: Json,
  prior: Json,
  setArguments: readonly string[],
): Json {
  const values = fromWire(declaration.fields, answer, prior);
  return { ...values, __args: setArguments, __v: stateVersion };
}

/** Outputs or inputs as a hook returns them: nothing undefined, and every secret marked. */
export function returned(declaration: Declaration, values: Json): Record<string, unknown> {
  return markInHook(declaration.fields, withoutAbsent(values));
}

/** Removes undefined and null members, at every depth; Pulumi's plugin cannot write undefined. */
export function withoutAbsent(values: Json): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, isRecord(value) ? withoutAbsent(value) : value]),
  );
}

/**
 * The inputs that would have led to these outputs: what Pulumi stores as inputs after a refresh found drift.
 * They hold what the program set, and what differs from the default in an object that is set whole.
 */
export function inputsOf(declaration: Declaration, outputs: Json, setArguments: readonly string[]): Json {
  return pick(declaration.fields, outputs, "", new Set(setArguments), declaration.whole);
}

function pick(
  fields: Fields,
  values: unknown,
  prefix: string,
  set: ReadonlySet<string>,
  whole: boolean,
): Json {
  const given = membersOf(values);
  const picked: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const path = prefix + name;
    const value = given[name];
    if (field.presence === "computed" || value === undefined) continue;
    const restored = defaultOf(field);
    const drifted = whole && restored !== undefined && !same(field, value, restored);
    if (!set.has(path) && !drifted) continue;
    const { shape } = field;
    picked[name] =
      shape.kind === "object" && set.has(path)
        ? pick(shape.fields, value, `${path}.`, set, whole || shape.whole)
        : value;
  }
  return picked;
}
