import type { Declaration } from "./declaration";
import type { Field, Fields } from "./field";
import { nameOwner } from "./formats/id";

/** The fields of something that is only read: each has the type of its member. */
type ReadFields<T> = {
  readonly [K in Exclude<keyof T, "id">]-?: Field<Exclude<T[K], undefined>, "computed">;
};

interface Spec<T> extends Pick<
  Declaration,
  "type" | "noun" | "plural" | "group" | "path" | "idPrefix" | "listPath" | "columns"
> {
  readonly listKey: string;
  readonly fields: ReadFields<T>;
}

/** A collection whose objects no program manages. */
export function readOnly<T>(spec: Spec<T>): Declaration {
  if (spec.idPrefix !== undefined) nameOwner(spec.idPrefix, spec.noun);
  return { style: "collection", whole: false, rules: [], ...spec, fields: spec.fields as Fields };
}
