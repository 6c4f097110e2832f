import type * as pulumi from "@pulumi/pulumi";
import { member } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import * as event from "../schema/formats/event";
import { id, text } from "../schema/kinds";
import { readersWithin } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { events } from "./groups";

/** The arguments of an {@link EventSource}. Specification: Event sources. */
export interface EventSourceArgs {
  /** The subscription (`esb_…`) that the source belongs to. Changing it replaces the source. */
  subscriptionId: pulumi.Input<string>;
  /**
   * The event type with its version, such as `ip_policy_created.v0`; a subscription holds each type once.
   * Changing it replaces the source.
   */
  type: pulumi.Input<string>;
}

const eventSource: Declaration = member<EventSourceArgs, EventSource>({
  type: "EventSource",
  noun: "event source",
  group: events,
  path: "/event_subscriptions/{subscriptionId}/sources/{type}",
  listKey: "sources",
  columns: ["type"],
  fields: {
    subscriptionId: id("esb_").required().replace().means("where data goes").inPath(),
    type: text(event).required().replace().means("where data goes"),
    uri: text().computed(),
  },
});

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
export class EventSource extends resource<EventSource, EventSourceArgs>(eventSource) {
  /** The id of the subscription that the source belongs to. */
  declare readonly subscriptionId: pulumi.Output<string>;
  /** The event type. */
  declare readonly type: pulumi.Output<string>;
}

const readers = readersWithin<ResultOf<EventSource>>(eventSource);
/** Reads an event source by `<subscription id>/<type>`. Specification: Event sources. */
export const getEventSource = readers.get;
/** {@link getEventSource} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getEventSourceOutput = readers.getOutput;
/** Lists all event sources of a subscription (`esb_…`). Specification: Event sources. */
export const listEventSources = readers.list;
/** {@link listEventSources} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listEventSourcesOutput = readers.listOutput;
