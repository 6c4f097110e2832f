import { eventType } from "../schema/formats/names";
import { id, text } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { events, getAt, listWithin, resource } from "./collection";

const fields = {
  /** The subscription (`esb_…`) that the source belongs to. Changing it replaces the source. */
  subscriptionId: id("esb_").required().replace().means("where data goes").inPath(),
  /** The event type with its version, such as `ip_policy_created.v0`. Changing it replaces the source. */
  type: text(eventType).required().replace().means("where data goes"),
  /** The address of the object in the API. */
  uri: text().computed().fixed(),
};

/** The arguments of an {@link EventSource}. Specification: Event sources. */
export interface EventSourceArgs extends ArgsOf<typeof fields> {}

/**
 * One event type that triggers an {@link EventSubscription}. Its id is `<subscription id>/<type>`. The
 * subscription must leave out its own argument `sources`: combined, each would undo the changes of the other.
 *
 * ## Example: a subscription whose event types are resources of their own
 *
 * ```typescript
 * import { EventSource, EventSubscription } from "pulumi-tunnel-gateway";
 *
 * const changes = new EventSubscription("changes");
 * for (const type of ["ip_policy_created.v0", "ip_policy_updated.v0"]) {
 *   new EventSource(type, { subscriptionId: changes.id, type });
 * }
 * ```
 *
 * Specification: Event source, and Events 3.
 */
export class EventSource extends resource<EventSource, EventSourceArgs, typeof fields>({
  style: "member",
  type: "EventSource",
  group: events,
  path: "/event_subscriptions/{subscriptionId}/sources/{type}",
  listPath: "/event_subscriptions/{subscriptionId}/sources",
  listKey: "sources",
  columns: ["type"],
  fields,
}) {}

export const [getEventSource, getEventSourceOutput] = getAt(EventSource);
export const [listEventSources, listEventSourcesOutput] = listWithin(EventSource);
