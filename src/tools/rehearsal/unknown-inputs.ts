/** Fills ids that the preview does not know with those of the objects that the rehearsal has created. */
import type { Declaration } from "../../schema/declaration";
import type { AnyField } from "../../schema/field";
import type { Json } from "../../schema/json";
import { idSlots, takesId } from "../../schema/references";
import { hasUnknown, isUnknown, mapValues } from "../../schema/unknown";
import { mapParts } from "../../schema/walk";
import type { EngineState } from "../stack/state";

/** An object that a step of the plan has created, or a set of entries in one. */
export interface MadeObject {
  readonly declaration: Declaration;
  readonly id: string;
}

/**
 * The inputs of a resource. An unknown id is filled if the argument comes from exactly one new object of the right kind. If
 * there are several places and as many objects, only a list without an order is filled. Everything else stays unknown.
 */
export function filledInputs(
  { fields }: Declaration,
  { inputs, propertyDependencies }: Pick<EngineState, "inputs" | "propertyDependencies">,
  made: ReadonlyMap<string, MadeObject>,
): Json {
  if (!hasUnknown(inputs)) return inputs;
  return mapValues(inputs, (value, name) => {
    const field = fields[name];
    if (field === undefined || !hasUnknown(value)) return value;
    const sources = (propertyDependencies[name] ?? []).flatMap((urn) => made.get(urn) ?? []);
    const candidates = candidatesFor(field, value, sources);
    return candidates.length === 0 ? value : filled(field, value, candidates);
  });
}

/** The arguments that stay unknown. */
export function openArguments(inputs: Json): string[] {
  return Object.keys(inputs).filter((name) => hasUnknown(inputs[name]));
}

/** The ids for the unknown places of an argument, in the order of its sources; none if they are not certain. */
function candidatesFor(field: AnyField, value: unknown, sources: readonly MadeObject[]): string[] {
  const slots = idSlots({ argument: field }, { argument: value });
  const open = slots.filter(({ id }) => id === undefined);
  const fits = ({ id }: MadeObject): boolean =>
    open.some(({ prefixes }) => prefixes.length === 0 || prefixes.some((each) => id.startsWith(each))) &&
    slots.every((slot) => slot.id !== id);
  const ids = [...new Set(sources.filter(fits).map(({ id }) => id))];
  const isCertain =
    ids.length === open.length && (ids.length === 1 || open.every(({ position }) => position === undefined));
  return isCertain ? ids : [];
}

function filled(field: AnyField, value: unknown, ids: string[]): unknown {
  if (isUnknown(value)) return takesId(field) ? (ids.shift() ?? value) : value;
  const inside = (each: AnyField, part: unknown): unknown => filled(each, part, ids);
  return mapParts(field, value, inside, ({ fields }, members) =>
    mapValues(members, (member, name) => (fields[name] ? filled(fields[name], member, ids) : member)),
  );
}
