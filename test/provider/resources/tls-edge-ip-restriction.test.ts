import { compare } from "../../../src/provider/life-cycle/changes";
import { Life, problems } from "../../support/life";
import { recordedState } from "../../../src/schema/recorded-state";
import { declarationOf } from "../../../src/resources/registry";
import { argumentsFrom } from "../../../src/schema/values";

const restriction = declarationOf("TlsEdgeIpRestriction");

const echo = ({ enabled, ip_policy_ids }: Record<string, unknown>): Record<string, unknown> => ({
  enabled: enabled ?? true,
  ip_policies: ((ip_policy_ids ?? []) as string[])
    .map((id) => ({ id, uri: `https://api.example.com/${id}` }))
    .reverse(),
});

test("ids are sent, Refs are answered, and their order does not count", async () => {
  const life = new Life(restriction, echo);
  const args = { edgeId: "edge_1", ipPolicyIds: ["ipp_1", "ipp_2"] };
  const state = await life.create(args);
  expect(life.sent[0]!.body).toEqual({ ip_policy_ids: ["ipp_1", "ipp_2"] });
  expect(state).toMatchObject({ ...args, enabled: true, ipPolicies: [{ id: "ipp_2" }, { id: "ipp_1" }] });
  expect(await life.diff(state, args)).toBe("none");
  expect((await life.read(state)).inputs).toBeUndefined();
});

test("another policy on the edge is drift in the argument alone, and the next PUT repairs it", async () => {
  const life = new Life(restriction, echo);
  const args = argumentsFrom({ edgeId: "edge_1", ipPolicyIds: ["ipp_1"] });
  const state = await life.create(args);
  life.answer = () => echo({ ip_policy_ids: ["ipp_2"] });
  const drifted = await life.read(state);
  expect(drifted.inputs).toEqual({ edgeId: "edge_1", ipPolicyIds: ["ipp_2"] });
  const changes = compare(restriction, recordedState(drifted.state), args, { patchUndocumented: false });
  expect(changes.map(({ path }) => path)).toEqual(["ipPolicyIds"]);
  life.answer = echo;
  expect(await life.update(drifted.state, args)).toMatchObject(args);
});

test("policies that are taken out are left out of the next PUT", async () => {
  const life = new Life(restriction, echo);
  const state = await life.create({ edgeId: "edge_1", enabled: false, ipPolicyIds: ["ipp_1"] });
  const after = await life.update(state, { edgeId: "edge_1" });
  expect(life.sent[1]).toEqual({ verb: "update", body: {} });
  expect(after).toMatchObject({ enabled: true, ipPolicyIds: [], ipPolicies: [] });
});

test("an existing module is looked up by its edge alone", async () => {
  const life = new Life(restriction, () => ({ enabled: false, ip_policies: null }));
  life.id = "edge_1";
  expect((await life.read({})).state).toMatchObject({ edgeId: "edge_1", enabled: false, ipPolicies: [] });
});

test("an id of something else than a policy is reported at its place", () => {
  expect(problems(restriction, { edgeId: "edge_1", ipPolicyIds: ["ipp_1", "ipr_1"] })).toEqual([
    expect.stringMatching(
      /^ipPolicyIds\[1\]: must be an id that starts with ipp_; "ipr_1" is the id of an IP policy rule/,
    ),
  ]);
});
