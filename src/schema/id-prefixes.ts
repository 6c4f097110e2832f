/** The ids that arguments contain. */
import { visit } from "./field";
import type { AnyField, Fields } from "./field";

/** The prefixes of the ids that an argument can contain, in values and in keys of maps. */
export function prefixesIn(field: AnyField): readonly string[] {
  return visit<readonly string[]>(field, {
    string: ({ format }) => format.refersTo ?? [],
    leaf: () => [],
    list: ({ item }) => prefixesIn(item),
    map: ({ key, value }) => [...(key.refersTo ?? []), ...prefixesIn(value)],
    object: ({ fields }) =>
      Object.values(fields).flatMap((member) => (member.presence === "computed" ? [] : prefixesIn(member))),
  });
}

/** The arguments that can contain ids with a prefix. */
export function argumentsWithIds(
  fields: Fields,
): { name: string; field: AnyField; prefixes: readonly string[] }[] {
  return Object.entries(fields)
    .filter(([, field]) => field.presence !== "computed")
    .map(([name, field]) => ({ name, field, prefixes: prefixesIn(field) }))
    .filter(({ prefixes }) => prefixes.length > 0);
}
