/**
 * Ids that a preview does not know yet. The Output `id` of a resource says which collection the id belongs to, before
 * the id exists.
 */
import * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import type { Fields } from "../schema/field";
import { either } from "../schema/formats/quote";
import type { Json } from "../schema/json";
import { partsOf } from "../schema/parts";
import type { Part } from "../schema/parts";
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
export function misplacedIds(fields: Fields, args: Json): Problem[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    misplacedIn({ field, value: args[name], path: name }),
  );
}

function misplacedIn(part: Part): Problem[] {
  const { shape } = part.field;
  const { refersTo = [] } = shape.kind === "string" ? shape.format : {};
  const owner = pulumi.Output.isInstance(part.value) ? owners.get(part.value) : undefined;
  const { idPrefix, noun } = owner?.declaration ?? {};
  if (owner === undefined || idPrefix === undefined || refersTo.length === 0 || refersTo.includes(idPrefix))
    return partsOf(part).flatMap(misplacedIn);
  const clause = `must be an id that starts with ${either(refersTo)}; it is the id of the ${noun!} "${owner.name}"`;
  return [{ path: part.path, clause }];
}
