import type { Collection } from "./collections/collection";
import type { Context } from "./context";
import { Refusal, conflict, notFound } from "./errors";
import { newId } from "./ids";
import { unset, unsetForm } from "./normalise";
import type { List } from "./paging";
import type { Fields, Stored } from "./store";
import { parse } from "./wire";

/** The standard operations, once for all collections (specification, Endpoints, Standard operations). */

export function create(
  collection: Collection,
  context: Context,
  body: unknown,
  given: Partial<Stored> = {},
): object {
  const input = parse(collection.create, body);
  const id = given.id ?? newId(collection.prefix);
  const fields = collection.build(input, context, id);
  refuseDuplicates(collection, context, fields, id);
  const stored = context.store.create(collection.path, id, given.created_at ?? context.clock.stamp(), fields);
  return { ...answer(collection, context, stored), ...collection.created?.(context, stored) };
}

export function find(collection: Collection, context: Context, id: string): Stored {
  const stored = context.store.get(collection.path, id);
  if (stored === undefined) throw notFound(collection.noun);
  return stored;
}

export function update(collection: Collection, context: Context, id: string, body: unknown): object {
  const schema =
    collection.update ?? (context.options.undocumentedUpdates ? collection.undocumentedUpdate : undefined);
  if (schema === undefined)
    throw new Refusal(405, "ERR_METHOD", `PATCH is not served for ${collection.path}`);
  const stored = find(collection, context, id);
  collection.beforeUpdate?.(body, context, stored);
  const input = parse(schema, body);
  if (collection.refusesEmptyUpdate && Object.keys(input as object).length === 0) {
    throw new Refusal(400, "ERR_EMPTY_UPDATE", "the body names nothing to update");
  }
  const fields = collection.change?.(input, context, stored) ?? { ...stored.fields, ...(input as Fields) };
  refuseDuplicates(collection, context, fields, id);
  return answer(collection, context, context.store.update(collection.path, stored, fields));
}

export function remove(collection: Collection, context: Context, id: string): void {
  const stored = find(collection, context, id);
  const holder = context.store.referrersOf(id).find(([, kind]) => collection.heldBy?.includes(kind));
  if (holder !== undefined) {
    throw new Refusal(409, "ERR_IN_USE", `the ${collection.noun} is in use by ${holder[1]}/${holder[0]}`);
  }
  collection.beforeDelete?.(context, stored);
  context.store.delete(collection.path, id);
}

/** Conventions: what every resource answers, then what is its own. */
export function answer(collection: Collection, context: Context, stored: Stored): object {
  const own = collection.answer(stored.fields, context, stored);
  const uri = `${context.baseUrl}${collection.path}/${encodeURIComponent(stored.id)}`;
  const base = { id: stored.id, uri, created_at: stored.created_at };
  if (collection.undescribed) return { ...base, ...own };
  const { description, metadata } = stored.fields as { description?: string; metadata?: string };
  if (!context.normalise)
    return { ...base, description: description ?? null, metadata: metadata ?? null, ...own };
  // Any number will do that stays the same for a collection in every release.
  const place = collection.path.length;
  return {
    ...base,
    description: unset(description, unsetForm(place)),
    metadata: unset(metadata, unsetForm(place + 1)),
    ...own,
  };
}

export function listOf(collection: Collection, context: Context): List {
  return {
    kind: collection.path,
    path: collection.path,
    listKey: collection.listKey,
    answer: (stored) => answer(collection, context, stored),
  };
}

function refuseDuplicates(collection: Collection, context: Context, fields: Fields, id: string): void {
  for (const [field, value] of Object.entries(collection.unique?.(fields) ?? {})) {
    const holder = context.store.holder(collection.path, field, value);
    if (holder !== undefined && holder !== id) {
      throw conflict(field, `stands already in ${collection.noun} ${holder}`);
    }
  }
}
