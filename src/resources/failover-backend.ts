import { collection } from "../schema/declaration";
import { together } from "../schema/inferred";
import type { ArgsOf } from "../schema/inferred";
import { list, text } from "../schema/kinds";
import { readersOf } from "../account/readers";
import { resource } from "../program/resource-class";
import { leavesNothing } from "../schema/meaning";
import { backends } from "./groups";
import { childBackend, described, recorded } from "./shared-fields";

const fields = together(
  {
    /**
     * The ids of the child backends (`bkdtg_…` or `bkdhr_…`). Their order counts. Services refuse weighted and failover
     * backends as children.
     */
    backends: list(text(childBackend)).required().means("where traffic goes", leavesNothing),
  },
  described,
  recorded,
);

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
export class FailoverBackend extends resource<FailoverBackend, FailoverBackendArgs, typeof fields>(
  collection({
    type: "FailoverBackend",
    noun: "failover backend",
    group: backends,
    path: "/backends/failover",
    idPrefix: "bkdfo_",
    listKey: "backends",
    columns: ["backends", "description"],
    fields,
  }),
) {}

export const [
  getFailoverBackend,
  getFailoverBackendOutput,
  listFailoverBackends,
  listFailoverBackendsOutput,
] = readersOf(FailoverBackend);
