import { unknown } from "../../../src/schema/unknown";
import { changes, problems, stateOf, updated } from "./mapping";
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

test("a url keeps its spelling where the service spells the same in another way", () => {
  const state = stateOf(cloudEndpoint, args, answer);
  expect(state.url).toBe(args.url);
  expect(changes(cloudEndpoint, state, args)).toEqual([]);
});

test("publicUrl is the address as the service answers it, whatever the spelling of the url", () => {
  const state = stateOf(cloudEndpoint, args, { ...answer, public_url: "https://a.example.com" });
  expect(state.publicUrl).toBe("https://a.example.com");
});

test("only another scheme replaces, and a url that is not known yet is an update", () => {
  const state = stateOf(cloudEndpoint, args, answer);
  expect(changes(cloudEndpoint, state, { url: "https://b.example.com" })).toEqual(["url"]);
  expect(changes(cloudEndpoint, state, { url: "http://a.example.com" })).toEqual(["url!"]);
  expect(changes(cloudEndpoint, state, { url: "HTTPS://a.example.com" })).toEqual([]);
  expect(changes(cloudEndpoint, state, { url: unknown })).toEqual(["url"]);
});

test("the type may be said, and is fixed", () => {
  const state = stateOf(cloudEndpoint, args, answer);
  expect(changes(cloudEndpoint, state, { ...args, type: "cloud" })).toEqual([]);
  expect(problems(cloudEndpoint, { ...args, type: "edge" })).toEqual(['type: must be "cloud", not "edge"']);
  const edge = stateOf(cloudEndpoint, { ...args, type: "cloud" }, { ...answer, type: "edge" });
  expect(changes(cloudEndpoint, edge, { ...args, type: "cloud" })).toEqual(["type!"]);
});

test("bindings that the service chose are no difference, and order does not count", () => {
  const both = { ...args, bindings: ["internal", "public"] };
  const state = stateOf(cloudEndpoint, both, { ...answer, bindings: ["public", "internal"] });
  expect(changes(cloudEndpoint, state, both)).toEqual([]);
  expect(changes(cloudEndpoint, stateOf(cloudEndpoint, args, answer), args)).toEqual([]);
});

test("of the arguments that are removed, policy and bindings are cleared, and pooling stays", () => {
  const full = { ...args, poolingEnabled: true, trafficPolicy: "{}", bindings: ["internal"] };
  const state = stateOf(cloudEndpoint, full, {
    ...answer,
    pooling_enabled: true,
    traffic_policy: "{}",
    bindings: ["internal"],
  });
  expect(updated(cloudEndpoint, state, args)).toEqual({
    traffic_policy: "",
    bindings: [],
  });
});

test("an endpoint of another type can be read with all its Refs", () => {
  const ref = { id: "x", uri: "u" };
  const state = stateOf(
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
