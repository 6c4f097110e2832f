import { eventType } from "../schema/formats/names";
import { isUnknown, itemsOf, membersOf } from "../schema/unknown";
import {
  answered,
  id,
  leavesNothing,
  object,
  presenceOnly,
  refs,
  set,
  text,
  together,
} from "../schema/words";
import type { ArgsOf, FieldRule, ValueOf } from "../schema/words";
import { events, getOf, listOf, resource } from "./collection";
import { describedInCharacters, recorded } from "./shared-fields";

const source = {
  /** The event type with its version, such as `ip_policy_created.v0`. */
  type: text(eventType).required(),
};

/** An event type that triggers an {@link EventSubscription}. Specification: Event source. */
export interface EventSubscriptionSourceArgs extends ArgsOf<typeof source> {}

const sourceRef = {
  /** The event type. */
  type: text().required(),
  /** The address of the event source. */
  uri: text().required(),
};

/** An event source, as an answer refers to it. Specification: Event source. */
export interface EventSourceRef extends ValueOf<typeof sourceRef> {}

const fields = together(
  {
    /**
     * The event types that trigger the subscription, in any order. If given, the subscription has no others. If omitted,
     * {@link EventSource}s may add them one by one. Do not combine the two: each would undo the changes of the other.
     * Default: left to the service. If removed: cleared.
     */
    sources: set(object<EventSubscriptionSourceArgs>(source)).means("where data goes", leavesNothing),
    /** The event destinations (`ed_…`) that the events go to, in any order. */
    destinationIds: set(id("ed_")).means("where data goes", leavesNothing).fromRef("destinations"),
  },
  describedInCharacters,
  recorded,
  {
    /** The event destinations that the events go to. */
    destinations: refs("destinations"),
    /** The event sources with their addresses. */
    sourceRefs: set(answered<EventSourceRef>(sourceRef)).named("sources").computed(),
  },
);

/** Services refuse a subscription that has an event type twice. */
const eachTypeOnce: FieldRule = presenceOnly({
  members: ["sources"],
  validate({ sources }) {
    const types = itemsOf(sources).map((each) => membersOf(each).type);
    return types.flatMap((type, i) => {
      const first = types.indexOf(type);
      if (typeof type !== "string" || isUnknown(type) || first === i) return [];
      return [{ member: `sources[${i}].type`, problem: `must not repeat sources[${first}]` }];
    });
  },
});

/** The arguments of an {@link EventSubscription}. Specification: Create and update parameters, /event_subscriptions. */
export interface EventSubscriptionArgs extends ArgsOf<typeof fields> {}

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
export class EventSubscription extends resource<EventSubscription, EventSubscriptionArgs, typeof fields>({
  type: "EventSubscription",
  group: events,
  path: "/event_subscriptions",
  idPrefix: "esb_",
  columns: ["sources", "description"],
  fields,
  rules: [eachTypeOnce],
}) {}

export const [getEventSubscription, getEventSubscriptionOutput] = getOf(EventSubscription);
export const [listEventSubscriptions, listEventSubscriptionsOutput] = listOf(EventSubscription);
