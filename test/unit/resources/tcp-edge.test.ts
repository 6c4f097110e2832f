import { unknown } from "../../../src/schema/unknown";
import { LifeCycle } from "../../../src/provider/life-cycle/life-cycle";
import type { Connection } from "../../../src/provider/connection";
import { changes, created, problems, refreshed, stateOf, updated } from "./mapping";
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

test("modules are sent with ids, and answered with Refs under names of their own", () => {
  expect(created(tcpEdge, args)).toEqual({
    hostports: args.hostports,
    backend: { backend_id: "bkdtg_1" },
    ip_restriction: { ip_policy_ids: ["ipp_1", "ipp_2"] },
    traffic_policy: { value: "{}" },
  });
  const state = stateOf(tcpEdge, args, answer);
  expect(state).toMatchObject({ ...args, backendRef: { id: "bkdtg_1", uri: "u1" } });
  expect(state.ipPolicies).toEqual(answer.ip_restriction.ip_policies);
  expect(changes(tcpEdge, state, args)).toEqual([]);
});

test("a module that changes is sent whole, and the others stay out of the body", () => {
  const next = { ...args, trafficPolicy: { enabled: false, value: "{}" } };
  expect(updated(tcpEdge, stateOf(tcpEdge, args, answer), next)).toEqual({
    traffic_policy: { enabled: false, value: "{}" },
  });
});

test("a member taken out of a module is left out of the module that is sent", () => {
  const state = stateOf(tcpEdge, args, answer);
  expect(changes(tcpEdge, state, { ...args, backend: { enabled: true } })).toEqual(["backend.backendId"]);
  expect(updated(tcpEdge, state, { ...args, backend: { enabled: true } })).toEqual({
    backend: { enabled: true },
  });
});

test("a module that the program leaves out is not managed", () => {
  const state = stateOf(tcpEdge, {}, answer);
  expect(changes(tcpEdge, state, {})).toEqual([]);
  expect(state.backend).toEqual({ enabled: true, backendId: "bkdtg_1" });
});

test("a module taken out of the program is switched off, once", async () => {
  const cycle = new LifeCycle(tcpEdge, () => ({ settings: {} }) as Connection);
  const inputs = (await cycle.check(args, { hostports: args.hostports })).inputs as Record<string, unknown>;
  const off = { enabled: false };
  expect(inputs).toEqual({ hostports: args.hostports, backend: off, ipRestriction: off, trafficPolicy: off });
  const state = stateOf(tcpEdge, args, answer);
  expect(updated(tcpEdge, state, inputs)).toEqual({ backend: off, ip_restriction: off, traffic_policy: off });
  const after = stateOf(tcpEdge, inputs, {
    ...answer,
    backend: { enabled: false, backend: null },
    ip_restriction: { enabled: false, ip_policies: [] },
    traffic_policy: null,
  });
  expect((await cycle.check(inputs, { hostports: args.hostports })).inputs).toEqual(inputs);
  expect(changes(tcpEdge, after, inputs)).toEqual([]);
});

test("drift inside of a module is found", () => {
  const state = stateOf(tcpEdge, args, answer);
  const refs = [{ id: "ipp_1", uri: "u3" }];
  const drifted = refreshed(tcpEdge, state, {
    ...answer,
    ip_restriction: { enabled: false, ip_policies: refs },
    traffic_policy: null,
  });
  expect(changes(tcpEdge, drifted, args)).toEqual([
    "ipRestriction.enabled",
    "ipRestriction.ipPolicyIds",
    "trafficPolicy",
  ]);
});

test("a module that is not there is the same as one that is switched off", () => {
  const state = stateOf(tcpEdge, {}, { id: "edge" });
  expect(changes(tcpEdge, state, { trafficPolicy: { enabled: false } })).toEqual([]);
  expect(changes(tcpEdge, state, { trafficPolicy: { enabled: true } })).toEqual(["trafficPolicy"]);
});

test("hostports that were never set are no difference to null", () => {
  expect(
    changes(tcpEdge, stateOf(tcpEdge, { hostports: [] }, { hostports: null }), { hostports: [] }),
  ).toEqual([]);
});

test("an id that is not known yet is an update of its module", () => {
  const state = stateOf(tcpEdge, args, answer);
  expect(changes(tcpEdge, state, { ...args, backend: { backendId: unknown } })).toEqual([
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
