/** The writes of an approval: two equal creates, whose objects its other writes name, and the order of steps. */
import type { ApprovedStep, ApprovedWrite } from "../../../src/tools/approval/approval";
import { ApprovedWrites } from "../../../src/tools/approval/approved-writes";
import type { Allowed, SentWrite } from "../../../src/tools/approval/approved-writes";
import type { LogLine } from "../../../src/tools/approval/write-log";

const baseUrl = "https://api.example.com";
const create: ApprovedWrite = { method: "POST", path: "/ip_policies", body: { description: "same" } };

type Step = Pick<ApprovedStep, "writes"> & Partial<ApprovedStep>;

function writesOf(...given: readonly Step[]): ApprovedWrites {
  const steps = given.map((each, i) => ({ urn: `step ${i}`, isLate: false, after: [], ...each }));
  const approval = { approval: 3, version: "", stack: "s", project: "p", baseUrls: [], steps } as const;
  return new ApprovedWrites(approval, baseUrl);
}

/** @param others the writes of more steps, each of which comes after the steps at `after`. */
function writesWith(others: readonly ApprovedWrite[], after: readonly number[] = [0, 1]): ApprovedWrites {
  const twice = { writes: [create] };
  return writesOf(twice, twice, ...others.map((each) => ({ writes: [each], after })));
}

const sent = (path: string, body: unknown, method = "POST"): SentWrite => ({ baseUrl, method, path, body });
const sentCreate = sent(create.path, create.body);

function taken(writes: ApprovedWrites, write: SentWrite): Allowed {
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

test("the object of a create may be that of an equal create, whose other writes come first", () => {
  const named = (position: number, metadata: string): ApprovedWrite => ({
    ...{ method: "PATCH", path: `/ip_policies/{${position}}`, body: { metadata } },
  });
  const steps: Step[] = [
    { writes: [create, named(0, "first")] },
    { writes: [create, named(2, "second")] },
    { writes: [named(2, "third")], after: [1] },
  ];
  const change = (id: string, metadata: string) => sent(`/ip_policies/${id}`, { metadata }, "PATCH");
  const writes = writesOf(...steps);
  const log: LogLine[] = [];
  const send = (write: SentWrite, status: number, id?: string): void => {
    const { position, names } = taken(writes, write);
    writes.answered({ position }, write.path, status, id);
    const line = { method: write.method, path: write.path, position, time: "", seal: "" };
    log.push({ ...line, event: "sent", baseUrl, names }, { ...line, event: "answered", status, id });
  };
  send(sentCreate, 201, "ipp_x");
  // What is not sent decides nothing.
  expect(writes.take(change("ipp_x", "third"))).toHaveProperty("refused");
  send(change("ipp_x", "second"), 200);
  expect(writes.take(change("ipp_x", "first"))).toHaveProperty("refused");
  send(change("ipp_x", "third"), 200);
  send(sentCreate, 201, "ipp_y");
  const later = writesOf(...steps);
  later.resume(log);
  for (const each of [writes, later]) {
    expect(each.left.map(({ path }) => path)).toEqual(["/ip_policies/{0}"]);
    expect(each.take(change("ipp_x", "first"))).toHaveProperty("refused");
    expect(each.take(change("ipp_y", "first"))).not.toHaveProperty("refused");
  }
});

test("an object that was found for a lost create is not that of an equal create too", () => {
  const writes = writesWith([ruleOf(0), ruleOf(1)], []);
  const [first, second] = [taken(writes, sentCreate), taken(writes, sentCreate)];
  writes.answered(first, create.path, undefined);
  expect(writes.found(first, "ipp_x")).toBe(true);
  const rule = (position: number) => sent("/ip_policy_rules", { id: "ipp_x", cidr: `10.${position}.0.0/16` });
  expect(writes.take(rule(0))).not.toHaveProperty("refused");
  writes.answered(second, create.path, 201, "ipp_x");
  expect(writes.take(rule(1))).toHaveProperty("refused");
});

test("a lost create whose repetition was answered is done once, whatever is found later", () => {
  const writes = writesWith([ruleOf(0)]);
  const first = taken(writes, sentCreate);
  writes.answered(first, create.path, undefined);
  const again = taken(writes, sentCreate);
  expect(writes.found(first, "ipp_z")).toBe(false);
  writes.answered(again, create.path, 201, "ipp_x");
  expect(writes.found(first, "ipp_z")).toBe(false);
  // The other create is still open, and the rule comes after both.
  const rule = sent("/ip_policy_rules", { id: "ipp_x", cidr: "10.0.0.0/16" });
  expect(writes.take(rule)).toHaveProperty("refused");
  writes.answered(taken(writes, sentCreate), create.path, 201, "ipp_y");
  expect(writes.take(rule)).not.toHaveProperty("refused");
});

test.each<[string, Partial<ApprovedWrite>, unknown, boolean]>([
  ["a change leaves it out", { method: "PATCH" }, { name: "n" }, true],
  ["a change has another value beside it", { method: "PATCH" }, { name: "m", key: "k" }, false],
  ["an object is sent whole with it", { method: "PUT" }, { name: "n", key: "k" }, true],
  ["an object is sent whole without it", { method: "PUT" }, { name: "n" }, false],
])("a write with a secret, of which %s", (_, { method = "PUT" }, body, isAllowed) => {
  const holes = [{ at: "/key", any: "secret" }] as const;
  const writes = writesOf({ writes: [{ method, path: "/a/a_1", body: { name: "n", key: null }, holes }] });
  expect("position" in writes.take(sent("/a/a_1", body, method))).toBe(isAllowed);
});

test.each<[string, ApprovedWrite["method"], unknown, boolean]>([
  ["the whole of it", "PATCH", { name: "n", ids: ["ipp_x"], key: "k" }, true],
  ["a part", "PATCH", { ids: ["ipp_x"], key: "k" }, true],
  ["a part without the secret", "PATCH", { name: "n" }, true],
  ["a part with another value", "PATCH", { ids: ["ipp_y"] }, false],
  ["a part and another member", "PATCH", { name: "n", description: "" }, false],
  ["what has no members", "PATCH", ["name"], false],
  ["the whole of an object", "PUT", { name: "n", ids: ["ipp_x"], key: "k" }, true],
  ["a part of an object", "PUT", { name: "n", key: "k" }, false],
])("the last change of an object is repeated: %s", (_, method, body, isAllowed) => {
  const holes = [
    { at: "/key", any: "secret" as const },
    { at: "/ids/0", text: [0] },
  ];
  const change = { method, path: "/a/a_1", body: { name: "n", ids: [null], key: null }, holes };
  const writes = withBoth(writesWith([change, { method: "PATCH", path: "/a/a_2", body: { name: "n" } }]));
  const whole = { name: "n", ids: ["ipp_x"], key: "k" };
  writes.answered(taken(writes, sent(change.path, whole, method)), change.path, 200);
  expect("position" in writes.take(sent(change.path, body, method))).toBe(isAllowed);
  expect(writes.take(sent("/a/a_2", {}, method))).toHaveProperty("refused");
  const other = method === "PUT" ? "PATCH" : "PUT";
  expect(writes.take(sent(change.path, whole, other))).toHaveProperty("refused");
});

test("the order of a list counts where only one of its ids is new", () => {
  const holes = [{ at: "/ids/0", text: [0] }];
  const one: ApprovedWrite = { method: "POST", path: "/edges/tcp", body: { ids: [null, "ipp_old"] }, holes };
  const writes = withBoth(writesWith([one]));
  expect(writes.take(sent(one.path, { ids: ["ipp_old", "ipp_x"] }))).toHaveProperty("refused");
  expect(writes.take(sent(one.path, { ids: ["ipp_x", "ipp_old"] }))).not.toHaveProperty("refused");
});

const changeOf = (path: string): ApprovedWrite => ({ method: "PATCH", path, body: { description: "new" } });
const sentChange = (path: string): SentWrite => sent(path, { description: "new" }, "PATCH");

test("a change that is sent twice counts once for the step after its step", () => {
  const step = { writes: ["/a/a_1", "/a/a_2"].map(changeOf) };
  const writes = writesOf(step, { writes: [changeOf("/a/a_3")], after: [0] });
  for (const _ of [1, 2]) writes.answered(taken(writes, sentChange("/a/a_1")), "/a/a_1", 200);
  expect(writes.take(sentChange("/a/a_3"))).toHaveProperty("refused");
});

test.each<[string, (...writes: ApprovedWrite[]) => Step[]]>([
  ["of steps", (a, b, c) => [{ writes: [a] }, { writes: [b] }, { writes: [c], after: [0, 1] }]],
  ["of one step", (...writes) => [{ writes }]],
])("a lost write %s counts as what prevents another only when nothing else does", (_, steps) => {
  const [a, b, c] = ["/ip_policies/ipp_a", "/ip_policies/ipp_b", "/ip_policies/ipp_c"] as const;
  // Neither of the first two waits for the other.
  const writes = writesOf(...steps(changeOf(a), { ...changeOf(b), first: 0 }, changeOf(c)));
  writes.answered(taken(writes, sentChange(a)), a, undefined);
  expect(writes.lostBefore(sentChange(c))).toEqual([]);
  writes.answered(taken(writes, sentChange(b)), b, 200);
  expect(writes.lostBefore(sentChange(c))).toMatchObject([{ path: a }]);
});

test("a create that is permitted again comes before deletions, with the writes of its own step alone", () => {
  const [key, old] = ["/ip_policies/ipp_x", "/ip_policies/ipp_old"] as const;
  const replaced = "/ip_policies/ipp_replaced";
  const own = {
    writes: [create, changeOf("/ip_policies/{0}"), { method: "DELETE", path: replaced } as const],
  };
  const other = { writes: [{ ...changeOf("/ip_policies/{0}"), body: { metadata: "m" } }] };
  const late = { writes: [{ method: "DELETE", path: old } as const], isLate: true };
  const writes = writesOf(own, other, late);
  const first = taken(writes, sentCreate);
  writes.answered(first, create.path, 201, "ipp_x");
  writes.answered(taken(writes, sentChange(key)), key, 200);
  writes.answered(taken(writes, sent(key, { metadata: "m" }, "PATCH")), key, 200);
  writes.reopen(first, new Set(["ipp_x"]));
  expect(writes.left.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /ip_policies",
    "PATCH /ip_policies/{0}",
    `DELETE ${replaced}`,
    `DELETE ${old}`,
  ]);
  for (const path of [replaced, old])
    expect(writes.take(sent(path, undefined, "DELETE"))).toHaveProperty("refused");
});

test.each<[string, number | undefined, "done" | "open" | "lost"]>([
  ["POST", 201, "done"],
  ["POST", 302, "open"],
  ["POST", 404, "open"],
  ["POST", 408, "lost"],
  ["POST", 500, "lost"],
  ["POST", undefined, "lost"],
  ["PATCH", 200, "done"],
  ["PATCH", 404, "open"],
  ["DELETE", 204, "done"],
  ["DELETE", 404, "done"],
  ["DELETE", 409, "open"],
  ["DELETE", 503, "lost"],
])("%s is answered with %d: the write is %s", (method, status, state) => {
  const write = { method: method as ApprovedWrite["method"], path: "/ip_policies" };
  const writes = writesOf({ writes: [write] });
  writes.answered(taken(writes, sent(write.path, undefined, method)), write.path, status);
  expect([writes.doneCount, writes.left.length, writes.lost.length]).toEqual(
    { done: [1, 0, 0], open: [0, 1, 0], lost: [0, 1, 1] }[state],
  );
});
