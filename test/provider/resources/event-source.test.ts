import { unknown } from "../../../src/schema/unknown";
import { problems } from "../../support/life";
import { changes, created, stateOf } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const eventSource = declarationOf("EventSource");

const args = { subscriptionId: "esb_1", type: "ip_policy_created.v0" };

test("a create sends the type, and the path holds the subscription", async () => {
  expect(await created(eventSource, args)).toEqual({ type: args.type });
  expect(await stateOf(eventSource, args, { type: args.type, uri: "u" })).toMatchObject({
    ...args,
    uri: "u",
  });
});

test("every change replaces, also one that is not known yet", async () => {
  const state = await stateOf(eventSource, args, { type: args.type, uri: "u" });
  expect(await changes(eventSource, state, args)).toEqual([]);
  expect(await changes(eventSource, state, { subscriptionId: "esb_2", type: unknown })).toEqual([
    "subscriptionId!",
    "type!",
  ]);
});

test("both arguments are required and checked", () => {
  expect(problems(eventSource, {})).toEqual(["subscriptionId: is required", "type: is required"]);
  expect(problems(eventSource, { subscriptionId: "ed_1", type: "a b" })).toHaveLength(2);
});
