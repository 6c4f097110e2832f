/** The ids that arguments contain. */
import { visit } from "./field";
import type { AnyField } from "./field";

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
