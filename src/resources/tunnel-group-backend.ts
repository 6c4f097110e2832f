import { labelKey, labelValue } from "../schema/formats/names";
import { map, refs, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { backends, getOf, listOf, resource } from "./collection";
import { described, recorded } from "./shared-fields";

const fields = together(
  {
    /** The labels to watch for tunnels on, keys and values without `=`. Keys stay as written. */
    labels: map(text(labelValue), labelKey).required().means("where traffic goes"),
  },
  described,
  recorded,
  {
    /** The tunnels that matched the labels when the backend was last read; they come and go. */
    tunnels: refs("tunnels"),
  },
);

/** The arguments of a {@link TunnelGroupBackend}. Specification: Create and update parameters. */
export interface TunnelGroupBackendArgs extends ArgsOf<typeof fields> {}

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
export class TunnelGroupBackend extends resource<TunnelGroupBackend, TunnelGroupBackendArgs, typeof fields>({
  type: "TunnelGroupBackend",
  group: backends,
  path: "/backends/tunnel_group",
  idPrefix: "bkdtg_",
  listKey: "backends",
  columns: ["labels", "description"],
  fields,
}) {}

export const [getTunnelGroupBackend, getTunnelGroupBackendOutput] = getOf(TunnelGroupBackend);
export const [listTunnelGroupBackends, listTunnelGroupBackendsOutput] = listOf(TunnelGroupBackend);
