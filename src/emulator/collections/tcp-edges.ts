import { z } from "zod";
import type { Context } from "../context";
import { mustExist, orNull, ref } from "../context";
import { moduleSet, membersSet, refId } from "../copied";
import { IP_POLICIES, TCP_EDGES } from "../paths";
import { described, flag, id, text } from "../http/validation";
import type { Fields } from "../store";
import { backendPath } from "./backends";
import { collection } from "./collection";

const HOSTPORT = /^(?:\[[0-9A-Fa-f:.]+\]|[^\s:/]+):([1-9]\d{0,4})$/;

const isHostport = (value: string) => Number(HOSTPORT.exec(value)?.[1] ?? Infinity) <= 65535;

const edge = z.strictObject({
  ...described,
  hostports: z.array(text.refine(isHostport, { error: "must be hostname:port" })).optional(),
  backend: z
    .strictObject({
      enabled: flag.optional(),
      backend_id: id("bkdtg_", "bkdhr_", "bkdwd_", "bkdfo_").optional(),
    })
    .optional(),
  ip_restriction: z
    .strictObject({ enabled: flag.optional(), ip_policy_ids: z.array(id("ipp_")).optional() })
    .optional(),
  traffic_policy: z.strictObject({ enabled: flag.optional(), value: text.optional() }).optional(),
});

export const tcpEdges = collection({
  path: TCP_EDGES,
  prefix: "edgtcp_",
  listKey: "tcp_edges",
  noun: "TCP edge",
  create: edge,
  // A shallow merge: an omitted module stays, an included one replaces the whole module.
  update: edge,
  check: checkReferences,
  response: ({ hostports, backend, ip_restriction, traffic_policy }, context) => ({
    hostports: context.normalise && hostports?.length === 0 ? null : (hostports ?? null),
    backend: orNull(backend, ({ enabled, backend_id }) => ({
      enabled: enabled ?? true,
      backend: orNull(backend_id, (used) => ref(context, backendPath(used) ?? "", used)),
    })),
    ip_restriction: orNull(ip_restriction, (module) => ipRestriction(module, context)),
    traffic_policy: orNull(traffic_policy, ({ enabled, value }) => ({
      enabled: enabled ?? true,
      value: value ?? null,
    })),
  }),
  copied: (answer) => {
    const { backend, ip_restriction, traffic_policy, ...members } = membersSet(answer);
    return {
      ...members,
      backend: moduleSet(backend, ({ enabled, backend: used }) => ({
        enabled,
        ...(used === undefined ? {} : { backend_id: refId(used) }),
      })),
      ip_restriction: moduleSet(ip_restriction, copiedRestriction),
      traffic_policy: moduleSet(traffic_policy, ({ enabled, value }) => ({ enabled, value })),
    };
  },
  refs: ({ backend, ip_restriction }) => [
    ...(backend?.backend_id === undefined ? [] : [backend.backend_id]),
    ...(ip_restriction?.ip_policy_ids ?? []),
  ],
});

type Edge = z.output<typeof edge>;

function checkReferences({ backend, ip_restriction }: Edge, context: Context): void {
  const used = backend?.backend_id;
  if (used !== undefined) mustExist(context, backendPath(used) ?? "", used, "backend.backend_id", "backend");
  checkPolicies(context, ip_restriction?.ip_policy_ids, "ip_restriction.ip_policy_ids");
}

export function checkPolicies(context: Context, ids: string[] | undefined, field: string): void {
  for (const policy of ids ?? []) mustExist(context, IP_POLICIES, policy, field, "IP policy");
}

/** The fields of a copied EndpointIPPolicy. */
export function copiedRestriction({ enabled, ip_policies = [] }: Fields): Fields {
  return { enabled, ip_policy_ids: (ip_policies as unknown[]).map(refId) };
}

/** EndpointIPPolicy: the reference to a deleted policy stays; the policy has zero rules. */
export function ipRestriction(
  module: { enabled?: boolean | undefined; ip_policy_ids?: string[] | undefined },
  context: Context,
) {
  return {
    enabled: module.enabled ?? true,
    ip_policies: (module.ip_policy_ids ?? []).map((policy) => ref(context, IP_POLICIES, policy)),
  };
}
