import type { z } from "zod";
import type { Collection } from "../collections/collection";
import type { Context } from "../context";
import { shownOf } from "../copied";
import { HttpError, conflict, notFound } from "./errors";
import type { EmulatorOptions } from "../types";
import { newId } from "../ids";
import { unset, unsetForm, endpointUrl } from "./normalise";
import type { List } from "./paging";
import type { Fields, Stored } from "../store";
import { parse } from "./validation";
import { ENDPOINTS, TCP_EDGES } from "../paths";

/** The standard operations, once for all collections (specification, Endpoints, Standard operations). */

/** @param preset what a seed decides about the object. */
export function create(
  collection: Collection,
  context: Context,
  body: unknown,
  preset: Partial<Stored> = {},
): object {
  const input = parse(collection.create, body, context.isOpaque);
  const id = preset.id ?? newId(collection.prefix);
  collection.check?.(input, context);
  const fields = { ...(collection.build?.(input, context, id) ?? (input as Fields)), ...preset.fields };
  rejectDuplicates(collection, context, fields);
  rejectOccupied(collection.path, context, fields, id);
  const time = preset.created_at ?? context.clock.stamp();
  const stored = context.store.create(collection.path, id, time, fields);
  return { ...responseOf(collection, context, stored), ...collection.created?.(context, stored) };
}

export function find(collection: Collection, context: Context, id = ""): Stored {
  const stored = context.store.get(collection.path, id);
  if (stored === undefined) throw notFound(collection.noun);
  return stored;
}

/** The update body of a collection; undefined if it has no update. */
export function updateBody(collection: Collection, options: EmulatorOptions): z.ZodType | undefined {
  return collection.update ?? (options.undocumentedUpdates ? collection.undocumentedUpdate : undefined);
}

export function update(
  collection: Collection,
  context: Context,
  id: string | undefined,
  body: unknown,
): object {
  const stored = find(collection, context, id);
  collection.beforeUpdate?.(body, context, stored);
  const input = parse(updateBody(collection, context.options)!, body, context.isOpaque);
  // The specification states it for the updates that it shows.
  if (collection.update !== undefined && Object.keys(input as object).length === 0) {
    throw new HttpError(400, "ERR_EMPTY_UPDATE", "the body has no field to update");
  }
  collection.check?.(input, context);
  const fields = collection.change?.(input, context, stored) ?? { ...stored.fields, ...(input as Fields) };
  rejectDuplicates(collection, context, fields, stored);
  rejectOccupied(collection.path, context, fields, stored.id);
  return responseOf(collection, context, context.store.update(collection.path, stored, fields));
}

export function remove(collection: Collection, context: Context, id: string | undefined): void {
  const stored = find(collection, context, id);
  const user = context.store.referrersOf(stored.id).find(([, kind]) => collection.inUseBy?.includes(kind));
  if (user !== undefined) {
    throw new HttpError(409, "ERR_IN_USE", `the ${collection.noun} is in use by ${user[1]}/${user[0]}`);
  }
  collection.beforeDelete?.(context, stored);
  context.store.delete(collection.path, stored.id);
}

/** The response for an object: the fields of every resource (Conventions), then those of its collection. */
export function responseOf(collection: Collection, context: Context, stored: Stored): object {
  return shownOf(stored, (each) => wholeResponse(collection, context, each));
}

function wholeResponse(collection: Collection, context: Context, stored: Stored): object {
  const specific = collection.response(stored.fields, context, stored);
  const uri = `${context.baseUrl}${collection.path}/${encodeURIComponent(stored.id)}`;
  const base = { id: stored.id, uri, created_at: stored.created_at };
  if (collection.withoutDescription) return { ...base, ...specific };
  const { description, metadata } = stored.fields as { description?: string; metadata?: string };
  if (!context.normalise)
    return { ...base, description: description ?? null, metadata: metadata ?? null, ...specific };
  // Any number that stays the same for a collection in every release.
  const index = collection.path.length;
  return {
    ...base,
    description: unset(description, unsetForm(index)),
    metadata: unset(metadata, unsetForm(index + 1)),
    ...specific,
  };
}

export function listOf(collection: Collection, context: Context): List {
  return {
    kind: collection.path,
    path: collection.path,
    listKey: collection.listKey,
    response: (stored) => responseOf(collection, context, stored),
  };
}

/** An unchanged value is never refused: a copied account may hold a value twice. */
function rejectDuplicates(collection: Collection, context: Context, fields: Fields, stored?: Stored): void {
  const before = stored && collection.unique?.(stored.fields);
  for (const [field, value] of Object.entries(collection.unique?.(fields) ?? {})) {
    if (value === undefined || value === before?.[field] || context.isOpaque(value)) continue;
    const existing = context.store.findUnique(collection.path, field, value);
    if (existing !== undefined) throw conflict(field, `already exists in ${collection.noun} ${existing}`);
  }
}

interface Served {
  urls: string[];
  pooled: boolean;
}

const servedBy: Record<string, (fields: Fields) => Served> = {
  [TCP_EDGES]: ({ hostports }) => ({
    urls: ((hostports ?? []) as string[]).map((each) => `tcp://${each.toLowerCase()}`),
    pooled: false,
  }),
  [ENDPOINTS]: ({ url, pooling_enabled }) => ({
    urls: typeof url === "string" ? [endpointUrl(url).toLowerCase()] : [],
    pooled: pooling_enabled === true,
  }),
};

/**
 * The option exclusiveAddresses: refuses an address that another edge or endpoint serves, unless both endpoints pool it. The
 * specification states no such rule; services were seen to have it.
 */
function rejectOccupied(kind: string, { options, store }: Context, fields: Fields, id: string): void {
  const own = options.exclusiveAddresses === true ? servedBy[kind]?.(fields) : undefined;
  if (own === undefined || own.urls.length === 0) return;
  for (const [other, served] of Object.entries(servedBy)) {
    for (const stored of store.all(other)) {
      const { urls, pooled } = served(stored.fields);
      if (stored.id === id || (pooled && own.pooled) || !urls.some((url) => own.urls.includes(url))) continue;
      throw new HttpError(400, "ERR_ADDRESS", "the address is not available");
    }
  }
}
