import type * as pulumi from "@pulumi/pulumi";
import { singleton } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { id, refs } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { readersAt } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resourceWithoutUri } from "../runtime/resource-class";
import { comparedByOwnRule } from "../schema/meaning";
import { edges } from "./groups";
import { ipRestricted } from "./shared-fields";

/** The arguments of a {@link TlsEdgeIpRestriction}. Specification: Edge route and edge modules. */
export interface TlsEdgeIpRestrictionArgs {
  /** The TLS edge that the module belongs to. Changing it moves the module: it is replaced. */
  edgeId: pulumi.Input<string>;
  /** Whether traffic is restricted. Default: true. If removed: its default again. */
  enabled?: pulumi.Input<boolean>;
  /**
   * The IP policies (`ipp_…`) that decide which traffic passes, in any order. The module changes after the rules that
   * the program declares for them. Default: left to the service. If removed: left to the service.
   */
  ipPolicyIds?: pulumi.Input<pulumi.Input<string>[]>;
}

const tlsEdgeIpRestriction: Declaration = singleton<TlsEdgeIpRestrictionArgs, TlsEdgeIpRestriction>({
  type: "TlsEdgeIpRestriction",
  noun: "IP restriction module",
  group: edges,
  path: "/edges/tls/{edgeId}/ip_restriction",
  gates: [{ by: "address", what: "IP restriction" }],
  fields: {
    edgeId: id().required().replace().means("who gets in", comparedByOwnRule).inPath(),
    ...ipRestricted(),
    ipPolicies: refs("ip_policies"),
  },
});

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
export class TlsEdgeIpRestriction extends resourceWithoutUri<TlsEdgeIpRestriction, TlsEdgeIpRestrictionArgs>(
  tlsEdgeIpRestriction,
) {
  /** The TLS edge that the module belongs to. */
  declare readonly edgeId: pulumi.Output<string>;
  /** Whether traffic is restricted. */
  declare readonly enabled: pulumi.Output<boolean>;
  /** The ids of the IP policies that decide which traffic passes. */
  declare readonly ipPolicyIds: pulumi.Output<string[]>;
  /** The IP policies that decide which traffic passes. */
  declare readonly ipPolicies: pulumi.Output<Ref[]>;
}

const readers = readersAt<ResultOf<TlsEdgeIpRestriction>>(tlsEdgeIpRestriction);
/** Reads the IP restriction module of a TLS edge, by `<edge id>`. Specification: TLS edge IP restriction module. */
export const getTlsEdgeIpRestriction = readers.get;
/** {@link getTlsEdgeIpRestriction} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getTlsEdgeIpRestrictionOutput = readers.getOutput;
