import { leavesNothing, list, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { backends, getOf, listOf, resource } from "./collection";
import { childBackend, described, recorded } from "./shared-fields";

const own = {
  /**
   * The ids of the child backends (`bkdtg_…` or `bkdhr_…`). Their order counts. Services refuse weighted and failover
   * backends as children.
   */
  backends: list(text(childBackend)).required().means("where traffic goes", leavesNothing),
};

const fields = together(own, described, recorded);

/** The arguments of a {@link FailoverBackend}. Specification: Create and update parameters, /backends/failover. */
export interface FailoverBackendArgs extends ArgsOf<typeof fields> {}

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
export class FailoverBackend extends resource<FailoverBackend, FailoverBackendArgs, typeof fields>({
  type: "FailoverBackend",
  group: backends,
  path: "/backends/failover",
  idPrefix: "bkdfo_",
  listKey: "backends",
  columns: ["backends", "description"],
  fields,
}) {}

export const [getFailoverBackend, getFailoverBackendOutput] = getOf(FailoverBackend);
export const [listFailoverBackends, listFailoverBackendsOutput] = listOf(FailoverBackend);
