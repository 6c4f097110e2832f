import { problems } from "../../support/life";
import { changes, created, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";
import { adviceOnArguments } from "../../../src/schema/validate";

const tunnelGroupBackend = declarationOf("TunnelGroupBackend");

test("labels are required, and hold no equals sign in key or value", () => {
  expect(problems(tunnelGroupBackend, {})).toEqual(["labels: is required"]);
  expect(problems(tunnelGroupBackend, { labels: { "a=b": "c", d: "e=f" } })).toEqual([
    expect.stringMatching(/^labels\["a=b"\]: its key must be a label key without "=" /),
    expect.stringMatching(/^labels\["d"\]: must be a label value without "="/),
  ]);
});

test("a control character is a warning at each label that has it", () => {
  const labels = { a: "x\n", b: "x\n", c: "x" };
  expect(adviceOnArguments(tunnelGroupBackend, { labels })).toEqual(
    ["a", "b"].map((key) => `labels["${key}"]: holds a control character`),
  );
});

test("keys of labels are never renamed on the way there and back", async () => {
  const args = { labels: { statusCode: "a", status_code: "b", "X-Y": "" } };
  expect(await created(tunnelGroupBackend, args)).toEqual(args);
  const state = await stateOf(tunnelGroupBackend, args, { ...args, tunnels: [] });
  expect(state).toMatchObject({ ...args, tunnels: [] });
});

test("tunnels that come and go are no difference", async () => {
  const args = { labels: { a: "b" } };
  const state = await stateOf(tunnelGroupBackend, args, { ...args, tunnels: [{ id: "tn_1", uri: "u" }] });
  expect(state.tunnels).toEqual([{ id: "tn_1", uri: "u" }]);
  expect(await changes(tunnelGroupBackend, state, args)).toEqual([]);
  expect(await updated(tunnelGroupBackend, state, { labels: {} })).toEqual({ labels: {} });
});
