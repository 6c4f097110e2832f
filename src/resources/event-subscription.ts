import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import * as event from "../schema/formats/event";
import { characters, id, object, refs, set, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { GatewayResource } from "../runtime/gateway-resource";
import { events } from "./groups";
import { described, recorded } from "./shared-fields";

/** An event type that triggers an {@link EventSubscription}. Specification: Event source. */
export interface EventSubscriptionSourceArgs {
  /** The event type with its version, such as `ip_policy_created.v0`. */
  type: pulumi.Input<string>;
}

/** An event source, as an answer refers to it. Specification: Event source. */
export interface EventSourceRef {
  /** The event type. */
  type: string;
  /** The address of the event source. */
  uri: string;
}

/** The arguments of an {@link EventSubscription}. Specification: Create and update parameters, /event_subscriptions. */
export interface EventSubscriptionArgs {
  /**
   * The event types that trigger the subscription, in any order. When given they are all it has; when left
   * out they are not managed here, and {@link EventSource}s may add them one by one. Use one of the two ways:
   * mixed, each undoes what the other made. Taking the argument out of the program removes all sources.
   * Default: left to the service.
   */
  sources?: pulumi.Input<pulumi.Input<EventSubscriptionSourceArgs>[]>;
  /** The event destinations (`ed_…`) that the events go to, in any order. Default: none. */
  destinationIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** What the subscription is for. At most 255 characters. Default: none. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 characters. Default: none. */
  metadata?: pulumi.Input<string>;
}

export const eventSubscription = collection<EventSubscriptionArgs, EventSubscription>({
  type: "EventSubscription",
  noun: "event subscription",
  plural: "event subscriptions",
  group: events,
  path: "/event_subscriptions",
  idPrefix: "esb_",
  listKey: "event_subscriptions",
  columns: ["sources", "description"],
  fields: {
    sources: set(object({ type: text(event).required() })),
    destinationIds: set(id("ed_")).fromRef("destinations"),
    ...described(characters),
    ...recorded(),
    destinations: refs("destinations"),
    sourceRefs: set(object({ type: text().required(), uri: text().required() }))
      .named("sources")
      .computed(),
  },
});

/**
 * An event subscription (`esb_…`): which events go to which {@link EventDestination}s.
 *
 * ## Example: every change of an IP policy, sent to a monitoring service
 *
 * ```typescript
 * import * as pulumi from "@pulumi/pulumi";
 * import { EventDestination, EventSubscription } from "pulumi-tunnel-gateway";
 *
 * const monitoring = new EventDestination("monitoring", {
 *   target: { monitoring: { apiKey: new pulumi.Config().requireSecret("monitoringApiKey") } },
 * });
 * new EventSubscription("policy-changes", {
 *   sources: [{ type: "ip_policy_created.v0" }, { type: "ip_policy_updated.v0" }],
 *   destinationIds: [monitoring.id],
 * });
 * ```
 *
 * Specification: Event subscription, and Events.
 */
export class EventSubscription extends GatewayResource {
  /** Looks up an existing subscription by its id; it is read, not managed. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts?: pulumi.CustomResourceOptions,
  ): EventSubscription {
    return new EventSubscription(name, undefined, { ...opts, id });
  }

  /** Whether the value is an EventSubscription, of whatever copy of this package. */
  static override isInstance(value: unknown): value is EventSubscription {
    return GatewayResource.isOfType(value, eventSubscription);
  }

  /** The event types that trigger the subscription. */
  declare readonly sources: pulumi.Output<pulumi.Unwrap<EventSubscriptionSourceArgs>[] | undefined>;
  /** The ids of the event destinations that the events go to. */
  declare readonly destinationIds: pulumi.Output<string[] | undefined>;
  /** What the subscription is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the subscription was made, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The event destinations that the events go to. */
  declare readonly destinations: pulumi.Output<Ref[]>;
  /** The event sources with their addresses. */
  declare readonly sourceRefs: pulumi.Output<EventSourceRef[]>;

  /**
   * @param name the resource's name in the program.
   * @param args the subscription's arguments.
   * @param opts Pulumi's resource options.
   */
  constructor(name: string, args?: EventSubscriptionArgs, opts?: pulumi.CustomResourceOptions) {
    super(eventSubscription, name, args, opts);
  }
}
