import type { Context as HonoContext } from "hono";
import { z } from "zod";
import type { Env, Operation } from "../http/app";
import type { Subscription } from "../collections/event-subscriptions";
import { eventSubscriptions, eventType, source } from "../collections/event-subscriptions";
import type { Context } from "../context";
import { find } from "../http/crud";
import { conflict, notFound } from "../http/errors";
import { EVENT_SUBSCRIPTIONS } from "../paths";
import type { Stored } from "../store";
import { parse } from "../http/validation";

const ALL = `${EVENT_SUBSCRIPTIONS}/:subscription_id/sources`;
const ONE = `${ALL}/:type`;
const created = z.strictObject({ type: eventType });
const updated = z.strictObject({});

/** Event sources: another way to manage the sources of a subscription. Their list is not paged. */
export function sourceOperations(): Operation[] {
  return [
    {
      method: "POST",
      path: ALL,
      status: 201,
      handle: (c) => {
        const { context, subscription } = subscriptionOf(c);
        const { type } = parse(created, c.get("body"), context.isOpaque);
        const types = typesOf(subscription);
        if (types.includes(type)) throw conflict("type", "already exists in the subscription");
        setSources(context, subscription, [...types, type]);
        return source(context, subscription.id, type);
      },
    },
    {
      method: "GET",
      path: ALL,
      status: 200,
      handle: (c) => {
        const { context, subscription } = subscriptionOf(c);
        return {
          sources: typesOf(subscription).map((type) => source(context, subscription.id, type)),
          uri: `${context.baseUrl}${EVENT_SUBSCRIPTIONS}/${subscription.id}/sources`,
        };
      },
    },
    { method: "GET", path: ONE, status: 200, handle: (c) => existing(c).source },
    {
      method: "PATCH",
      path: ONE,
      status: 200,
      handle: (c) => {
        const found = existing(c);
        parse(updated, c.get("body"));
        return found.source;
      },
    },
    {
      method: "DELETE",
      path: ONE,
      status: 204,
      handle: (c) => {
        const { context, subscription, source } = existing(c);
        const left = typesOf(subscription).filter((type) => type !== source.type);
        setSources(context, subscription, left);
        return null;
      },
    },
  ];
}

function subscriptionOf(c: HonoContext<Env>): { context: Context; subscription: Stored } {
  const context = c.get("context");
  return { context, subscription: find(eventSubscriptions, context, c.req.param("subscription_id") ?? "") };
}

function existing(c: HonoContext<Env>) {
  const { context, subscription } = subscriptionOf(c);
  const type = typesOf(subscription).find((each) => each === c.req.param("type"));
  if (type === undefined) throw notFound("event source");
  return { context, subscription, source: source(context, subscription.id, type) };
}

const typesOf = ({ fields }: Stored) => ((fields as Subscription).sources ?? []).map(({ type }) => type);

function setSources(context: Context, subscription: Stored, types: string[]): void {
  const sources = types.map((type) => ({ type }));
  context.store.update(EVENT_SUBSCRIPTIONS, subscription, { ...subscription.fields, sources });
}
