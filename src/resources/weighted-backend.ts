import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import { format as idFormat } from "../schema/formats/id";
import { weight } from "../schema/formats/number";
import { map, number } from "../schema/kinds";
import { GatewayResource } from "../runtime/gateway-resource";
import { backends } from "./groups";
import { backendPrefixes, described, recorded } from "./shared-fields";

/** The arguments of a {@link WeightedBackend}. Specification: Create and update parameters, /backends/weighted. */
export interface WeightedBackendArgs {
  /**
   * The id of each child backend (`bkdtg_…`, `bkdhr_…`, `bkdwd_…` or `bkdfo_…`) to its weight, a whole number
   * from 0 to 10000. An Output cannot be a key: build the map with `pulumi.all([a.id, b.id]).apply(…)`.
   */
  backends: pulumi.Input<Record<string, pulumi.Input<number>>>;
  /** What the backend is for. At most 255 bytes. Default: none. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. */
  metadata?: pulumi.Input<string>;
}

export const weightedBackend = collection<WeightedBackendArgs, WeightedBackend>({
  type: "WeightedBackend",
  noun: "weighted backend",
  plural: "weighted backends",
  group: backends,
  path: "/backends/weighted",
  idPrefix: "bkdwd_",
  listKey: "backends",
  columns: ["backends", "description"],
  fields: {
    backends: map(number(weight), idFormat(...backendPrefixes)).required(),
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
export class WeightedBackend extends GatewayResource {
  /** Looks up an existing backend by its id; it is read, not managed. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): WeightedBackend {
    return new WeightedBackend(name, undefined as never, { ...opts, id });
  }

  /** Whether the value is a WeightedBackend, of whatever copy of this package. */
  static override isInstance(value: unknown): value is WeightedBackend {
    return GatewayResource.isOfType(value, weightedBackend);
  }

  /** The id of each child backend to its weight. */
  declare readonly backends: pulumi.Output<Record<string, number>>;
  /** What the backend is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the backend was made, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;

  /**
   * @param name the resource's name in the program.
   * @param args the backend's arguments.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: WeightedBackendArgs, opts?: pulumi.CustomResourceOptions) {
    super(weightedBackend, name, args, opts);
  }
}
