import { unknown } from "../../../src/schema/unknown";
import { Life, problems } from "../../support/life";
import { changes, refreshed, stateOf, updated } from "./mapping";
import { declarationOf } from "../../../src/resources/registry";

const tcpEdge = declarationOf("TcpEdge");

const args = {
  hostports: ["a.example.com:1", "b.example.com:2"],
  backend: { backendId: "bkdtg_1" },
  ipRestriction: { ipPolicyIds: ["ipp_1", "ipp_2"] },
  trafficPolicy: { value: "{}" },
};
const answer = {
  id: "edge",
  hostports: ["b.example.com:2", "A.example.com:1"],
  backend: { enabled: true, backend: { id: "bkdtg_1", uri: "u1" } },
  ip_restriction: {
    enabled: true,
    ip_policies: [
      { id: "ipp_2", uri: "u2" },
      { id: "ipp_1", uri: "u3" },
    ],
  },
  traffic_policy: { enabled: true, value: "{}" },
};

test("modules are sent with ids, and answered with Refs under names of their own", async () => {
  const life = new Life(tcpEdge, () => answer);
  const state = await life.create(args);
  expect(life.sent[0]!.body).toEqual({
    hostports: args.hostports,
    backend: { backend_id: "bkdtg_1" },
    ip_restriction: { ip_policy_ids: ["ipp_1", "ipp_2"] },
    traffic_policy: { value: "{}" },
  });
  expect(state).toMatchObject({ ...args, backendRef: { id: "bkdtg_1", uri: "u1" } });
  expect(state.ipPolicies).toEqual(answer.ip_restriction.ip_policies);
  expect(await changes(tcpEdge, state, args)).toEqual([]);
});

test("a module that changes is sent whole, and the others stay out of the body", async () => {
  const next = { ...args, trafficPolicy: { enabled: false, value: "{}" } };
  expect(await updated(tcpEdge, await stateOf(tcpEdge, args, answer), next)).toEqual({
    traffic_policy: { enabled: false, value: "{}" },
  });
});

test("a member taken out of a module is left out of the module that is sent", async () => {
  const state = await stateOf(tcpEdge, args, answer);
  expect(await changes(tcpEdge, state, { ...args, backend: { enabled: true } })).toEqual([
    "backend.backendId",
  ]);
  expect(await updated(tcpEdge, state, { ...args, backend: { enabled: true } })).toEqual({
    backend: { enabled: true },
  });
});

test("a module that the program leaves out is not managed", async () => {
  const state = await stateOf(tcpEdge, {}, answer);
  expect(await changes(tcpEdge, state, {})).toEqual([]);
  expect(state.backend).toEqual({ enabled: true, backendId: "bkdtg_1" });
});

test("a module taken out of the program is switched off, once", async () => {
  const { cycle } = new Life(tcpEdge, () => answer);
  const inputs = (await cycle.check(args, { hostports: args.hostports })).inputs as Record<string, unknown>;
  const off = { enabled: false };
  expect(inputs).toEqual({ hostports: args.hostports, backend: off, ipRestriction: off, trafficPolicy: off });
  const state = await stateOf(tcpEdge, args, answer);
  expect(await updated(tcpEdge, state, inputs)).toEqual({
    backend: off,
    ip_restriction: off,
    traffic_policy: off,
  });
  const after = await stateOf(tcpEdge, inputs, {
    ...answer,
    backend: { enabled: false, backend: null },
    ip_restriction: { enabled: false, ip_policies: [] },
    traffic_policy: null,
  });
  expect((await cycle.check(inputs, { hostports: args.hostports })).inputs).toEqual(inputs);
  expect(await changes(tcpEdge, after, inputs)).toEqual([]);
});

test("drift inside of a module is found", async () => {
  const state = await stateOf(tcpEdge, args, answer);
  const refs = [{ id: "ipp_1", uri: "u3" }];
  const drifted = await refreshed(tcpEdge, state, {
    ...answer,
    ip_restriction: { enabled: false, ip_policies: refs },
    traffic_policy: null,
  });
  expect(await changes(tcpEdge, drifted, args)).toEqual([
    "ipRestriction.enabled",
    "ipRestriction.ipPolicyIds",
    "trafficPolicy",
  ]);
});

test("a module that is not there is the same as one that is switched off", async () => {
  const state = await stateOf(tcpEdge, {}, { id: "edge" });
  expect(await changes(tcpEdge, state, { trafficPolicy: { enabled: false } })).toEqual([]);
  expect(await changes(tcpEdge, state, { trafficPolicy: { enabled: true } })).toEqual(["trafficPolicy"]);
});

test("hostports that were never set are no difference to null", async () => {
  expect(
    await changes(tcpEdge, await stateOf(tcpEdge, { hostports: [] }, { hostports: null }), { hostports: [] }),
  ).toEqual([]);
});

test("an id that is not known yet is an update of its module", async () => {
  const state = await stateOf(tcpEdge, args, answer);
  expect(await changes(tcpEdge, state, { ...args, backend: { backendId: unknown } })).toEqual([
    "backend.backendId",
  ]);
});

test("wrong values are found inside of modules", () => {
  expect(
    problems(tcpEdge, {
      hostports: ["a.example.com"],
      backend: { backendId: "ipp_1", id: "x" },
      ipRestriction: { ipPolicyIds: ["bkdtg_1"] },
      trafficPolicy: { enabled: "yes" },
    }),
  ).toEqual([
    expect.stringMatching(/^hostports\[0\]: .*has no port/),
    "backend.id: is not an argument here; the arguments are enabled, backendId",
    expect.stringMatching(/^backend\.backendId: must be an id that starts with bkdtg_/),
    expect.stringMatching(/^ipRestriction\.ipPolicyIds\[0\]: must be an id that starts with ipp_/),
    "trafficPolicy.enabled: must be true or false, not a string",
  ]);
});
