import { unknown } from "../../../src/schema/unknown";
import { problems } from "../../support/life";
import { changes, created, refreshed, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const eventSubscription = declarationOf("EventSubscription");

const source = (type: string): object => ({ type, uri: `/event_subscriptions/esb_1/sources/${type}` });
const [made, changed] = ["ip_policy_created.v0", "ip_policy_updated.v0"];
const args = { sources: [{ type: made }, { type: changed }], destinationIds: ["ed_1", "ed_2"] };
const answer = {
  sources: [source(changed), source(made)],
  destinations: [
    { id: "ed_2", uri: "u2" },
    { id: "ed_1", uri: "u1" },
  ],
};

test("sources and destinations are sent as types and ids, and compare as sets", async () => {
  expect(await created(eventSubscription, args)).toEqual({
    sources: args.sources,
    destination_ids: ["ed_1", "ed_2"],
  });
  const state = await stateOf(eventSubscription, args, answer);
  expect(state).toMatchObject({ ...args, sourceRefs: answer.sources, destinations: answer.destinations });
  expect(await changes(eventSubscription, state, args)).toEqual([]);
});

test("a type that stands twice is an error at its place, also beside a type that is not known yet", () => {
  const sources = [{ type: made }, { type: unknown }, { type: changed }, { type: made }];
  expect(problems(eventSubscription, { sources })).toEqual(["sources[3].type: must not repeat sources[0]"]);
  expect(problems(eventSubscription, { sources: [{ type: unknown }, { type: unknown }] })).toEqual([]);
  expect(problems(eventSubscription, args)).toEqual([]);
});

test("a source that an older state holds twice is no difference to one", async () => {
  const twice = { sources: [{ type: made }, { type: made }] };
  const state = await stateOf(eventSubscription, twice, { ...answer, sources: [source(made)] });
  expect(await changes(eventSubscription, state, twice)).toEqual([]);
});

test("sources that are left out are not managed", async () => {
  const state = await stateOf(eventSubscription, {}, answer);
  expect(await changes(eventSubscription, state, {})).toEqual([]);
});

test("sources that are given are the exact set", async () => {
  const args = { sources: [{ type: made }] };
  const state = await stateOf(eventSubscription, args, { ...answer, sources: [source(made)] });
  const drifted = await refreshed(eventSubscription, state, answer);
  expect(await updated(eventSubscription, drifted, args)).toEqual({ sources: [{ type: made }] });
  expect(await updated(eventSubscription, state, {})).toEqual({ sources: [] });
});

test("the limits are in characters, not bytes", () => {
  expect(problems(eventSubscription, { description: "é".repeat(255), metadata: "漢".repeat(4096) })).toEqual(
    [],
  );
  expect(problems(eventSubscription, { description: "é".repeat(256), metadata: "漢".repeat(4097) })).toEqual([
    "description: is 256 characters; the limit is 255",
    "metadata: is 4097 characters; the limit is 4096",
  ]);
});

test("types without a version and ids of other things are refused", () => {
  expect(
    problems(eventSubscription, { sources: [{ type: "ip_policy_created" }, {}], destinationIds: ["esb_1"] }),
  ).toEqual([
    expect.stringMatching(/^sources\[0\]\.type: must be an event type with its version/),
    "sources[1].type: is required",
    expect.stringMatching(/^destinationIds\[0\]: must be an id that starts with ed_/),
  ]);
});
