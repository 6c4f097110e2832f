/** Event delivery: what the account holds of them. */
import { eventDestination } from "../resources/event-destination";
import type { EventDestination } from "../resources/event-destination";
import { eventSource } from "../resources/event-source";
import type { EventSource } from "../resources/event-source";
import { eventSubscription } from "../resources/event-subscription";
import type { EventSubscription } from "../resources/event-subscription";
import { functionsAt, functionsOf, functionsWithin } from "../account/readers";
import type { ResultOf } from "../account/readers";

export const eventSubscriptions = functionsOf<ResultOf<EventSubscription>>(eventSubscription);
/** An event subscription by its id, or the only one that a filter means. Specification: Event subscription. */
export const getEventSubscription = eventSubscriptions.get;
/** {@link getEventSubscription} with Outputs as arguments and as result. */
export const getEventSubscriptionOutput = eventSubscriptions.getOutput;
/** All event subscriptions. Specification: Event subscription. */
export const listEventSubscriptions = eventSubscriptions.list;
/** {@link listEventSubscriptions} with Outputs as arguments and as result. */
export const listEventSubscriptionsOutput = eventSubscriptions.listOutput;

export const eventDestinations = functionsOf<ResultOf<EventDestination>>(eventDestination);
/** An event destination by its id, or the only one that a filter means. Specification: Event destination. */
export const getEventDestination = eventDestinations.get;
/** {@link getEventDestination} with Outputs as arguments and as result. */
export const getEventDestinationOutput = eventDestinations.getOutput;
/** All event destinations; their secrets are seldom shown. Specification: Event destination. */
export const listEventDestinations = eventDestinations.list;
/** {@link listEventDestinations} with Outputs as arguments and as result. */
export const listEventDestinationsOutput = eventDestinations.listOutput;

const ofSubscription = functionsAt<ResultOf<EventSource>>(eventSource);
export const eventSources = {
  ...ofSubscription,
  ...functionsWithin<ResultOf<EventSource>>(ofSubscription.readable),
};
/** An event source by `<subscription id>/<type>`. Specification: Event sources. */
export const getEventSource = eventSources.get;
/** {@link getEventSource} with Outputs as arguments and as result. */
export const getEventSourceOutput = eventSources.getOutput;
/** All event sources of a subscription (`esb_…`). Specification: Event sources. */
export const listEventSources = eventSources.list;
/** {@link listEventSources} with Outputs as arguments and as result. */
export const listEventSourcesOutput = eventSources.listOutput;
