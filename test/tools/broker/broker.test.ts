/** The broker between the package's own client and a service over HTTP: what passes, what does not, and what is lost. */
import { readFileSync } from "node:fs";
import { Http } from "../../../src/provider/http/http";
import { realTiming } from "../../../src/provider/http/timing";
import { accountMark } from "../../../src/provider/settings/own-account";
import type { Approval, ApprovedStep, ApprovedWrite } from "../../../src/tools/approval/approval";
import type { Json } from "../../../src/schema/json";
import type { Broker } from "../../../src/tools/broker/broker";
import { everyWrite } from "../../../src/tools/broker/permits";
import type { Permit } from "../../../src/tools/broker/permits";
import { withoutPauses } from "../../support/hasty";
import { urnOf } from "../review/support";
import type { Written } from "../review/support";
import { brokersForTests, noAccount } from "./brokers";

const {
  emulator,
  logFile,
  log,
  approvalFor,
  brokerWith,
  permitsOf,
  settingsThrough,
  created,
  deletedByHand,
} = brokersForTests();

const policy = (name: string): Written => ({ type: "IpPolicy", name, after: { description: name } });
const rule = { cidr: "10.0.0.0/8", action: "allow" };
const key: Written = { type: "ApiKey", name: "ci", after: { description: "ci" } };

it("lets what was approved pass once, with the key that only it has", async () => {
  const permits = permitsOf(await approvalFor(policy("office")));
  const broker = await brokerWith(permits);
  const { id } = await created(broker, "IpPolicy", { description: "office" });
  expect(emulator.snapshot().ip_policies).toMatchObject([{ id, description: "office" }]);
  expect(permits.left).toEqual([]);
  await expect(created(broker, "IpPolicy", { description: "office" })).rejects.toThrow(
    /403 ERR_BROKER: the broker refuses what was not approved: POST \/ip_policies: it was approved once, and it is done/,
  );
  await expect(created(broker, "IpPolicy", { description: "x" })).rejects.toThrow(/not approved/);
  expect(broker.refused).toHaveLength(2);
  expect(emulator.snapshot().ip_policies).toHaveLength(1);
  const logged = readFileSync(logFile, "utf8");
  expect(logged.split("\n").map((line) => /"event":"(\w+)"/.exec(line)?.[1])).toEqual([
    "begin",
    "sent",
    "answered",
    "refused",
    "refused",
    undefined,
  ]);
  expect(logged + JSON.stringify(broker.settings)).not.toContain(emulator.apiKey);
});

it("has a write in the log before the service has it", async () => {
  const broker = await brokerWith(permitsOf(await approvalFor(policy("office"))));
  const moments: string[] = [];
  const add = log.add.bind(log);
  const logged = jest.spyOn(log, "add").mockImplementation((line) => {
    moments.push(`${line.event} after ${emulator.requests.length}`);
    return add(line);
  });
  await created(broker, "IpPolicy", { description: "office" }).finally(() => logged.mockRestore());
  expect(moments).toEqual(["sent after 0", "answered after 1"]);
});

it("records the account as a deployment without a broker does", async () => {
  const broker = await brokerWith(everyWrite);
  const { baseUrl, apiKey } = emulator;
  expect(accountMark(settingsThrough(broker))).toBe(accountMark({ baseUrl, apiKey }));
});

it.each<[string, string, Record<string, string>, number]>([
  ["without its token", "/ip_policies", { authorization: "Bearer x" }, 401],
  ["with the key itself", "/ip_policies", { authorization: "<key>" }, 401],
  [
    "for an account without a key",
    "/ip_policies",
    { "tunnel-gateway-base-url": "https://evil.example" },
    403,
  ],
  ["for no account", "/ip_policies", { "tunnel-gateway-base-url": "" }, 403],
  ["beside the base URL", "/../other", {}, 403],
  ["beside the base URL, encoded", "/%2e%2e/other", {}, 403],
])("refuses a request %s", async (_, path, headers, status) => {
  const broker = await brokerWith(everyWrite);
  const { url, token } = broker.settings;
  const { hostname, port } = new URL(url);
  const { request } = await import("node:http");
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const sent = request({
      ...{ hostname, port, method: "GET", path: new URL(emulator.baseUrl).pathname + path },
      headers: { authorization: `Bearer ${token}`, "tunnel-gateway-base-url": emulator.baseUrl, ...headers },
    });
    sent
      .on("response", (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
  expect(answer).toBe(status);
  expect(emulator.requests).toEqual([]);
});

it("passes on of an answer what its client needs", async () => {
  emulator.setFaults({
    rules: [{ kind: "status", status: 429, retryAfter: 7, body: { msg: emulator.apiKey } }],
  });
  const { url, token } = (await brokerWith(everyWrite)).settings;
  const headers = { authorization: `Bearer ${token}`, "tunnel-gateway-base-url": emulator.baseUrl };
  const answer = await fetch(`${url}${new URL(emulator.baseUrl).pathname.replace(/\/$/, "")}/ip_policies`, {
    headers,
  });
  const given = Object.fromEntries(
    ["retry-after", "content-type"].map((name) => [name, answer.headers.get(name)]),
  );
  expect([answer.status, given]).toEqual([429, { "retry-after": "7", "content-type": "application/json" }]);
  expect(await answer.text()).not.toContain(emulator.apiKey);
});

it("lets reads pass, and every write where nothing was approved", async () => {
  const broker = await brokerWith(everyWrite);
  await created(broker, "IpPolicy", { description: "any" });
  const http = new Http(settingsThrough(broker));
  const { body } = await http.send({ method: "GET", path: "/ip_policies", operation: "listing" });
  expect(body).toMatchObject({ ip_policies: [{ description: "any" }] });
  expect(everyWrite.left).toEqual([]);
});

it("knows a rule that a set holds by its policy and range, where the state has no id of it", async () => {
  const [office] = (await emulator.seed({ ip_policies: [{ description: "office" }] })).ip_policies!;
  const ipPolicyId = String(office!.id);
  const ranges = ["10.0.0.0/8", "10.1.0.0/16"];
  const rules = (
    await emulator.seed({
      ip_policy_rules: ranges.map((cidr) => ({ cidr, action: "allow", ip_policy_id: ipPolicyId })),
    })
  ).ip_policy_rules!;
  const set = (...cidrs: string[]) => ({
    ipPolicyId,
    rules: Object.fromEntries(cidrs.map((cidr) => [cidr, "allow"])),
  });
  const approval = await approvalFor({
    type: "IpPolicyRuleSet",
    name: "rules",
    id: ipPolicyId,
    before: set(...ranges),
    after: set(ranges[0]!),
  });
  expect(approval.steps).toMatchObject([
    {
      writes: [{ method: "DELETE", path: "/ip_policy_rules/{rule}", rule: { ipPolicyId, cidr: ranges[1] } }],
    },
  ]);
  const permits = permitsOf(approval);
  const http = new Http(settingsThrough(await brokerWith(permits)));
  const deleted = (i: number) =>
    http.send({ method: "DELETE", path: `/ip_policy_rules/${String(rules[i]!.id)}`, operation: "deleting" });
  await expect(deleted(0)).rejects.toThrow(/was not approved/);
  await deleted(1);
  expect(permits.left).toEqual([]);
  expect(emulator.snapshot().ip_policy_rules).toMatchObject([{ cidr: ranges[0] }]);
});

describe("where an answer is lost", () => {
  it.each([
    ["and nothing was done, the write is repeated", false],
    ["and it was done, the object is taken over, and what refers to it passes", true],
  ])("%s", async (_, afterWork) => {
    const of = { ipPolicyId: [urnOf("IpPolicy", "office")] };
    const inOffice: Written = {
      type: "IpPolicyRule",
      name: "lan",
      after: { ...rule, ipPolicyId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
      from: of,
    };
    const permits = permitsOf(await approvalFor(policy("office"), inOffice));
    const broker = await brokerWith(permits);
    emulator.setFaults({
      rules: [{ kind: "status", status: 502, method: "POST", path: "/ip_policies", times: 1, afterWork }],
    });
    const { id } = await created(broker, "IpPolicy", { description: "office" });
    await created(broker, "IpPolicyRule", { ...rule, ipPolicyId: id });
    expect([permits.left, broker.refused]).toEqual([[], []]);
    expect(emulator.snapshot()).toMatchObject({
      ip_policies: [{ id }],
      ip_policy_rules: [{ ip_policy: { id } }],
    });
  });

  it("the key of a creation without an answer is deleted, and no other", async () => {
    const [other] = (await emulator.seed({ api_keys: [{ description: "other" }] })).api_keys!;
    const permits = permitsOf(await approvalFor(key));
    const broker = await brokerWith(permits);
    emulator.setFaults({
      rules: [{ kind: "status", status: 502, method: "POST", path: "/api_keys", times: 1, afterWork: true }],
    });
    const { id } = await created(broker, "ApiKey", { description: "ci" });
    expect([permits.left, broker.refused]).toEqual([[], []]);
    expect(emulator.snapshot().api_keys!.map((each) => each.id)).toEqual([other!.id, id]);
    const http = new Http(settingsThrough(broker), {
      timing: withoutPauses(realTiming),
      report: () => undefined,
    });
    for (const each of [other!.id, id])
      await expect(
        http.send({ method: "DELETE", path: `/api_keys/${String(each)}`, operation: "deleting" }),
      ).rejects.toThrow(/not approved/);
    expect(emulator.snapshot().api_keys).toHaveLength(2);
  });

  it("another object of the account does not count as the one that was made", async () => {
    const [old] = (await emulator.seed({ ip_policies: [{ description: "other" }] })).ip_policies!;
    const of = { ipPolicyId: [urnOf("IpPolicy", "office")] };
    const inOffice: Written = {
      type: "IpPolicyRule",
      name: "lan",
      after: { ...rule, ipPolicyId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
      from: of,
    };
    const broker = await brokerWith(permitsOf(await approvalFor(policy("office"), inOffice)));
    emulator.setFaults({ rules: [{ kind: "status", status: 502, method: "POST", path: "/ip_policies" }] });
    await expect(created(broker, "IpPolicy", { description: "office" })).rejects.toThrow();
    await expect(created(broker, "IpPolicyRule", { ...rule, ipPolicyId: old!.id })).rejects.toThrow(
      /not approved/,
    );
  });
});

describe("equal new objects", () => {
  const same = (name: string): Written => ({ type: "IpPolicy", name, after: { description: "same" } });
  const ruleOf = (policy: string, cidr: string): Written => ({
    ...{ type: "IpPolicyRule", name: `${policy}_${cidr.split(".")[1]}` },
    after: { cidr, action: "allow", ipPolicyId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
    from: { ipPolicyId: [urnOf("IpPolicy", policy)] },
  });
  const [one, two, three] = ["10.1.0.0/16", "10.2.0.0/16", "10.3.0.0/16"] as const;
  const approval = () =>
    approvalFor(same("a"), same("b"), ruleOf("a", one), ruleOf("a", two), ruleOf("b", three));

  it.each([
    ["", 0],
    [", also where the answer to a create is lost", 1],
  ])("keep their own rules after the broker is killed%s", async (_, lost) => {
    const permits = permitsOf(await approval());
    const first = await brokerWith(permits);
    const fault = {
      kind: "status",
      status: 502,
      method: "POST",
      path: "/ip_policies",
      afterWork: true,
    } as const;
    emulator.setFaults({ rules: lost === 0 ? [] : [{ ...fault, times: lost }] });
    const make = async (broker: Broker, type: string, inputs: Json) =>
      (await created(broker, type, inputs)).id;
    const x = await make(first, "IpPolicy", { description: "same" });
    const rule = (broker: Broker, ipPolicyId: string, cidr: string) =>
      make(broker, "IpPolicyRule", { ipPolicyId, cidr, action: "allow" });
    await rule(first, x, one);
    const y = await make(first, "IpPolicy", { description: "same" });
    const next = permitsOf(await approval());
    const second = await brokerWith(next);
    await expect(rule(second, x, three)).rejects.toThrow(/not approved/);
    await expect(rule(second, y, two)).rejects.toThrow(/not approved/);
    await rule(second, x, two);
    await rule(second, y, three);
    expect(next.left).toEqual([]);
  });
});

describe("the order of the plan", () => {
  const step = (urn: string, more: Partial<ApprovedStep>): ApprovedStep => ({
    ...{ urn, after: [], isLate: false, writes: [{ method: "POST", path: `/${urn}`, body: {} }] },
    ...more,
  });
  const steps = [
    step("bot_users", {}),
    step("ip_policies", { after: [0] }),
    step("old", { isLate: true, writes: [{ method: "DELETE", path: "/ip_policies/ipp_old" }] }),
  ];
  const approval = (): Approval => ({
    approval: 3,
    version: "",
    stack: "s",
    project: "p",
    baseUrls: [],
    steps,
  });
  const send = (method: string, path: string) => ({
    baseUrl: emulator.baseUrl,
    method,
    path,
    body: method === "POST" ? {} : undefined,
  });

  it("is kept: a write waits for those that come first", async () => {
    const permits = permitsOf(approval());
    const refusalOf = async (method: string, path: string): Promise<string | undefined> => {
      const permit = await permits.permitFor(send(method, path), noAccount);
      if ("refused" in permit) return permit.refused;
      permit.answered(method === "POST" ? 201 : 404);
      return undefined;
    };
    expect(await refusalOf("POST", "/ip_policies")).toBe(
      "POST /ip_policies: it was approved to come after the writes of bot_users",
    );
    expect(await refusalOf("DELETE", "/ip_policies/ipp_old")).toMatch(/after the writes of bot_users/);
    expect(await refusalOf("POST", "/bot_users")).toBeUndefined();
    expect(await refusalOf("DELETE", "/ip_policies/ipp_old")).toMatch(/after the writes of ip_policies/);
    expect(await refusalOf("POST", "/ip_policies")).toBeUndefined();
    // What is gone is deleted.
    expect(await refusalOf("DELETE", "/ip_policies/ipp_old")).toBeUndefined();
    expect(permits.left).toEqual([]);
  });

  it("counts a refused write as not sent, and has an equal one wait for the answer", async () => {
    const permits = permitsOf(approval());
    const first = await permits.permitFor(send("POST", "/bot_users"), noAccount);
    expect(await permits.permitFor(send("POST", "/bot_users"), noAccount)).toEqual({
      refused: "POST /bot_users: it was sent, and has no answer yet",
      isUnderWay: true,
    });
    if ("answered" in first) first.answered(409);
    expect(permits.left).toHaveLength(3);
    expect(await permits.permitFor(send("POST", "/bot_users"), noAccount)).toMatchObject({ position: 0 });
  });
});

describe("the order of the writes of a set, on which the review relies,", () => {
  type Entries = Readonly<Record<string, string>>;
  const [outer, inner] = ["10.0.0.0/8", "10.1.0.0/16"] as const;
  const other = { "203.0.113.0/24": "allow" };

  /** The permits of a change of a set, and the id of the rule for each range that it has before. */
  async function changed(before: Entries, after: Entries) {
    const ipPolicyId = String((await emulator.seed({ ip_policies: [{}] })).ip_policies![0]!.id);
    const rules = Object.entries(before).map(([cidr, action]) => ({
      cidr,
      action,
      ip_policy_id: ipPolicyId,
    }));
    const seeded = (await emulator.seed({ ip_policy_rules: rules })).ip_policy_rules!;
    const set = {
      ...{ type: "IpPolicyRuleSet", name: "rules", id: ipPolicyId },
      ...{ before: { ipPolicyId, rules: before }, after: { ipPolicyId, rules: after } },
    };
    const permits = permitsOf(await approvalFor(set));
    const account = { ...noAccount, read: (_: string, path: string) => Promise.resolve(objectAt(path)) };
    const objectAt = (path: string) => seeded.find(({ id }) => path.endsWith(`/${String(id)}`));
    /** Whether the broker lets the write pass, whose answer it then gets. */
    const sends = async (method: "POST" | "DELETE", cidr: string, action = ""): Promise<boolean> => {
      const id = String(seeded.find((rule) => rule.cidr === cidr)?.id);
      const [path, body] =
        method === "POST"
          ? ["/ip_policy_rules", { action, cidr, ip_policy_id: ipPolicyId }]
          : [`/ip_policy_rules/${id}`, undefined];
      const permit = await permits.permitFor({ baseUrl: emulator.baseUrl, method, path, body }, account);
      if ("answered" in permit) permit.answered(method === "POST" ? 201 : 204, "ipr_new");
      return !("refused" in permit);
    };
    return { sends, permits };
  }

  it("is kept: no allow rule comes before the deny rule inside of it", async () => {
    const { sends, permits } = await changed(other, { ...other, [outer]: "allow", [inner]: "deny" });
    expect([await sends("POST", outer, "allow"), await sends("POST", inner, "deny")]).toEqual([false, true]);
    expect(await sends("POST", outer, "allow")).toBe(true);
    expect(permits.left).toEqual([]);
  });

  it("is kept: no deny rule goes before the allow rule around it", async () => {
    const { sends, permits } = await changed({ ...other, [outer]: "allow", [inner]: "deny" }, other);
    expect([await sends("DELETE", inner), await sends("DELETE", outer)]).toEqual([false, true]);
    expect(await sends("DELETE", inner)).toBe(true);
    expect(permits.left).toEqual([]);
  });

  it("is kept: no rule goes before the new ones are there", async () => {
    const { sends } = await changed(other, { [outer]: "allow" });
    expect([await sends("DELETE", "203.0.113.0/24"), await sends("POST", outer, "allow")]).toEqual([
      false,
      true,
    ]);
    expect(await sends("DELETE", "203.0.113.0/24")).toBe(true);
  });

  it("leaves rules of one kind and rules that replace others as the set sends them, many at once", async () => {
    const { sends, permits } = await changed(
      { ...other, [outer]: "allow", [inner]: "allow" },
      { ...other, [outer]: "deny", [inner]: "deny", "192.0.2.0/24": "allow", "198.51.100.0/24": "allow" },
    );
    expect(await sends("POST", "198.51.100.0/24", "allow")).toBe(true);
    expect(await sends("DELETE", outer)).toBe(false);
    expect(await sends("POST", "192.0.2.0/24", "allow")).toBe(true);
    for (const range of [inner, outer]) {
      expect(await sends("DELETE", range)).toBe(true);
      expect(await sends("POST", range, "deny")).toBe(true);
    }
    expect(permits.left).toEqual([]);
  });
});

const sources = "/event_subscriptions/esb_1/sources";
const cleared = { method: "PATCH", path: "/event_subscriptions/esb_1", body: { sources: [] } } as const;
const added = { method: "POST", path: sources, body: { type: "ip_policy_created.v0" } } as const;
const removed = { method: "DELETE", path: `${sources}/ip_policy_created.v0` } as const;
const patch = (description: string) =>
  ({ method: "PATCH", path: "/ip_policies/ipp_1", body: { description } }) as const;

it.each<[string, ApprovedWrite, ApprovedWrite]>([
  ["at its path", patch("one"), patch("two")],
  ["inside of its object", cleared, added],
  ["of its collection, which may make it again", removed, added],
  ["of the object around it", removed, { ...cleared, body: { sources: [added.body] } }],
])("repeats a write until one is done %s, so that nothing is set back", async (_, first, second) => {
  const steps = [{ urn: "u", after: [], isLate: false, writes: [first, second] }];
  const permits = permitsOf({ approval: 3, version: "", stack: "s", project: "p", baseUrls: [], steps });
  const permitOf = ({ method, path, body }: ApprovedWrite) =>
    permits.permitFor({ baseUrl: emulator.baseUrl, method, path, body }, noAccount);
  const sends = async (write: ApprovedWrite): Promise<boolean> => {
    const permit = await permitOf(write);
    if ("answered" in permit) permit.answered(200);
    return "answered" in permit;
  };
  expect(await sends(first)).toBe(true);
  // Of two on their way, the service may do the first one last.
  const waits = { isUnderWay: true };
  const again = (await permitOf(first)) as Permit;
  expect([await permitOf(first), await permitOf(second)]).toMatchObject([waits, waits]);
  again.answered(200);
  const next = (await permitOf(second)) as Permit;
  expect(await permitOf(first)).toMatchObject(waits);
  next.answered(second.method === "POST" ? 201 : 200);
  expect([await sends(second), await sends(first)]).toEqual([second.method !== "POST", false]);
  await permitOf(second);
  expect(permits.left).toEqual([]);
});

describe("after the end of a broker", () => {
  it("the next one knows from the log what was done, and the ids", async () => {
    const of = { ipPolicyId: [urnOf("IpPolicy", "office")] };
    const inOffice: Written = {
      type: "IpPolicyRule",
      name: "lan",
      after: { ...rule, ipPolicyId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" },
      from: of,
    };
    const approval = await approvalFor(policy("office"), inOffice);
    const { id } = await created(await brokerWith(permitsOf(approval)), "IpPolicy", {
      description: "office",
    });
    const permits = permitsOf(approval);
    const broker = await brokerWith(permits);
    await expect(created(broker, "IpPolicy", { description: "office" })).rejects.toThrow(/it is done/);
    await created(broker, "IpPolicyRule", { ...rule, ipPolicyId: id });
    expect(permits.left).toEqual([]);
  });

  describe("the next one of a change with a lost answer", () => {
    const patch = (policy: number, body: object, more: Partial<ApprovedWrite> = {}): ApprovedStep => ({
      ...{ urn: `u${policy}`, after: [], isLate: false },
      writes: [{ method: "PATCH", path: `/ip_policies/${ids[policy]!}`, body, ...more }],
    });
    let ids: string[];
    beforeEach(async () => {
      const made = await emulator.seed({ ip_policies: [{ description: "a" }, { description: "b" }] });
      ids = made.ip_policies!.map(({ id }) => String(id));
    });
    const approvalOf = (...steps: ApprovedStep[]): Approval => ({
      ...{ approval: 3, version: "", stack: "s", project: "p", baseUrls: [emulator.baseUrl], steps },
    });
    const lost = (approval: Approval, path: string, method: ApprovedWrite["method"] = "PATCH"): void => {
      permitsOf(approval);
      log.add({ event: "sent", baseUrl: emulator.baseUrl, method, path, position: 0 });
    };
    const send = async (approval: Approval, body: object) => {
      const permits = permitsOf(approval);
      const broker = await brokerWith(permits);
      const http = new Http(settingsThrough(broker), {
        timing: withoutPauses(realTiming),
        report: () => undefined,
      });
      const path = `/ip_policies/${ids[1]!}`;
      await http
        .send({ method: "PATCH", path, body: body as never, operation: "changing" })
        .catch(() => undefined);
      return { broker, permits };
    };
    const descriptions = () => emulator.snapshot().ip_policies!.map(({ description }) => description);

    it("sends it again before what comes after it, as a refresh may have taken over what it did", async () => {
      const approval = approvalOf(patch(0, { description: "one" }), {
        ...patch(1, { description: "two" }),
        after: [0],
      });
      lost(approval, `/ip_policies/${ids[0]!}`);
      const { broker, permits } = await send(approval, { description: "two" });
      expect([descriptions(), broker.refused, permits.left]).toEqual([["one", "two"], [], []]);
    });

    it("sends a deletion again without a body", async () => {
      const path = `/ip_policies/${ids[0]!}`;
      const deletion: ApprovedStep = { ...patch(0, {}), writes: [{ method: "DELETE", path }] };
      const approval = approvalOf(deletion, { ...patch(1, { description: "two" }), after: [0] });
      lost(approval, path, "DELETE");
      await send(approval, { description: "two" });
      expect(emulator.requests.filter(({ method }) => method === "DELETE")).toMatchObject([
        { path, body: undefined },
      ]);
    });

    it("sends it again at its end, where nothing comes after it", async () => {
      const approval = approvalOf(patch(0, { description: "one" }), patch(1, { description: "two" }));
      lost(approval, `/ip_policies/${ids[0]!}`);
      const { broker, permits } = await send(approval, { description: "two" });
      expect(permits.left).toHaveLength(1);
      await broker.settle();
      expect([descriptions(), permits.left]).toEqual([["one", "two"], []]);
    });

    it.each<[string, Partial<ApprovedWrite>, object | undefined]>([
      [
        "it has a secret, which is in no approval",
        { holes: [{ at: "/description", any: "secret" }] },
        undefined,
      ],
      ["the service refuses it", {}, { kind: "status", status: 422, method: "PATCH" }],
      ["the service does not answer", {}, { kind: "status", status: 503, method: "PATCH" }],
    ])("lets nothing pass that comes after it where %s", async (_, more, fault) => {
      const approval = approvalOf(patch(0, { description: "one" }, more), {
        ...patch(1, { description: "two" }),
        after: [0],
      });
      lost(approval, `/ip_policies/${ids[0]!}`);
      if (fault) emulator.setFaults({ rules: [fault as never] });
      const { broker, permits } = await send(approval, { description: "two" });
      emulator.setFaults({ rules: [] });
      expect([descriptions(), permits.left.length]).toEqual([["a", "b"], 2]);
      if (fault === undefined)
        expect(broker.refused[0]).toMatch(
          /come after the writes of u0\. The answer to PATCH .* was lost, and .* Deploy again without a refresh/,
        );
    });

    const create: ApprovedStep = {
      ...{ urn: "u", after: [], isLate: false },
      writes: [{ method: "POST", path: "/ip_policies", body: { description: "new" } }],
    };

    it.each<[string, string[], number]>([
      ["one object is what it makes", ["new"], 0],
      ["it made nothing", [], 2],
      ["only an object with other values is new", ["newer"], 2],
      ["two objects may be what it made", ["new", "new"], 2],
    ])("of a create counts as done where %s: %#", async (_, made, left) => {
      const approval = approvalOf(create, { ...patch(1, { description: "two" }), after: [0] });
      lost(approval, "/ip_policies", "POST");
      await emulator.seed({ ip_policies: made.map((description) => ({ description })) });
      const { permits } = await send(approval, { description: "two" });
      expect(permits.left).toHaveLength(left);
    });
  });

  describe.each([
    { type: "ApiKey", list: "api_keys", resource: key },
    { type: "IpPolicy", list: "ip_policies", resource: policy("ci") },
  ])("the next one of a creation: $type", ({ type, list, resource }) => {
    const create = { description: "ci" };
    afterEach(() => jest.restoreAllMocks());

    it("creates it again if it is gone for certain, and at no time more than one", async () => {
      const now = Date.now.bind(Date);
      let passed = 0;
      jest.spyOn(Date, "now").mockImplementation(() => now() + passed);
      const approval = await approvalFor(resource);
      const before = (emulator.snapshot()[list] ?? []).map(({ id }) => id);
      const createdBy = async (): Promise<string> => {
        const broker = await brokerWith(permitsOf(approval));
        return (await created(broker, type, create)).id;
      };
      const first = await createdBy();
      await expect(createdBy()).rejects.toThrow(/it is done/);
      await deletedByHand(`/${list}/${first}`);
      await expect(createdBy()).rejects.toThrow(/less than a minute ago, .* Deploy again in a minute/);
      passed += 61_000;
      const second = await createdBy();
      await expect(createdBy()).rejects.toThrow(/it is done/);
      expect(emulator.snapshot()[list]!.map(({ id }) => id)).toEqual([...before, second]);
      await deletedByHand(`/${list}/${second}`);
      passed += 61_000;
      expect(await createdBy()).not.toBe(second);
    });

    it.each<[string, object]>([
      ["somebody else says that it is gone", { kind: "html", status: 404, method: "GET" }],
      ["nobody says whether it is gone", { kind: "status", status: 503, method: "GET" }],
    ])("does not create it again where %s", async (_, fault) => {
      const approval = await approvalFor(resource);
      const first = await created(await brokerWith(permitsOf(approval)), type, create);
      await deletedByHand(`/${list}/${first.id}`);
      emulator.setFaults({ rules: [fault as never] });
      const broker = await brokerWith(permitsOf(approval));
      await expect(created(broker, type, create)).rejects.toThrow(/it is done/);
    });
  });

  it("permits nothing where everything was done, not even what it may repeat before", async () => {
    const approval = await approvalFor(policy("office"), key);
    const first = await brokerWith(permitsOf(approval));
    await created(first, "IpPolicy", { description: "office" });
    const { id } = await created(first, "ApiKey", { description: "ci" });
    log.add({ event: "end" });
    await deletedByHand(`/api_keys/${id}`);
    const next = await brokerWith(permitsOf(approval));
    await expect(created(next, "ApiKey", { description: "ci" })).rejects.toThrow(
      /all that was approved was done at 20.*, and an approval is for one deployment\. Review the change again/,
    );
  });

  it("a write without an answer in the log may be sent again", async () => {
    const approval = await approvalFor(policy("office"));
    const position = 0;
    permitsOf(approval);
    log.add({
      event: "sent",
      baseUrl: emulator.baseUrl,
      method: "POST",
      path: "/ip_policies",
      position,
    });
    await created(await brokerWith(permitsOf(approval)), "IpPolicy", { description: "office" });
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
  });
});
