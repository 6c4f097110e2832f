/** The rules about event subscriptions and destinations. */
import type { StateRule } from "../rule";

export const unusedDestination: StateRule = {
  id: "hygiene/unused-destination",
  severity: "note",
  title: "An event destination that no subscription uses",
  help: "A destination has no effect until a subscription refers to it (specification, Events). Add it to a subscription, or remove it.",
  needsAll: true,
  *states(world) {
    for (const destination of world.ofType("EventDestination")) {
      const users = world.referrers(destination.urn).filter(({ from }) => from.type === "EventSubscription");
      if (users.length === 0) yield { on: destination, message: "no subscription of this program uses it" };
    }
  },
};
