import { unknown } from "../../../src/schema/unknown";
import { problems } from "../../support/life";
import { changes, refreshed, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const cloudEndpoint = declarationOf("CloudEndpoint");

const args = { url: "https://a.example.com:443" };
const answer = {
  id: "ep",
  url: "https://a.example.com",
  type: "cloud",
  pooling_enabled: false,
  bindings: ["public"],
  traffic_policy: "",
  tcp_addr: null,
  tunnel_session: null,
  port: 443,
};

test("a url keeps its spelling where the service spells the same in another way", async () => {
  const state = await stateOf(cloudEndpoint, args, answer);
  expect(state.url).toBe(args.url);
  expect(await changes(cloudEndpoint, state, args)).toEqual([]);
});

test("publicUrl is the address as the service answers it, whatever the spelling of the url", async () => {
  const state = await stateOf(cloudEndpoint, args, { ...answer, public_url: "https://a.example.com" });
  expect(state.publicUrl).toBe("https://a.example.com");
});

test("only another scheme replaces, and a url that is not known yet is an update", async () => {
  const state = await stateOf(cloudEndpoint, args, answer);
  expect(await changes(cloudEndpoint, state, { url: "https://b.example.com" })).toEqual(["url"]);
  expect(await changes(cloudEndpoint, state, { url: "http://a.example.com" })).toEqual(["url!"]);
  expect(await changes(cloudEndpoint, state, { url: "HTTPS://a.example.com" })).toEqual([]);
  expect(await changes(cloudEndpoint, state, { url: unknown })).toEqual(["url"]);
});

test("the type may be said, and is fixed", async () => {
  const state = await stateOf(cloudEndpoint, args, answer);
  expect(await changes(cloudEndpoint, state, { ...args, type: "cloud" })).toEqual([]);
  expect(problems(cloudEndpoint, { ...args, type: "edge" })).toEqual(['type: must be "cloud", not "edge"']);
  const edge = await refreshed(cloudEndpoint, state, { ...answer, type: "edge" });
  expect(await changes(cloudEndpoint, edge, { ...args, type: "cloud" })).toEqual(["type!"]);
});

test("bindings that the service chose are no difference, and order does not count", async () => {
  const both = { ...args, bindings: ["internal", "public"] };
  const state = await stateOf(cloudEndpoint, both, { ...answer, bindings: ["public", "internal"] });
  expect(await changes(cloudEndpoint, state, both)).toEqual([]);
  expect(await changes(cloudEndpoint, await stateOf(cloudEndpoint, args, answer), args)).toEqual([]);
});

test("of the arguments that are removed, policy and bindings are cleared, and pooling stays", async () => {
  const full = { ...args, poolingEnabled: true, trafficPolicy: "{}", bindings: ["internal"] };
  const state = await stateOf(cloudEndpoint, full, {
    ...answer,
    pooling_enabled: true,
    traffic_policy: "{}",
    bindings: ["internal"],
  });
  expect(await updated(cloudEndpoint, state, args)).toEqual({
    traffic_policy: "",
    bindings: [],
  });
});

test("an endpoint of another type can be read with all its Refs", async () => {
  const ref = { id: "x", uri: "u" };
  const state = await stateOf(
    cloudEndpoint,
    {},
    { ...answer, type: "ephemeral", tunnel: ref, tunnel_session: ref },
  );
  expect(state).toMatchObject({ type: "ephemeral", tunnel: ref, tunnelSession: ref, port: 443 });
});

test("a url with another scheme is refused, and one without a scheme is not", () => {
  expect(problems(cloudEndpoint, { url: "ftp://a.example.com" })).toEqual([
    expect.stringMatching(/^url: must be a URL that begins with http:\/\//),
  ]);
  expect(problems(cloudEndpoint, { url: "a.example.com" })).toEqual([]);
});
