import type * as pulumi from "@pulumi/pulumi";
import { member } from "../schema/declaration";
import * as event from "../schema/formats/event";
import { id, text } from "../schema/kinds";
import { GatewayResource } from "../runtime/gateway-resource";
import { events } from "./groups";

/** The arguments of an {@link EventSource}. Specification: Event sources. */
export interface EventSourceArgs {
  /** The subscription (`esb_…`) that the source belongs to. Changing it replaces the source. */
  subscriptionId: pulumi.Input<string>;
  /**
   * The event type with its version, such as `ip_policy_created.v0`; it stands once in a subscription.
   * Changing it replaces the source.
   */
  type: pulumi.Input<string>;
}

export const eventSource = member<EventSourceArgs, EventSource>({
  type: "EventSource",
  noun: "event source",
  plural: "event sources",
  group: events,
  path: "/event_subscriptions/{subscriptionId}/sources/{type}",
  listKey: "sources",
  columns: ["type"],
  fields: {
    subscriptionId: id("esb_").required().replace().inPath(),
    type: text(event).required().replace(),
    uri: text().computed(),
  },
});

/**
 * One event type that triggers an {@link EventSubscription}. Its id is `<subscription id>/<type>`. The
 * subscription must leave out its own argument `sources`: mixed, each undoes what the other made.
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
export class EventSource extends GatewayResource {
  /** Looks up an existing source by its id, `<subscription id>/<type>`; it is read, not managed. */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): EventSource {
    return new EventSource(name, undefined as never, { ...opts, id });
  }

  /** Whether the value is an EventSource, of whatever copy of this package. */
  static override isInstance(value: unknown): value is EventSource {
    return GatewayResource.isOfType(value, eventSource);
  }

  /** The id of the subscription that the source belongs to. */
  declare readonly subscriptionId: pulumi.Output<string>;
  /** The event type. */
  declare readonly type: pulumi.Output<string>;

  /**
   * @param name the resource's name in the program.
   * @param args the source's arguments.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args: EventSourceArgs, opts?: pulumi.CustomResourceOptions) {
    super(eventSource, name, args, opts);
  }
}
