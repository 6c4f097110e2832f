import { weight } from "../schema/formats/number";
import { leavesNothing, map, number, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { backends, getOf, listOf, resource } from "./collection";
import { childBackend, described, recorded } from "./shared-fields";

const own = {
  /**
   * The id of each child backend (`bkdtg_…` or `bkdhr_…`) to its weight, a whole number from 0 to 10000. Services
   * refuse weighted and failover backends as children, which a preview checks if it knows the ids. An Output cannot
   * be a key: build the map with `pulumi.all([a.id, b.id]).apply(…)`.
   */
  backends: map(number(weight), childBackend).required().means("where traffic goes", leavesNothing),
};

const fields = together(own, described, recorded);

/** The arguments of a {@link WeightedBackend}. Specification: Create and update parameters, /backends/weighted. */
export interface WeightedBackendArgs extends ArgsOf<typeof fields> {}

/**
 * A weighted backend (`bkdwd_…`): traffic is shared among other backends by weight.
 *
 * ## Example: a tenth of the traffic for the new version
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { TunnelGroupBackend, WeightedBackend } from "pulumi-tunnel-gateway";
 *
 * const stable = new TunnelGroupBackend("stable", { labels: { version: "1" } });
 * const canary = new TunnelGroupBackend("canary", { labels: { version: "2" } });
 * new WeightedBackend("web", {
 *   backends: pulumi
 *     .all([stable.id, canary.id])
 *     .apply(([stableId, canaryId]) => ({ [stableId]: 90, [canaryId]: 10 })),
 * });
 * ```
 *
 * Specification: Weighted backend, and Limits.
 */
export class WeightedBackend extends resource<WeightedBackend, WeightedBackendArgs, typeof fields>({
  type: "WeightedBackend",
  group: backends,
  path: "/backends/weighted",
  idPrefix: "bkdwd_",
  listKey: "backends",
  columns: ["backends", "description"],
  fields,
}) {}

export const [getWeightedBackend, getWeightedBackendOutput] = getOf(WeightedBackend);
export const [listWeightedBackends, listWeightedBackendsOutput] = listOf(WeightedBackend);
