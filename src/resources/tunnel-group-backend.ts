import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import * as label from "../schema/formats/label";
import { map, refs, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { backends } from "./groups";
import { described, recorded } from "./shared-fields";

/** The arguments of a {@link TunnelGroupBackend}. Specification: Create and update parameters, /backends/tunnel_group. */
export interface TunnelGroupBackendArgs {
  /** The labels to watch for tunnels on, keys and values without `=`. Keys stay as written. */
  labels: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /** What the backend is for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const tunnelGroupBackend: Declaration = collection<TunnelGroupBackendArgs, TunnelGroupBackend>({
  type: "TunnelGroupBackend",
  noun: "tunnel group backend",
  group: backends,
  path: "/backends/tunnel_group",
  idPrefix: "bkdtg_",
  listKey: "backends",
  columns: ["labels", "description"],
  fields: {
    labels: map(text({ check: label.checkValue, advise: label.adviseValue }), {
      check: label.checkKey,
      advise: label.adviseKey,
    })
      .required()
      .means("where traffic goes"),
    ...described(),
    ...recorded(),
    tunnels: refs("tunnels"),
  },
});

/**
 * A tunnel group backend (`bkdtg_…`): traffic goes to the tunnels that carry its labels.
 *
 * ## Example: the tunnels of one service
 *
 * ```typescript
 * import { TunnelGroupBackend } from "pulumi-tunnel-gateway";
 *
 * const web = new TunnelGroupBackend("web", { labels: { service: "web", stage: "production" } });
 * export const webTunnels = web.tunnels;
 * ```
 *
 * Specification: Tunnel group backend.
 */
export class TunnelGroupBackend extends resource<TunnelGroupBackend, TunnelGroupBackendArgs>(
  tunnelGroupBackend,
) {
  /** The labels to watch for tunnels on. */
  declare readonly labels: pulumi.Output<Record<string, string>>;
  /** What the backend is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the backend was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The tunnels that matched the labels when the backend was last read; they come and go. */
  declare readonly tunnels: pulumi.Output<Ref[]>;
}

const readers = readersOf<ResultOf<TunnelGroupBackend>>(tunnelGroupBackend);
/** Reads a tunnel group backend by its id, or the only one that a filter matches. Specification: Tunnel group backend. */
export const getTunnelGroupBackend = readers.get;
/** {@link getTunnelGroupBackend} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getTunnelGroupBackendOutput = readers.getOutput;
/** Lists all tunnel group backends, such as those with a label with `filter: { labels: { service: "web" } }`. Specification: Tunnel group backend. */
export const listTunnelGroupBackends = readers.list;
/** {@link listTunnelGroupBackends} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listTunnelGroupBackendsOutput = readers.listOutput;
