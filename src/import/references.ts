/** Which objects refer to which, by the ids in their arguments. */
import { visit } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { membersOf } from "../schema/unknown";
import type { Imported } from "./arguments";

/** The ids in the values of an object's fields. */
export function idsIn(fields: Fields, values: unknown): string[] {
  const members = membersOf(values);
  return Object.entries(fields).flatMap(([name, field]) => idsOf(field, members[name]));
}

function idsOf(field: AnyField, value: unknown): string[] {
  return visit<string[]>(field, {
    string: () => (takesId(field) && typeof value === "string" ? [value] : []),
    leaf: () => [],
    list: ({ item }) => (Array.isArray(value) ? value.flatMap((each) => idsOf(item, each)) : []),
    map: ({ key }) => (key.refersTo ? Object.keys(membersOf(value)) : []),
    object: ({ fields }) => idsIn(fields, value),
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
