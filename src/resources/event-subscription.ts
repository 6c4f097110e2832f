import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import type { FieldRule } from "../schema/field";
import * as event from "../schema/formats/event";
import { characters, id, object, refs, set, text } from "../schema/kinds";
import type { Ref } from "../schema/kinds";
import { isUnknown, membersOf } from "../schema/unknown";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { leavesNothing } from "../schema/meaning";
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
   * The event types that trigger the subscription, in any order. If given, the subscription has no others. If
   * omitted, they are not managed here, and {@link EventSource}s may add them one by one. Use one of the two ways:
   * combined, each would undo the changes of the other. Taking the argument out of the program removes all sources.
   * Default: left to the service. If removed: cleared.
   */
  sources?: pulumi.Input<pulumi.Input<EventSubscriptionSourceArgs>[]>;
  /**
   * The event destinations (`ed_…`) that the events go to, in any order. Default: left to the service. If removed:
   * cleared.
   */
  destinationIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** What the subscription is for. At most 255 characters. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 characters. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

/** Services refuse a subscription that has an event type twice. */
const eachOnce: FieldRule = {
  members: ["sources"],
  presenceOnly: true,
  validate({ sources }) {
    const types = Array.isArray(sources) ? sources.map((source) => membersOf(source).type) : [];
    return types.flatMap((type, i) => {
      const first = types.indexOf(type);
      if (typeof type !== "string" || isUnknown(type) || first === i) return [];
      return [{ member: `sources[${i}].type`, problem: `must not repeat sources[${first}]` }];
    });
  },
};

const eventSubscription: Declaration = collection<EventSubscriptionArgs, EventSubscription>({
  type: "EventSubscription",
  noun: "event subscription",
  group: events,
  path: "/event_subscriptions",
  idPrefix: "esb_",
  columns: ["sources", "description"],
  fields: {
    sources: set(object({ type: text(event).required() })).means("where data goes", leavesNothing),
    destinationIds: set(id("ed_")).means("where data goes", leavesNothing).fromRef("destinations"),
    ...described(characters),
    ...recorded(),
    destinations: refs("destinations"),
    sourceRefs: set(object({ type: text().required(), uri: text().required() }))
      .named("sources")
      .computed(),
  },
  rules: [eachOnce],
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
export class EventSubscription extends resource<EventSubscription, EventSubscriptionArgs>(eventSubscription) {
  /** The event types that trigger the subscription. */
  declare readonly sources: pulumi.Output<pulumi.Unwrap<EventSubscriptionSourceArgs>[] | undefined>;
  /** The ids of the event destinations that the events go to. */
  declare readonly destinationIds: pulumi.Output<string[] | undefined>;
  /** What the subscription is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the subscription was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The event destinations that the events go to. */
  declare readonly destinations: pulumi.Output<Ref[]>;
  /** The event sources with their addresses. */
  declare readonly sourceRefs: pulumi.Output<EventSourceRef[]>;
}

const readers = readersOf<ResultOf<EventSubscription>>(eventSubscription);
/** Reads an event subscription by its id, or the only one that a filter matches. Specification: Event subscription. */
export const getEventSubscription = readers.get;
/** {@link getEventSubscription} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getEventSubscriptionOutput = readers.getOutput;
/** Lists all event subscriptions. Specification: Event subscription. */
export const listEventSubscriptions = readers.list;
/** {@link listEventSubscriptions} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listEventSubscriptionsOutput = readers.listOutput;
