/** The number of requests that a deployment sends, and the time that the rate limit makes them take. */
import { recordedRules, plannedRules, ruleChanges } from "../../provider/rule-set/sent-rules";
import { argumentsIn, noState, recordedState } from "../../schema/recorded-state";
import { secretsOfCreation } from "../../schema/secrets";
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
  const { setOf, style, fields } = resource.declaration;
  if (setOf) return ruleRequests(resource);
  // A create at a fixed path first reads the path: it never takes over an existing object.
  // An object with a secret that only its creation returns is created with a mark, which a second request replaces.
  const creating = style === "collection" && secretsOfCreation(fields).length === 0 ? 1 : 2;
  const updating = changesOf(resource).recordedOnly ? 0 : 1;
  const requests = { create: creating, replace: creating + 1, update: updating, delete: 1, same: 0 };
  return requests[resource.action];
}

/** A set first lists what its policy has; then each rule that changes is a request, and a replaced one two. */
function ruleRequests(resource: ResourceChange): number {
  const { action, before, after, declaration } = resource;
  if (action === "same" || changesOf(resource).recordedOnly) return 0;
  const state = recordedState(before?.record.outputs ?? {});
  if (action === "delete") return 1 + recordedRules(state).size;
  const given = { args: argumentsIn(after?.args ?? {}) };
  if (action === "replace") {
    const [, news] = plannedRules(declaration, noState, given);
    return 2 + recordedRules(state).size + news.size;
  }
  const { created, changed, replaced, removed } = ruleChanges(...plannedRules(declaration, state, given));
  return 1 + created + changed + 2 * replaced + removed;
}
