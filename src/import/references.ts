/** Which objects refer to which, by the ids in their arguments. */
import { visit } from "../schema/field";
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
  return visit<string[]>(field, {
    string: () => (takesId(field) && typeof value === "string" ? [value] : []),
    leaf: () => [],
    list: ({ item }) => (Array.isArray(value) ? value.flatMap((each) => idsIn(item, each)) : []),
    map: ({ key }) => (key.refersTo && isRecord(value) ? Object.keys(value) : []),
    object: ({ fields }) => idsInMembers(fields, value),
  });
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
