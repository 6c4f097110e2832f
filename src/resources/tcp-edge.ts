import { occupied } from "../schema/occupied-addresses";
import * as hostport from "../schema/formats/hostport";
import { comparedByOwnRule, id, ref, refs, set, text, together, wholeObject } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { edges, getOf, listOf, resource } from "./collection";
import { backendPrefixes, described, ipRestricted, recorded, switchable } from "./shared-fields";
import type { IpRestricted } from "./shared-fields";

const backend = {
  /** Whether the module is on. Default: true. */
  enabled: switchable.enabled.means("where traffic goes"),
  /** The backend: `bkdtg_…`, `bkdhr_…`, `bkdwd_…` or `bkdfo_…`. */
  backendId: id(...backendPrefixes).fromRef("backend"),
};

/** Where a {@link TcpEdge} sends its traffic. Specification: Module objects, EndpointBackend. */
export interface TcpEdgeBackendArgs extends ArgsOf<typeof backend> {}

/** Who may reach a {@link TcpEdge}. Specification: Module objects, EndpointIPPolicy. */
export interface TcpEdgeIpRestrictionArgs extends ArgsOf<IpRestricted> {}

const trafficPolicy = together(switchable, {
  /** The traffic policy, kept byte for byte. */
  value: text().means("who gets in", comparedByOwnRule),
});

/** What a {@link TcpEdge} does with its traffic. Specification: Module objects, EndpointTrafficPolicy. */
export interface TcpEdgeTrafficPolicyArgs extends ArgsOf<typeof trafficPolicy> {}

const off = { enabled: false };

const fields = together(
  {
    /** The addresses that the edge serves, each as `hostname:port`, in any order. */
    hostports: set(text(hostport)).means("where traffic goes"),
    /** Where the traffic goes. The output is undefined if the module was never set. */
    backend: wholeObject<TcpEdgeBackendArgs>(backend).means("where traffic goes").absentAs(off),
    /** Who may reach the edge. The output is undefined if the module was never set. */
    ipRestriction: wholeObject<TcpEdgeIpRestrictionArgs>(ipRestricted).absentAs(off),
    /** The traffic policy of the edge. The output is undefined if the module was never set. */
    trafficPolicy: wholeObject<TcpEdgeTrafficPolicyArgs>(trafficPolicy).absentAs(off),
  },
  described,
  recorded,
  {
    /** The backend that the module refers to. */
    backendRef: ref("backend").within("backend").maybe(),
    /** The IP policies that the restriction refers to. */
    ipPolicies: refs("ip_policies").within("ip_restriction"),
  },
);

/**
 * The arguments of a {@link TcpEdge}. A module that the program never contained stays unchanged; one in the program is set as
 * a whole; one that is removed from it is switched off, because the API cannot remove it. Specification: /edges/tcp.
 */
export interface TcpEdgeArgs extends ArgsOf<typeof fields> {}

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
 * The edge changes after the rules that the program declares for its policies, and is deleted before them.
 * docs/faq.md#who-gets-in says what the specification leaves open about policies.
 *
 * Specification: TCP edge.
 */
export class TcpEdge extends resource<TcpEdge, TcpEdgeArgs, typeof fields>({
  type: "TcpEdge",
  group: edges,
  path: "/edges/tcp",
  listKey: "tcp_edges",
  address: "hostports",
  occupies: ({ hostports }) => ({
    addresses: occupied(hostports, (each) => `tcp://${hostport.canonical(each)}`),
    isShared: false,
  }),
  gates: [
    { by: "address", what: "IP restriction", argument: "ipRestriction" },
    { by: "trafficPolicy", what: "traffic policy", argument: "trafficPolicy" },
  ],
  columns: ["hostports", "description"],
  fields,
}) {}

export const [getTcpEdge, getTcpEdgeOutput] = getOf(TcpEdge);
export const [listTcpEdges, listTcpEdgesOutput] = listOf(TcpEdge);
