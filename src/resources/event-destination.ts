import { chosen } from "../schema/equality";
import { isUnknown } from "../schema/unknown";
import { oneOf, together } from "../schema/words";
import type { ArgsOf, ReplaceWhen } from "../schema/words";
import { events, getOf, listOf, resource } from "./collection";
import { eventTarget } from "./event-target";
import { describedByReplacement, recorded, undocumented } from "./shared-fields";

/** How a destination serializes events. Specification: Event destination. */
export const EventDestinationFormat = { Json: "json" } as const;
export type EventDestinationFormat = "json";

/** A kind that is not known yet counts as unchanged. */
const targetChanges: ReplaceWhen = (change, settings) =>
  undocumented(change, settings) || (!isUnknown(change.next) && chosen(change.old) !== chosen(change.next));

const own = {
  /**
   * Where the events are delivered: exactly one kind of target. The output is undefined if the destination was
   * looked up and its target is of a kind that the specification does not show (object storage).
   */
  target: eventTarget.required().maybe().replace(targetChanges).means("where data goes"),
  /** How events are serialized: `json`. It is always sent when the destination is created. Default: `json`. */
  format: oneOf<EventDestinationFormat>("json")
    .serverDefault("json")
    .essential()
    .replace(undocumented)
    .means("none"),
};

const fields = together(own, describedByReplacement, recorded);

/**
 * The arguments of an {@link EventDestination}. The specification shows no update, so every change replaces the destination;
 * with the setting `patchUndocumented`, only another kind of target. Specification: Create and update parameters.
 */
export interface EventDestinationArgs extends ArgsOf<typeof fields> {}

/**
 * An event destination (`ed_…`): where events are delivered. It has no effect until an
 * {@link EventSubscription} refers to it.
 *
 * ## Example: a log group that the service writes to with your role
 *
 * ```typescript
 * import { EventDestination, EventSubscription } from "pulumi-tunnel-gateway";
 *
 * const audit = new EventDestination("audit", {
 *   target: {
 *     logGroup: {
 *       auth: { role: { roleRef: "role/gateway-events" } },
 *       logGroupRef: "log-group/gateway-audit",
 *     },
 *   },
 * });
 * new EventSubscription("audit", {
 *   sources: [{ type: "ip_policy_created.v0" }],
 *   destinationIds: [audit.id],
 * });
 * ```
 *
 * Specification: Event destination, EventTarget and CloudAuth.
 */
export class EventDestination extends resource<EventDestination, EventDestinationArgs, typeof fields>({
  type: "EventDestination",
  group: events,
  path: "/event_destinations",
  idPrefix: "ed_",
  columns: ["format", "description"],
  fields,
}) {}

export const [getEventDestination, getEventDestinationOutput] = getOf(EventDestination);
export const [listEventDestinations, listEventDestinationsOutput] = listOf(EventDestination);
