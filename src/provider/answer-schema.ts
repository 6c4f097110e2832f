/** What a declaration says of an object, as a schema of what goes over the wire. */
import { z } from "zod";
import type { Declaration } from "../schema/declaration";
import { visit, wireName } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";

/** An answer that holds one object of the declaration. */
export function objectSchema({ fields, style }: Declaration): z.ZodType {
  const members = wireMembers(fields);
  return z.looseObject(style === "collection" ? { ...members, id: z.string().min(1) } : members);
}

/** One page of a list whose objects are under `listKey`. */
export function pageSchema(listKey: string): z.ZodType {
  return z.looseObject({ [listKey]: z.array(z.looseObject({})), next_page_uri: z.string().nullish() });
}

/** Every member may be left out or null: a service may hide what it likes. Specification: Conventions. */
function wireMembers(fields: Fields): Record<string, z.ZodType> {
  const members: Record<string, z.ZodType> = {};
  const nested: Record<string, Record<string, z.ZodType>> = {};
  for (const [name, field] of Object.entries(fields)) {
    const { local, writeOnly, inPath, ref, within } = field.traits;
    if (local || writeOnly || inPath) continue;
    const [member, kind] = ref === undefined ? [wireName(name, field), kindOf(field)] : [ref, refTo(field)];
    if (within === undefined) members[member] = both(members[member], kind.nullish());
    else (nested[within] ??= {})[member] = kind.nullish();
  }
  for (const [member, schemas] of Object.entries(nested)) {
    members[member] = both(members[member], z.looseObject(schemas).nullish());
  }
  return members;
}

/** Two fields may stand for one member, such as an argument's ids and the Refs that hold them. */
function both(one: z.ZodType | undefined, other: z.ZodType): z.ZodType {
  return one === undefined ? other : z.intersection(one, other).nullish();
}

function refTo(field: AnyField): z.ZodType {
  const one = z.looseObject({ id: z.string().nullish() }).nullish();
  return field.shape.kind === "list" ? z.array(one) : one;
}

function kindOf(field: AnyField): z.ZodType {
  return visit<z.ZodType>(field, {
    string: () => z.string(),
    number: () => z.number(),
    boolean: () => z.boolean(),
    list: ({ item }) => z.array(kindOf(item).nullish()),
    map: ({ value }) => z.record(z.string(), kindOf(value).nullish()),
    object: ({ fields }) => z.looseObject(wireMembers(fields)),
  });
}
