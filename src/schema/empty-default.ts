/** Arguments for which an empty text means the default. */
import type { Fields } from "./field";
import type { Json } from "./json";

/** The arguments without those that are empty and so mean the default, as if they were left out. */
export function withoutEmptyDefaults(fields: Fields, args: Json): Json {
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => value !== "" || !fields[name]?.traits.emptyIsDefault),
  );
}
