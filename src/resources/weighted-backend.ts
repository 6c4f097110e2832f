import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { weight } from "../schema/formats/number";
import { map, number } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { leavesNothing } from "../schema/meaning";
import { backends } from "./groups";
import { childBackend, described, recorded } from "./shared-fields";

/** The arguments of a {@link WeightedBackend}. Specification: Create and update parameters, /backends/weighted. */
export interface WeightedBackendArgs {
  /**
   * The id of each child backend (`bkdtg_…` or `bkdhr_…`) to its weight, a whole number from 0 to 10000. Services refuse
   * weighted and failover backends as children, which a preview checks if it knows the ids. An Output cannot be a key:
   * build the map with `pulumi.all([a.id, b.id]).apply(…)`.
   */
  backends: pulumi.Input<Record<string, pulumi.Input<number>>>;
  /** What the backend is for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const weightedBackend: Declaration = collection<WeightedBackendArgs, WeightedBackend>({
  type: "WeightedBackend",
  noun: "weighted backend",
  group: backends,
  path: "/backends/weighted",
  idPrefix: "bkdwd_",
  listKey: "backends",
  columns: ["backends", "description"],
  fields: {
    backends: map(number(weight), childBackend).required().means("where traffic goes", leavesNothing),
    ...described(),
    ...recorded(),
  },
});

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
export class WeightedBackend extends resource<WeightedBackend, WeightedBackendArgs>(weightedBackend) {
  /** The id of each child backend to its weight. */
  declare readonly backends: pulumi.Output<Record<string, number>>;
  /** What the backend is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the backend was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<WeightedBackend>>(weightedBackend);
/** Reads a weighted backend by its id, or the only one that a filter matches. Specification: Weighted backend. */
export const getWeightedBackend = readers.get;
/** {@link getWeightedBackend} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getWeightedBackendOutput = readers.getOutput;
/** Lists all weighted backends. Specification: Weighted backend. */
export const listWeightedBackends = readers.list;
/** {@link listWeightedBackends} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listWeightedBackendsOutput = readers.listOutput;
