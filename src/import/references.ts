/** Which objects refer to which, by the ids in their arguments. */
import type { AnyField, Fields } from "../schema/field";
import { isRecord } from "../schema/unknown";
import type { Imported } from "./arguments";

/** The ids that an object refers to. */
export function referencesOf({ declaration, args }: Pick<Imported, "declaration" | "args">): string[] {
  return idsInMembers(declaration.fields, args);
}

function idsInMembers(fields: Fields, values: unknown): string[] {
  if (!isRecord(values)) return [];
  return Object.entries(fields).flatMap(([name, field]) => idsIn(field, values[name]));
}

function idsIn(field: AnyField, value: unknown): string[] {
  const { shape } = field;
  if (value === undefined) return [];
  switch (shape.kind) {
    case "string":
      return takesId(field) && typeof value === "string" ? [value] : [];
    case "list":
      return Array.isArray(value) ? value.flatMap((item) => idsIn(shape.item, item)) : [];
    case "map":
      return isRecord(value) && shape.key.refersTo ? Object.keys(value) : [];
    case "object":
      return idsInMembers(shape.fields, value);
    default:
      return [];
  }
}

/** Whether a field's values are ids. */
export function takesId({ shape }: AnyField): boolean {
  return shape.kind === "string" && shape.format.refersTo !== undefined;
}

/** The id of the object that an object belongs to: its first required id. */
export function ownerOf({ declaration: { fields }, args }: Imported): string | undefined {
  const owner = Object.keys(fields).find(
    (name) => fields[name]!.presence === "required" && takesId(fields[name]!),
  );
  return owner === undefined ? undefined : (args[owner] as string);
}

/**
 * The objects that others may refer to, by id. Modules and sources are left out: their ids are the paths of other
 * objects.
 */
export function referable<T extends Imported>(imported: readonly T[]): Map<string, T> {
  return new Map(
    imported.filter(({ declaration }) => declaration.style === "collection").map((each) => [each.id, each]),
  );
}
