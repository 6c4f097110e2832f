import { z } from "zod";
import type { Subscription } from "../collections/event-subscriptions";
import { eventSubscriptions, eventType, source } from "../collections/event-subscriptions";
import type { Context } from "../context";
import { find } from "../http/crud";
import { conflict, notFound } from "../http/errors";
import type { AcceptedRequest, Operation } from "../http/operation";
import { EVENT_SUBSCRIPTIONS } from "../paths";
import type { Stored } from "../store";
import { parse } from "../http/validation";

const ALL = `${EVENT_SUBSCRIPTIONS}/:id/sources`;
const ONE = `${ALL}/:type`;
const created = z.strictObject({ type: eventType });
const updated = z.strictObject({});

/** Event sources: another way to manage the sources of a subscription. Their list is not paged. */
export const sourceOperations: Operation[] = [
  {
    method: "POST",
    path: ALL,
    handle: ({ context, params, body }) => {
      const subscription = find(eventSubscriptions, context, params.id);
      const { type } = parse(created, body, context.isOpaque);
      const types = typesOf(subscription);
      if (types.includes(type)) throw conflict("type", "already exists in the subscription");
      setSources(context, subscription, [...types, type]);
      return source(context, subscription.id, type);
    },
  },
  {
    method: "GET",
    path: ALL,
    handle: ({ context, params }) => {
      const subscription = find(eventSubscriptions, context, params.id);
      return {
        sources: typesOf(subscription).map((type) => source(context, subscription.id, type)),
        uri: `${context.baseUrl}${EVENT_SUBSCRIPTIONS}/${subscription.id}/sources`,
      };
    },
  },
  { method: "GET", path: ONE, handle: (request) => existing(request).source },
  {
    method: "PATCH",
    path: ONE,
    handle: (request) => {
      const found = existing(request);
      parse(updated, request.body);
      return found.source;
    },
  },
  {
    method: "DELETE",
    path: ONE,
    handle: (request) => {
      const { subscription, source } = existing(request);
      const left = typesOf(subscription).filter((type) => type !== source.type);
      setSources(request.context, subscription, left);
    },
  },
];

function existing({ context, params }: AcceptedRequest) {
  const subscription = find(eventSubscriptions, context, params.id);
  const type = typesOf(subscription).find((each) => each === params.type);
  if (type === undefined) throw notFound("event source");
  return { subscription, source: source(context, subscription.id, type) };
}

const typesOf = ({ fields }: Stored) => ((fields as Subscription).sources ?? []).map(({ type }) => type);

function setSources(context: Context, subscription: Stored, types: string[]): void {
  const sources = types.map((type) => ({ type }));
  context.store.update(EVENT_SUBSCRIPTIONS, subscription, { ...subscription.fields, sources });
}
