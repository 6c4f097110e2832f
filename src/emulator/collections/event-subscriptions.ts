import { z } from "zod";
import type { Context } from "../context";
import { mustExist, ref } from "../context";
import { membersSet, refId } from "../copied";
import { invalid } from "../http/errors";
import { EVENT_DESTINATIONS, EVENT_SUBSCRIPTIONS } from "../paths";
import { describedInCharacters, id, text } from "../http/validation";
import { collection } from "./collection";

/** Events 2: event types carry a version suffix. The specification does not list the types. */
export const eventType = text.refine((value) => /^[^\s\p{Cc}]+\.v\d+$/u.test(value), {
  error: "must be an event type with its version, as in ip_policy_created.v0",
});

const subscription = z.strictObject({
  ...describedInCharacters,
  sources: z.array(z.strictObject({ type: eventType })).optional(),
  destination_ids: z.array(id("ed_")).optional(),
});

export type Subscription = z.output<typeof subscription>;

export const eventSubscriptions = collection({
  path: EVENT_SUBSCRIPTIONS,
  prefix: "esb_",
  listKey: "event_subscriptions",
  noun: "event subscription",
  create: subscription,
  update: subscription,
  check: ({ sources, destination_ids }, context) => {
    const types = (sources ?? []).map(({ type }) => type).filter((type) => !context.isOpaque(type));
    if (new Set(types).size < types.length)
      throw invalid("sources", "a subscription can have an event type only once");
    for (const destination of destination_ids ?? [])
      mustExist(context, EVENT_DESTINATIONS, destination, "destination_ids", "event destination");
  },
  response: ({ sources, destination_ids }, context, { id: subscriptionId }) => ({
    sources: (sources ?? []).map(({ type }) => source(context, subscriptionId, type)),
    destinations: (destination_ids ?? []).map((destination) => ref(context, EVENT_DESTINATIONS, destination)),
  }),
  copied: (answer) => {
    const { destinations = [], ...members } = membersSet(answer);
    return { ...members, destination_ids: (destinations as unknown[]).map(refId) };
  },
  refs: ({ destination_ids }) => destination_ids ?? [],
});

export function source(context: Context, subscriptionId: string, type: string) {
  return {
    type,
    uri: `${context.baseUrl}${EVENT_SUBSCRIPTIONS}/${subscriptionId}/sources/${encodeURIComponent(type)}`,
  };
}
