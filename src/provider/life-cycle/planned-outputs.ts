/** The outputs that an operation will leave, as far as a preview knows them; all others are unknown. */
import type { Declaration } from "../../schema/declaration";
import { defaultOf, wireName } from "../../schema/field";
import type { AnyField } from "../../schema/field";
import type { Json } from "../../schema/json";
import { valuesForEngine } from "../../schema/recorded-state";
import type { RecordedState } from "../../schema/recorded-state";
import { otherForm } from "../../schema/sealing";
import type { Arguments, StoredOutputs } from "../../schema/values";
import { isUnknown, unknown } from "../../schema/unknown";
import { topLevel } from "./changes";
import type { ArgumentChange } from "./changes";

/** The outputs of a new object: what the program gives. */
export function plannedForCreate(declaration: Declaration, args: Arguments): StoredOutputs {
  return planned(declaration, args, (name, { presence }) =>
    presence === "computed" || args[name] === undefined ? unknown : args[name],
  );
}

/** An update that sends something. */
interface PlannedUpdate {
  readonly state: RecordedState;
  readonly args: Arguments;
  readonly changes: readonly ArgumentChange[];
  /** Whether it creates or deletes an object, beside sending changed arguments. */
  readonly rotates: boolean;
}

/** The outputs after an update that sends something. */
export function plannedForUpdate(
  declaration: Declaration,
  { state: { outputs }, args, changes, rotates }: PlannedUpdate,
): StoredOutputs {
  const changed = new Set(changes.map(({ path }) => topLevel(path)));
  const unchanged = new Set(unchangedOutputs(declaration, changed, rotates));
  return planned(declaration, args, (name, field) => {
    const isKept = unchanged.has(name) || (field.presence !== "computed" && !changed.has(name));
    // What the state lacks is null, as after the write.
    if (isKept) return outputs[name] ?? null;
    return field.presence === "computed" ? unknown : (args[name] ?? withoutArgument(field));
  });
}

/** The output of an argument that the program removes. */
function withoutArgument(field: AnyField): unknown {
  const restored = defaultOf(field) ?? unknown;
  if (restored === "") return null; // as after the write
  // Some services answer an empty list or map, and others none.
  return typeof restored === "object" && Object.keys(restored).length === 0 ? unknown : restored;
}

/** Whether a rotation depends on arguments that are not known yet. */
export function mayRotate({ style }: Declaration, args: Arguments): boolean {
  return style === "rotation" && Object.values(args).some(isUnknown);
}

/** The outputs that only answers hold and that an update with these changed arguments leaves as they are. */
export function unchangedOutputs(
  { fields, style }: Declaration,
  changed: ReadonlySet<string>,
  rotates: boolean,
): string[] {
  const changedRefs = new Set([...changed].map((name) => fields[name]?.traits.ref));
  const refs = new Set(Object.values(fields).map(({ traits }) => traits.ref));
  return Object.keys(fields).filter((name) => {
    const field = fields[name]!;
    if (field.presence !== "computed") return false;
    if (field.traits.fixed === true || (style === "rotation" && !rotates)) return true;
    const ref = wireName(name, field);
    return refs.has(ref) && !changedRefs.has(ref);
  });
}

function planned(
  declaration: Declaration,
  args: Arguments,
  valueOf: (name: string, field: AnyField) => unknown,
): StoredOutputs {
  const shown = Object.entries(declaration.fields).filter(([, { traits }]) => !traits.local);
  const none = otherForm(declaration, args);
  const valuesOf = ([name, field]: [string, AnyField]) => [name, name === none ? null : valueOf(name, field)];
  const values = Object.fromEntries(shown.map(valuesOf)) as Json;
  const absent = Object.entries(values).filter(([, value]) => value === null);
  return { ...valuesForEngine(declaration, values), ...Object.fromEntries(absent) };
}
