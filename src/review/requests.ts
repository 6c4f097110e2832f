/** The number of requests that a deployment sends, and the time that the rate limit makes them take. */
import type { EntrySet } from "../schema/declaration";
import { entryArguments, entryKeyOf } from "../schema/entry-set";
import { same } from "../schema/equality";
import type { Json } from "../schema/json";
import { secretsOfCreation } from "../schema/secrets";
import { membersOf } from "../schema/unknown";
import { changesOf } from "./differences";
import type { ResourceChange } from "../inventory/world";

/** The usual rate limit of services of this kind, in requests per minute. */
export const usualRateLimit = 120;

export interface Cost {
  readonly requests: number;
  readonly requestsPerMinute: number;
  /** The shortest time that the rate limit allows, in seconds, without the time of the answers. */
  readonly seconds: number;
}

export function costOf(
  resources: readonly ResourceChange[],
  requestsPerMinute: number = usualRateLimit,
): Cost {
  const requests = resources.reduce((sum, resource) => sum + requestsOf(resource), 0);
  // The requests of one window may be sent at once; each further window begins a minute later.
  const windows = Math.max(0, Math.ceil(requests / requestsPerMinute) - 1);
  return { requests, requestsPerMinute, seconds: windows * 60 };
}

function requestsOf(resource: ResourceChange): number {
  const { entries, style, fields } = resource.declaration;
  if (entries) return entryRequests(resource, entries);
  // A create at a fixed path first reads the path: it never takes over an existing object.
  // An object with a secret that only its creation returns is created with a mark, which a second request replaces.
  const creating = style === "collection" && secretsOfCreation(fields).length === 0 ? 1 : 2;
  const updating = changesOf(resource).recordedOnly ? 0 : 1;
  const requests = { create: creating, replace: creating + 1, update: updating, delete: 1, same: 0 };
  return requests[resource.action];
}

/** A set first lists what its parent has; then each entry that changes is a request, and a replaced one two. */
function entryRequests(resource: ResourceChange, set: EntrySet): number {
  const { declaration, action, before, after } = resource;
  if (action === "same" || changesOf(resource).recordedOnly) return 0;
  const entries = (values: Json | undefined): Map<string, Json> =>
    new Map(
      Object.entries(membersOf(values?.[set.entries])).map(([spelling, entry]) => {
        const key = entryKeyOf(declaration, set, spelling);
        return [key, entryArguments(declaration, set, values!, key, entry)];
      }),
    );
  const [olds, news] = [entries(before?.state.outputs), entries(after?.args)];
  if (action === "delete") return 1 + olds.size;
  if (action === "replace") return 2 + olds.size + news.size;
  const removed = [...olds.keys()].filter((key) => !news.has(key)).length;
  const changed = [...news].map(([key, entry]) => changeRequests(set, olds.get(key), entry));
  return changed.reduce((sum, requests) => sum + requests, 1 + removed);
}

function changeRequests({ of }: EntrySet, old: Json | undefined, next: Json): number {
  if (!old) return 1;
  const changed = Object.entries(of.fields).filter(([name, field]) => !same(field, old[name], next[name]));
  return changed.length === 0 ? 0 : changed.some(([, { traits }]) => traits.replace) ? 2 : 1;
}
