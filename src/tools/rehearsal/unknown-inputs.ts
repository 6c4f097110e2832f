/** Fills what a preview does not know of its inputs with what the rehearsal knows by then. */
import type { Declaration } from "../../schema/declaration";
import type { AnyField } from "../../schema/field";
import type { Json } from "../../schema/json";
import { prefixesOf, takesId } from "../../schema/references";
import { contains, hasUnknown, isUnknown, mapValues } from "../../schema/unknown";
import { mapParts } from "../../schema/walk";
import type { EngineState } from "../stack/state";

/** An object that a step of the plan has made, or a set of entries in one. */
export interface MadeObject {
  readonly declaration: Declaration;
  readonly id: string;
}

/**
 * The inputs of a resource. An unknown id is that of the one object of the right kind among those that the argument comes from
 * and that the plan has made. Where several places and objects come into question, all of a list whose order does not
 * count are filled; everything else stays unknown.
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

/** The ids for the open places of an argument, in the order of its sources; none where it is not certain which they are. */
function candidatesFor(field: AnyField, value: unknown, sources: readonly MadeObject[]): string[] {
  const prefixes = prefixesOf(field);
  if (prefixes === undefined || isUnknown(value) !== takesId(field)) return [];
  const fits = ({ id }: MadeObject): boolean =>
    prefixes.length === 0 || prefixes.some((each) => id.startsWith(each));
  const ids = [...new Set(sources.filter(fits).map(({ id }) => id))];
  const open = ids.filter((id) => !contains(value, (part) => part === id));
  let places = 0;
  contains(value, (part) => {
    if (isUnknown(part)) places += 1;
    return false;
  });
  const isCertain = open.length === places && (places === 1 || !isOrdered(field));
  return isCertain ? open : [];
}

function isOrdered({ shape }: AnyField): boolean {
  return shape.kind !== "list"
    ? shape.kind === "object" && Object.values(shape.fields).some(isOrderedIds)
    : shape.ordered === true;
}

const isOrderedIds = (field: AnyField): boolean => prefixesOf(field) !== undefined && isOrdered(field);

function filled(field: AnyField, value: unknown, ids: string[]): unknown {
  if (isUnknown(value)) return takesId(field) ? (ids.shift() ?? value) : value;
  const inside = (each: AnyField, part: unknown): unknown => filled(each, part, ids);
  return mapParts(field, value, inside, ({ fields }, members) =>
    mapValues(members, (member, name) => (fields[name] ? filled(fields[name], member, ids) : member)),
  );
}
