/**
 * Ids that a preview does not know yet. The Output `id` of a resource says which collection the id belongs to, before
 * the id exists.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import { visit } from "../schema/field";
import type { AnyField, Fields } from "../schema/field";
import { either } from "../schema/formats/quote";
import type { Json } from "../schema/json";
import { isRecord } from "../schema/unknown";
import type { Problem } from "../schema/validate";

interface Owner {
  readonly declaration: Declaration;
  readonly name: string;
}

const owners = new WeakMap<object, Owner>();

/** Notes the `id` of a resource. */
export function noteId(resource: pulumi.CustomResource, declaration: Declaration, name: string): void {
  owners.set(resource.id, { declaration, name });
}

/**
 * The arguments that take the id of another collection than the resource's whose `id` they are given. The keys of a map
 * that is an Output are not seen: they are texts, which a program has only once they are known.
 */
export function misplacedIds(fields: Fields, args: Json, prefix = ""): Problem[] {
  return Object.entries(fields).flatMap(([name, field]) => misplacedIn(field, args[name], prefix + name));
}

function misplacedIn(field: AnyField, value: unknown, path: string): Problem[] {
  return visit<Problem[]>(field, {
    string: ({ format: { refersTo = [] } }) => {
      const owner = pulumi.Output.isInstance(value) ? owners.get(value) : undefined;
      const { idPrefix, noun } = owner?.declaration ?? {};
      if (owner === undefined || idPrefix === undefined) return [];
      if (refersTo.length === 0 || refersTo.includes(idPrefix)) return [];
      const clause = `must be an id that starts with ${either(refersTo)}; it is the id of the ${noun!} "${owner.name}"`;
      return [{ path, clause }];
    },
    leaf: () => [],
    list: ({ item }) =>
      Array.isArray(value)
        ? value.flatMap((each, position) => misplacedIn(item, each, `${path}[${position}]`))
        : [],
    map: ({ value: entry }) =>
      isRecord(value)
        ? Object.entries(value).flatMap(([key, each]) =>
            misplacedIn(entry, each, `${path}[${JSON.stringify(key)}]`),
          )
        : [],
    object: (shape) => (isRecord(value) ? misplacedIds(shape.fields, value, `${path}.`) : []),
  });
}
