/**
 * Ids that a preview does not know yet. The Output `id` of a resource says which collection the id belongs to, before
 * the id exists.
 */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import type { Declaration } from "../schema/declaration";
import type { Fields } from "../schema/field";
import { either } from "../schema/text/phrase";
import type { Json } from "../schema/json";
import { mayHoldIds } from "../schema/references";
import type { Problem } from "../schema/validate";
import { partsIn, walk } from "../schema/walk";
import type { Part } from "../schema/walk";

interface Owner {
  readonly declaration: Declaration;
  readonly name: string;
}

const owners = new WeakMap<object, Owner>();

/** Records the `id` of a resource. */
export function noteId(resource: pulumi.CustomResource, declaration: Declaration, name: string): void {
  owners.set(resource.id, { declaration, name });
}

/**
 * The problems of arguments that get the `id` of a resource of the wrong collection. The keys of a map that is an Output are
 * not checked: the program has them only when they are known.
 */
export function misplacedIds(fields: Fields, args: Json): Problem[] {
  const found: Problem[] = [];
  walk(partsIn(fields, args), (part) => {
    const clause = misplaced(part);
    if (clause !== undefined) found.push({ path: part.path, clause });
    return clause === undefined && mayHoldIds(part.field);
  });
  return found;
}

function misplaced({ field: { shape }, value }: Part): string | undefined {
  const { refersTo = [] } = shape.kind === "string" ? shape.format : {};
  const owner = sdk.Output.isInstance(value) ? owners.get(value) : undefined;
  const { idPrefix, noun } = owner?.declaration ?? {};
  if (owner === undefined || idPrefix === undefined || refersTo.length === 0 || refersTo.includes(idPrefix))
    return undefined;
  return `must be an id that starts with ${either(refersTo)}; it is the id of the ${noun!} "${owner.name}"`;
}
