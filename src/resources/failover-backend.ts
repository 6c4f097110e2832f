import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { list, text } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { leavesNothing } from "../schema/meaning";
import { backends } from "./groups";
import { childBackend, described, recorded } from "./shared-fields";

/** The arguments of a {@link FailoverBackend}. Specification: Create and update parameters, /backends/failover. */
export interface FailoverBackendArgs {
  /**
   * The ids of the child backends (`bkdtg_…` or `bkdhr_…`). Their order counts. Services refuse weighted and failover
   * backends as children.
   */
  backends: pulumi.Input<pulumi.Input<string>[]>;
  /** What the backend is for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const failoverBackend: Declaration = collection<FailoverBackendArgs, FailoverBackend>({
  type: "FailoverBackend",
  noun: "failover backend",
  group: backends,
  path: "/backends/failover",
  idPrefix: "bkdfo_",
  listKey: "backends",
  columns: ["backends", "description"],
  fields: {
    backends: list(text(childBackend)).required().means("where traffic goes", leavesNothing),
    ...described(),
    ...recorded(),
  },
});

/**
 * A failover backend (`bkdfo_…`): traffic goes to the first of its backends, in order, that can serve it.
 *
 * ## Example: a fixed response when no tunnel is online
 *
 * ```typescript
 * import { FailoverBackend, HttpResponseBackend, TunnelGroupBackend } from "pulumi-tunnel-gateway";
 *
 * const web = new TunnelGroupBackend("web", { labels: { service: "web" } });
 * const sorry = new HttpResponseBackend("sorry", { statusCode: 503, body: "no server is online" });
 * new FailoverBackend("web-or-sorry", { backends: [web.id, sorry.id] });
 * ```
 *
 * Specification: Failover backend.
 */
export class FailoverBackend extends resource<FailoverBackend, FailoverBackendArgs>(failoverBackend) {
  /** The ids of the child backends, in order. */
  declare readonly backends: pulumi.Output<string[]>;
  /** What the backend is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the backend was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<FailoverBackend>>(failoverBackend);
/** Reads a failover backend by its id, or the only one that a filter matches. Specification: Failover backend. */
export const getFailoverBackend = readers.get;
/** {@link getFailoverBackend} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getFailoverBackendOutput = readers.getOutput;
/** Lists all failover backends. Specification: Failover backend. */
export const listFailoverBackends = readers.list;
/** {@link listFailoverBackends} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listFailoverBackendsOutput = readers.listOutput;
