import { refs, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { edges, getAt, resource } from "./collection";
import { ipRestricted, pathPart } from "./shared-fields";

const fields = together(
  {
    /** The TLS edge that the module belongs to. Changing it moves the module: it is replaced. */
    edgeId: pathPart,
  },
  ipRestricted,
  {
    /** The IP policies that decide which traffic passes. */
    ipPolicies: refs("ip_policies"),
  },
);

/** The arguments of a {@link TlsEdgeIpRestriction}. Specification: Edge route and edge modules. */
export interface TlsEdgeIpRestrictionArgs extends ArgsOf<typeof fields> {}

/**
 * The IP restriction module of a TLS edge: the edge's traffic passes only if its IP policies allow it. An
 * edge has one module of this kind; its id is `<edgeId>`. The package does not adopt an existing one: import it.
 *
 * ## Example: only the office reaches a TLS edge
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { IpPolicy, IpPolicyRuleSet, TlsEdgeIpRestriction } from "pulumi-tunnel-gateway";
 *
 * const office = new IpPolicy("office");
 * const lan = new IpPolicyRuleSet("lan", { ipPolicyId: office.id, rules: { "203.0.113.0/24": "allow" } });
 * new TlsEdgeIpRestriction("office-only", {
 *   edgeId: new pulumi.Config().require("tlsEdgeId"),
 *   ipPolicyIds: [lan.ipPolicyId],
 * });
 * ```
 *
 * The module is created and changed after the rules that the program declares for its policies, and deleted before them.
 *
 * Specification: TLS edge IP restriction module.
 */
export class TlsEdgeIpRestriction extends resource<
  TlsEdgeIpRestriction,
  TlsEdgeIpRestrictionArgs,
  typeof fields
>({
  style: "singleton",
  type: "TlsEdgeIpRestriction",
  noun: "IP restriction module",
  group: edges,
  path: "/edges/tls/{edgeId}/ip_restriction",
  gates: [{ by: "address", what: "IP restriction" }],
  fields,
}) {}

export const [getTlsEdgeIpRestriction, getTlsEdgeIpRestrictionOutput] = getAt(TlsEdgeIpRestriction);
