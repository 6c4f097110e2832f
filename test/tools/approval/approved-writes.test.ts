/** The writes of an approval with two equal creates, whose objects its other writes name. */
import type { ApprovedWrite } from "../../../src/tools/approval/approval";
import { ApprovedWrites } from "../../../src/tools/approval/approved-writes";
import type { Allowed } from "../../../src/tools/approval/approved-writes";

const baseUrl = "https://api.example.com";
const create: ApprovedWrite = { method: "POST", path: "/ip_policies", body: { description: "same" } };

/** @param others the writes of more steps, each of which comes after the steps at `after`. */
function writesWith(others: readonly ApprovedWrite[], after: readonly number[] = [0, 1]): ApprovedWrites {
  const steps = [[create], [create], ...others.map((each) => [each])].map((writes, i) => ({
    ...{ urn: `step ${i}`, isLate: false, writes },
    after: i < 2 ? [] : after,
  }));
  const approval = { approval: 3, version: "", stack: "s", project: "p", baseUrls: [], steps } as const;
  return new ApprovedWrites(approval, baseUrl);
}

const sent = (path: string, body: unknown) => ({ baseUrl, method: "POST", path, body });
const sentCreate = sent(create.path, create.body);

function taken(writes: ApprovedWrites, write: ReturnType<typeof sent>): Allowed {
  const allowed = writes.take(write);
  if ("refused" in allowed) throw new Error(allowed.refused);
  return allowed;
}

/** Creates both, with these ids. */
function withBoth(writes: ApprovedWrites): ApprovedWrites {
  for (const id of ["ipp_x", "ipp_y"]) writes.answered(taken(writes, sentCreate), create.path, 201, id);
  return writes;
}

const list: ApprovedWrite = {
  ...{ method: "POST", path: "/edges/tcp", body: { ids: [null, null] } },
  holes: [
    { at: "/ids/0", text: [0] },
    { at: "/ids/1", text: [1] },
  ],
};
const below: ApprovedWrite = {
  ...{ method: "POST", path: "/event_subscriptions/{0}/sources", body: { id: null } },
  holes: [{ at: "/id", text: [0] }],
};
const ruleOf = (position: number): ApprovedWrite => ({
  ...{ method: "POST", path: "/ip_policy_rules", body: { id: null, cidr: `10.${position}.0.0/16` } },
  holes: [{ at: "/id", text: [position] }],
});

test.each<[string, ApprovedWrite, string, unknown, unknown]>([
  ["both", list, list.path, { ids: ["ipp_x", "ipp_x"] }, { ids: ["ipp_y", "ipp_x"] }],
  ["one twice", below, "/event_subscriptions/ipp_x/sources", { id: "ipp_y" }, { id: "ipp_x" }],
])("a write that names %s may not name them otherwise", (_, approved, path, wrong, right) => {
  const writes = withBoth(writesWith([approved]));
  expect(writes.take(sent(path, wrong))).toHaveProperty("refused");
  expect(writes.take(sent(path, right))).not.toHaveProperty("refused");
});

test("an object that was found for a lost create is not that of an equal create too", () => {
  const writes = writesWith([ruleOf(0), ruleOf(1)], []);
  const [first, second] = [taken(writes, sentCreate), taken(writes, sentCreate)];
  writes.answered(first, create.path, undefined);
  expect(writes.found(first, "ipp_x")).toBe(true);
  writes.answered(second, create.path, 201, "ipp_x");
  const rule = (position: number) => sent("/ip_policy_rules", { id: "ipp_x", cidr: `10.${position}.0.0/16` });
  expect(writes.take(rule(0))).not.toHaveProperty("refused");
  expect(writes.take(rule(1))).toHaveProperty("refused");
});

test("a lost create whose repetition was answered is done once, whatever is found later", () => {
  const writes = writesWith([ruleOf(0)]);
  const first = taken(writes, sentCreate);
  writes.answered(first, create.path, undefined);
  writes.answered(taken(writes, sentCreate), create.path, 201, "ipp_x");
  expect(writes.found(first, "ipp_z")).toBe(false);
  // The other create is still open, and the rule comes after both.
  const rule = sent("/ip_policy_rules", { id: "ipp_x", cidr: "10.0.0.0/16" });
  expect(writes.take(rule)).toHaveProperty("refused");
  writes.answered(taken(writes, sentCreate), create.path, 201, "ipp_y");
  expect(writes.take(rule)).not.toHaveProperty("refused");
});
