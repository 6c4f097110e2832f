import { z } from "zod";
import type { Context } from "../context";
import { ref } from "../context";
import { dangling, invalid } from "../http/errors";
import { headerNames } from "../http/normalise";
import {
  FAILOVER_BACKENDS,
  HTTP_RESPONSE_BACKENDS,
  TCP_EDGES,
  TUNNEL_GROUP_BACKENDS,
  TUNNELS,
  WEIGHTED_BACKENDS,
} from "../paths";
import { described, id, map, text } from "../http/validation";
import { collection } from "./collection";

/** Backends share their list key; a backend that another backend or an edge uses cannot be deleted. */
const shared = { listKey: "backends", inUseBy: [WEIGHTED_BACKENDS, FAILOVER_BACKENDS, TCP_EDGES] };

const labels = map<string>((value, key) => {
  if (typeof value !== "string") return "must be of type string";
  return key.includes("=") || value.includes("=") ? "must not contain =" : undefined;
});

export const tunnelGroupBackends = collection({
  ...shared,
  path: TUNNEL_GROUP_BACKENDS,
  prefix: "bkdtg_",
  noun: "tunnel group backend",
  create: z.strictObject({ ...described, labels }),
  update: z.strictObject({ ...described, labels: labels.optional() }),
  response: ({ labels }, context) => ({ labels, tunnels: matchingTunnels(context, labels) }),
});

/** The tunnels that have all the labels. */
function matchingTunnels(context: Context, labels: Record<string, string>) {
  return context.store
    .all(TUNNELS)
    .filter(({ fields }) => {
      const own = fields.labels as Record<string, string>;
      return Object.entries(labels).every(([key, value]) => own[key] === value);
    })
    .map((tunnel) => ref(context, TUNNELS, tunnel.id));
}

/** Fields of HTTP (RFC 9110, 5.1 and 5.5): their names are tokens, and one in any letter case. */
const headers = map<string>((value, key) => {
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(key)) return "must be the name of an HTTP header";
  if (typeof value !== "string") return "must be of type string";
  return /(?!\t)\p{Cc}/u.test(value) ? "must not contain control characters" : undefined;
}).refine((entries) => new Set(Object.keys(headerNames(entries))).size === Object.keys(entries).length, {
  error: "must not contain a header twice",
});

const httpResponse = {
  ...described,
  body: text.optional(),
  headers: headers.optional(),
  status_code: z.int32().optional(),
};

export const httpResponseBackends = collection({
  ...shared,
  path: HTTP_RESPONSE_BACKENDS,
  prefix: "bkdhr_",
  noun: "HTTP response backend",
  create: z.strictObject(httpResponse),
  update: z.strictObject(httpResponse),
  response: ({ body, headers, status_code }, { normalise }) => ({
    body: body ?? "",
    headers: normalise
      ? Object.keys(headers ?? {}).length === 0
        ? null
        : headerNames(headers ?? {})
      : (headers ?? null),
    status_code: status_code ?? (normalise ? 200 : null),
  }),
});

const weight = map<number>((value) =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 10000
    ? undefined
    : "must be a whole number from 0 to 10000",
);

export const weightedBackends = collection({
  ...shared,
  path: WEIGHTED_BACKENDS,
  prefix: "bkdwd_",
  noun: "weighted backend",
  create: z.strictObject({ ...described, backends: weight }),
  update: z.strictObject({ ...described, backends: weight.optional() }),
  check: ({ backends }, context) => checkChildren(context, Object.keys(backends ?? {})),
  response: ({ backends }) => ({ backends }),
  refs: ({ backends }) => Object.keys(backends),
});

const children = z.array(id("bkdtg_", "bkdhr_", "bkdwd_", "bkdfo_"));

export const failoverBackends = collection({
  ...shared,
  path: FAILOVER_BACKENDS,
  prefix: "bkdfo_",
  noun: "failover backend",
  create: z.strictObject({ ...described, backends: children }),
  update: z.strictObject({ ...described, backends: children.optional() }),
  check: ({ backends }, context) => checkChildren(context, backends ?? []),
  response: ({ backends }) => ({ backends }),
  refs: ({ backends }) => backends,
});

const KINDS: Record<string, string> = {
  bkdtg_: TUNNEL_GROUP_BACKENDS,
  bkdhr_: HTTP_RESPONSE_BACKENDS,
  bkdwd_: WEIGHTED_BACKENDS,
  bkdfo_: FAILOVER_BACKENDS,
};

/** The path of the backend's collection by the id's prefix; undefined for any other prefix. */
export const backendPath = (backendId: string) => KINDS[/^bkd[a-z]+_/.exec(backendId)?.[0] ?? ""];

/** Weighted and failover backends do not nest: their children are tunnel group and HTTP response backends. */
function checkChildren(context: Context, ids: string[]): void {
  for (const child of ids) {
    if (context.isOpaque(child)) continue;
    const path = backendPath(child);
    if (path === undefined) throw invalid("backends", "must be ids with the prefix bkdtg_ or bkdhr_");
    if (path === WEIGHTED_BACKENDS || path === FAILOVER_BACKENDS) {
      throw invalid("backends", "weighted and failover backends do not nest");
    }
    if (context.store.get(path, child) === undefined) throw dangling("backends", "backend");
  }
}
