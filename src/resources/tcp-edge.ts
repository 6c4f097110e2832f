import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import * as hostport from "../schema/formats/hostport";
import { id, ref, refs, set, text, wholeObject } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { comparedByOwnRule } from "../schema/meaning";
import { edges } from "./groups";
import { backendPrefixes, described, ipRestricted, recorded, switchable } from "./shared-fields";

/** Where a {@link TcpEdge} sends its traffic. Specification: Module objects, EndpointBackend. */
export interface TcpEdgeBackendArgs {
  /** Whether the module is on. Default: true. If removed: its default again. */
  enabled?: pulumi.Input<boolean>;
  /**
   * The backend: `bkdtg_…`, `bkdhr_…`, `bkdwd_…` or `bkdfo_…`. Default: left to the service. If removed: left to the
   * service.
   */
  backendId?: pulumi.Input<string>;
}

/** Who may reach a {@link TcpEdge}. Specification: Module objects, EndpointIPPolicy. */
export interface TcpEdgeIpRestrictionArgs {
  /** Whether the module is on. Default: true. If removed: its default again. */
  enabled?: pulumi.Input<boolean>;
  /**
   * The IP policies (`ipp_…`), in any order. The edge changes after the rules that the program declares for them.
   * Default: left to the service. If removed: left to the service.
   */
  ipPolicyIds?: pulumi.Input<pulumi.Input<string>[]>;
}

/** What a {@link TcpEdge} does with its traffic. Specification: Module objects, EndpointTrafficPolicy. */
export interface TcpEdgeTrafficPolicyArgs {
  /** Whether the module is on. Default: true. If removed: its default again. */
  enabled?: pulumi.Input<boolean>;
  /** The traffic policy, kept byte for byte. Default: left to the service. If removed: left to the service. */
  value?: pulumi.Input<string>;
}

/**
 * The arguments of a {@link TcpEdge}. A module that the program never contained stays unchanged. A module in the program
 * is set as a whole. A module that is removed from the program is switched off (`enabled: false`), because the API cannot
 * remove it. Specification: Update semantics of /edges/tcp.
 */
export interface TcpEdgeArgs {
  /**
   * The addresses that the edge serves, each as `hostname:port`, in any order. Default: left to the service. If
   * removed: cleared.
   */
  hostports?: pulumi.Input<pulumi.Input<string>[]>;
  /** Where the traffic goes. Default: left to the service. If removed: switched off. */
  backend?: pulumi.Input<TcpEdgeBackendArgs>;
  /** Who may reach the edge. Default: left to the service. If removed: switched off. */
  ipRestriction?: pulumi.Input<TcpEdgeIpRestrictionArgs>;
  /** The traffic policy of the edge. Default: left to the service. If removed: switched off. */
  trafficPolicy?: pulumi.Input<TcpEdgeTrafficPolicyArgs>;
  /** What the edge is used for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const off = { enabled: false };

const tcpEdge: Declaration = collection<TcpEdgeArgs, TcpEdge>({
  type: "TcpEdge",
  noun: "TCP edge",
  group: edges,
  path: "/edges/tcp",
  listKey: "tcp_edges",
  address: "hostports",
  gates: [
    { by: "address", what: "IP restriction", argument: "ipRestriction" },
    { by: "trafficPolicy", what: "traffic policy", argument: "trafficPolicy" },
  ],
  columns: ["hostports", "description"],
  fields: {
    hostports: set(text(hostport)).means("where traffic goes"),
    backend: wholeObject({
      enabled: switchable().enabled.means("where traffic goes"),
      backendId: id(...backendPrefixes).fromRef("backend"),
    })
      .means("where traffic goes")
      .removedAs(off)
      .absentAs(off),
    ipRestriction: wholeObject(ipRestricted()).removedAs(off).absentAs(off),
    trafficPolicy: wholeObject({ ...switchable(), value: text().means("who gets in", comparedByOwnRule) })
      .removedAs(off)
      .absentAs(off),
    ...described(),
    ...recorded(),
    backendRef: ref("backend").within("backend"),
    ipPolicies: refs("ip_policies").within("ip_restriction"),
  },
});

/**
 * A TCP edge: addresses that accept TCP connections, with up to three modules that say where they go, who may
 * reach them, and which traffic policy applies.
 *
 * ## Example: an edge for one office, with a backend of labeled tunnels
 *
 * ```typescript
 * import { IpPolicy, IpPolicyRuleSet, TcpEdge, TunnelGroupBackend } from "pulumi-tunnel-gateway";
 *
 * const office = new IpPolicy("office");
 * const lan = new IpPolicyRuleSet("lan", { ipPolicyId: office.id, rules: { "203.0.113.0/24": "allow" } });
 * const database = new TunnelGroupBackend("database", { labels: { service: "database" } });
 * new TcpEdge("database", {
 *   hostports: ["1.tcp.example.com:12345"],
 *   backend: { backendId: database.id },
 *   ipRestriction: { ipPolicyIds: [lan.ipPolicyId] },
 * });
 * ```
 *
 * The edge is created and changed after the rules that the program declares for its policies, and deleted before them.
 * docs/faq.md#who-gets-in says what the specification leaves open about policies.
 *
 * Specification: TCP edge.
 */
export class TcpEdge extends resource<TcpEdge, TcpEdgeArgs>(tcpEdge) {
  /** The addresses that the edge serves. */
  declare readonly hostports: pulumi.Output<string[] | undefined>;
  /** Where the traffic goes. Undefined if the module was never set. */
  declare readonly backend: pulumi.Output<pulumi.Unwrap<TcpEdgeBackendArgs> | undefined>;
  /** Who may reach the edge. Undefined if the module was never set. */
  declare readonly ipRestriction: pulumi.Output<pulumi.Unwrap<TcpEdgeIpRestrictionArgs> | undefined>;
  /** The traffic policy of the edge. Undefined if the module was never set. */
  declare readonly trafficPolicy: pulumi.Output<pulumi.Unwrap<TcpEdgeTrafficPolicyArgs> | undefined>;
  /** What the edge is used for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the edge was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The backend that the module refers to. */
  declare readonly backendRef: pulumi.Output<Ref | undefined>;
  /** The IP policies that the restriction refers to. */
  declare readonly ipPolicies: pulumi.Output<Ref[]>;
}

const readers = readersOf<ResultOf<TcpEdge>>(tcpEdge);
/** Reads a TCP edge by its id, or the only one that a filter matches. Specification: TCP edge. */
export const getTcpEdge = readers.get;
/** {@link getTcpEdge} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getTcpEdgeOutput = readers.getOutput;
/** Lists all TCP edges. Specification: TCP edge. */
export const listTcpEdges = readers.list;
/** {@link listTcpEdges} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listTcpEdgesOutput = readers.listOutput;
