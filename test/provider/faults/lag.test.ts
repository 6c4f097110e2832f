/** Services that do not show a new object everywhere at once: for a moment it is answered 404, and no list holds it. */
import type { FaultRule } from "../../../src/emulator";
import { AbsenceError } from "../../../src/provider/errors";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import type { Json } from "../../../src/schema/json";
import { emulatorForTests } from "../../support/emulators";
import { failureOf } from "../../support/failure";
import { plain } from "../../support/in-process/values";
import { connectNative } from "../../support/native-client";
import { hasty, Plugin, requestsTo } from "../../support/plugin";
import { recipient } from "../../support/sealed-box";
import { servers } from "../../support/servers";

const emulator = emulatorForTests();
const start = servers();

/** Another process of the provider, which has only the state. */
const another = (changes: Parameters<typeof Plugin.for>[1] = {}): Plugin => Plugin.for(emulator, changes);

const late = (rule: Partial<FaultRule>): FaultRule => ({
  kind: "status",
  status: 404,
  afterWork: false,
  ...rule,
});
const listKeys: Record<string, string> = {
  ip_policies: "ip_policies",
  api_keys: "keys",
  bot_users: "bot_users",
};
/** Answers 404 to requests for an object, and leaves it out of the lists. */
const hidden = (method: string, path: string, times?: number, before: readonly FaultRule[] = []): void => {
  const list = { ...late({ method: "GET", path: path.replace(/\/[^/]+$/, ""), exact: true }), status: 200 };
  const empty = { ...list, body: { [listKeys[path.split("/")[1]!]!]: [], next_page_uri: null } };
  const rule = late({ method, path, ...(times === undefined ? {} : { times }) });
  emulator.setFaults({ rules: [...before, ...(path.split("/").length === 3 ? [empty, rule] : [rule])] });
};

const classes: [string, string, Json][] = [
  ["IpPolicy", "/ip_policies", { description: "office" }],
  ["ApiKey", "/api_keys", { description: "ci" }],
  ["BotUser", "/bot_users", { name: "ci" }],
  ["RotatingApiKey", "/api_keys", { description: "ci", rotateAfterDays: 30, overlapDays: 3 }],
];

describe.each(classes)("a new %s", (type, path, args) => {
  test.each([0, 1])(
    "that a refresh does not find at first stays in the state, after %i lost answers",
    async (times) => {
      const { id, state } = await another().create(type, args);
      const lost: FaultRule = { kind: "dropAfter", method: "GET", path: `${path}/${id}`, times };
      hidden("GET", `${path}/${id}`, 4, times > 0 ? [lost] : []);
      expect((await another().read(type, id, state)).id).toBe(id);
    },
  );

  test("that no read finds in the time of the operation is an error, and stays in the state", async () => {
    const { id, state } = await another().create(type, args);
    hidden("GET", `${path}/${id}`);
    const failure = await failureOf<unknown>(another({ retryTimeout: 5 }).read(type, id, state));
    expect(failure).toBeInstanceOf(AbsenceError);
    expect((failure as Error).message).toMatch(
      /This does not prove that it was deleted, because it was created less than a minute ago, and the service may not show it everywhere yet; given up after \d attempts in \d seconds \(setting retryTimeout\)\. Run the command again in a minute$/,
    );
  });

  test("that no read finds in a minute was deleted", async () => {
    const { id, state } = await another().create(type, args);
    hidden("GET", `${path}/${id}`);
    const begun = hasty.elapsed();
    const plugin = another();
    expect((await plugin.read(type, id, state)).id).toBe("");
    expect(hasty.elapsed() - begun).toBeGreaterThan(30_000);
    expect(plugin.lines[0]).toMatch(/; retrying for up to (5\d|60) seconds$/);
  });

  test("that a destroy does not find at first is deleted, in the account too", async () => {
    const { id, state } = await another().create(type, args);
    hidden("DELETE", `${path}/${id}`, 3);
    await another().hooks(type).delete(id, state);
    expect(emulator.snapshot()[path.slice(1) as "ip_policies"]).toEqual([]);
  });

  test("that an update does not find at first is updated", async () => {
    const { id, state } = await another().create(type, args);
    hidden("PATCH", `${path}/${id}`, 3);
    const changed = type === "BotUser" ? { name: "cd" } : { ...args, description: "new" };
    expect(await another().update(type, id, state, changed)).toMatchObject(
      changed.name ? changed : { description: "new" },
    );
    expect(emulator.snapshot()[path.slice(1) as "ip_policies"]).toHaveLength(1);
  });
});

test.each(["2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z"])(
  "a policy that this process has just created may not be shown yet, though the service dates it %s",
  async (createdAt) => {
    const plugin = another();
    const { id, state } = await plugin.create("IpPolicy", {});
    const dated = { ...state, createdAt };
    hidden("GET", `/ip_policies/${id}`, 3);
    expect((await plugin.read("IpPolicy", id, dated)).id).toBe(id);
    hidden("GET", `/ip_policies/${id}`, 3);
    expect((await another().read("IpPolicy", id, dated)).id).toBe("");
  },
);

describe("an API key whose second request does not find it", () => {
  test("at first is completed: one key, with its token and the metadata of the program", async () => {
    emulator.setFaults({ rules: [late({ method: "PATCH", path: "/api_keys", times: 4 })] });
    const { id, state } = await another().create("ApiKey", { metadata: "mine" });
    expect(state).toMatchObject({ token: expect.any(String) as string, metadata: "mine" });
    expect(emulator.snapshot().api_keys).toMatchObject([{ id, metadata: "mine" }]);
  });

  test("at all is recorded with the time of its creation, so that a refresh keeps it", async () => {
    emulator.setFaults({ rules: [late({ method: "PATCH", path: "/api_keys" })] });
    const failure = await failureOf<unknown>(another({ retryTimeout: 5 }).create("ApiKey", {}));
    expect(failure).toBeInstanceOf(PartialFailure);
    const { id, properties } = failure as PartialFailure;
    hidden("GET", `/api_keys/${id}`, 3);
    expect((await another().read("ApiKey", id, plain(properties))).id).toBe(id);
  });

  test("after a lost answer leaves no other key", async () => {
    emulator.setFaults({
      rules: [
        { kind: "dropAfter", method: "POST", times: 1 },
        late({ method: "DELETE", path: "/api_keys", times: 2 }),
        late({ method: "PATCH", path: "/api_keys", times: 2 }),
      ],
    });
    const { id } = await another().create("ApiKey", {});
    expect(emulator.snapshot().api_keys).toMatchObject([{ id }]);
  });
});

describe("a key that was rotated as soon as it was made, as the previous key", () => {
  const type = "RotatingApiKey";
  const args = { description: "ci", rotateAfterDays: 30, overlapDays: 3, sealTo: recipient().publicKey };

  test("stays in the state where a refresh does not find it at first, and goes with the resource", async () => {
    const { id, state } = await another().create(type, args);
    const rotated = await another().update(type, id, state, { ...args, sealTo: recipient().publicKey });
    hidden("GET", `/api_keys/${id}`, 4);
    const found = await another().read(type, id, rotated);
    expect(found.state).toMatchObject({ previousKeyId: id });
    hidden("DELETE", `/api_keys/${id}`, 3);
    await another().hooks(type).delete(id, found.state);
    expect(emulator.snapshot().api_keys).toEqual([]);
  });
});

describe("a module, whose answers have no time of creation", () => {
  const edge = "edghts_1";
  const args = { edgeId: edge, routeId: "r1", provider: "SLACK", secret: "a-secret-of-slack" };
  beforeEach(() => emulator.seed({ https_edges: [{ id: edge, routes: [{ id: "r1" }] }] }));
  const path = `/edges/https/${edge}/routes/r1/webhook_verification`;
  const type = "HttpsEdgeRouteWebhookVerification";

  test("is not gone for the process that has created it", async () => {
    const plugin = another();
    const { id, state } = await plugin.create(type, args);
    emulator.setFaults({ rules: [late({ method: "GET", path, times: 3 })] });
    expect((await plugin.read(type, id, state)).id).toBe(id);
    emulator.setFaults({ rules: [late({ method: "PUT", path, times: 3 })] });
    const updated = await plugin.update(type, id, state, { ...args, enabled: false });
    expect(updated).toMatchObject({ enabled: false });
  });

  test("is not gone for another process either, also after an update and a refresh", async () => {
    const { id, state } = await another().create(type, args);
    const updated = await another().update(type, id, state, { ...args, enabled: false });
    emulator.setFaults({ rules: [late({ method: "GET", path, times: 3 })] });
    const found = await another().read(type, id, updated);
    expect([found.id, found.state]).toEqual([id, updated]);
    emulator.setFaults({ rules: [late({ method: "DELETE", path, times: 3 })] });
    await another().hooks(type).delete(id, plain(found.state));
    emulator.setFaults();
    const { __createdAt: _, ...earlier } = state;
    emulator.clearRequests();
    // The state of an earlier version does not say when it was.
    expect((await another().read(type, id, earlier)).id).toBe("");
    expect(requestsTo(emulator)).toHaveLength(2);
  });
});

describe("a rule set, whose rules are in the list alone", () => {
  const type = "IpPolicyRuleSet";
  const [kept, left] = ["10.0.0.0/24", "10.0.1.0/24"];
  const args = { ipPolicyId: "ipp_1", rules: { [kept]: "allow", [left]: "allow" } };
  const rest = { ...args, rules: { [kept]: "allow" } };
  const notListed = (times?: number): void => {
    const body = { ip_policy_rules: [], next_page_uri: null };
    const rule = late({ method: "GET", path: "/ip_policy_rules", exact: true, ...(times && { times }) });
    emulator.setFaults({ rules: [{ ...rule, status: 200, body }] });
  };
  const ranges = () => (emulator.snapshot().ip_policy_rules ?? []).map(({ cidr }) => cidr);
  beforeEach(() => emulator.seed({ ip_policies: [{ id: "ipp_1" }] }));

  test("keeps its rules in a refresh that does not find them at first", async () => {
    const { id, state } = await another().create(type, args);
    notListed(3);
    expect((await another().read(type, id, state)).state).toEqual(state);
  });

  test("removes what an update leaves out and the list does not show at first", async () => {
    const { id, state } = await another().create(type, args);
    notListed(3);
    await another().update(type, id, state, rest);
    expect(ranges()).toEqual([kept]);
  });

  test("removes the rules of its last update, also where it was created long before", async () => {
    const { id, state } = await another().create(type, rest);
    const old = { ...state, __createdAt: "2020-01-01T00:00:00Z" };
    const updated = await another().update(type, id, old, args);
    notListed(3);
    await another().hooks(type).delete(id, updated);
    expect(ranges()).toEqual([]);
  });

  test("removes the rules that a create made which failed in part", async () => {
    emulator.setFaults({ rules: [{ kind: "status", status: 422, method: "POST", times: 1 }] });
    const failure = await failureOf<unknown>(another().create(type, args));
    const { id, properties } = failure as PartialFailure;
    notListed(3);
    await another().hooks(type).delete(id, plain(properties));
    expect(ranges()).toEqual([]);
  });

  test("leaves its rules in the state, with an error, where no list shows them in the time of the operation", async () => {
    const { id, state } = await another().create(type, args);
    notListed();
    const failure = await failureOf<Error>(another({ retryTimeout: 5 }).read(type, id, state));
    expect(failure.message).toMatch(
      /^listing the IP policy rules of ipp_1 failed: the IP policy rule 10\.0\.0\.0\/24 is missing\. This does not prove .* Run the command again in a minute$/,
    );
  });

  test("waits for no rule that the same process has deleted as an object of its own", async () => {
    const { id, state } = await another().create(type, args);
    const { id: rule } = emulator.snapshot().ip_policy_rules!.find(({ cidr }) => cidr === left)!;
    const plugin = another();
    const own = { ipPolicyId: "ipp_1", cidr: left, action: "allow", __args: [] };
    await plugin.hooks("IpPolicyRule").delete(rule as string, own);
    const begun = hasty.elapsed();
    await plugin.hooks(type).delete(id, state);
    expect(ranges()).toEqual([]);
    expect(hasty.elapsed() - begun).toBe(0);
  });

  test("has lost a rule that no list shows in a minute, and at once where it may have ended", async () => {
    const until = new Date(hasty.now() + 60_000).toISOString();
    const { id, state } = await another().create(type, {
      ...args,
      rules: { ...rest.rules, [left]: { action: "allow", until } },
    });
    const lost = async (range: string): Promise<number> => {
      const { id: rule } = emulator.snapshot().ip_policy_rules!.find(({ cidr }) => cidr === range)!;
      await fetch(`${emulator.baseUrl}/ip_policy_rules/${rule as string}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${emulator.apiKey}`, "service-version": "2" },
      });
      const begun = hasty.elapsed();
      const found = await another().read(type, id, state);
      expect(Object.keys(found.state.rules as Json)).not.toContain(range);
      return hasty.elapsed() - begun;
    };
    expect(await lost(left)).toBeLessThan(1_000);
    expect(await lost(kept)).toBeGreaterThan(30_000);
  });
});

describe("a list that does not show the last update yet", () => {
  const list = async (): Promise<Json> => {
    const headers = { authorization: `Bearer ${emulator.apiKey}`, "service-version": "2" };
    return (await (await fetch(`${emulator.baseUrl}/ip_policy_rules`, { headers })).json()) as Json;
  };
  const shows = (body: Json): void => {
    const rule = late({ method: "GET", path: "/ip_policy_rules", exact: true });
    emulator.setFaults({ rules: [{ ...rule, status: 200, body }] });
    emulator.clearRequests();
  };
  const ranges = (count: number): string[] => Array.from({ length: count }, (_, i) => `10.0.${i}.0/24`);
  beforeEach(() => emulator.seed({ ip_policies: [{ id: "ipp_1" }] }));

  test.each([5, 60])(
    "shows no drift of %i rules: each that differs is read by itself, of many the first",
    async (count) => {
      const plugin = another();
      const made = await Promise.all(
        ranges(count).map((cidr) =>
          plugin.create("IpPolicyRule", { ipPolicyId: "ipp_1", cidr, action: "allow" }),
        ),
      );
      const before = await list();
      const update = ({ id, state }: (typeof made)[number]): Promise<Json> =>
        plugin.update("IpPolicyRule", id, state, { ...state, description: "new" });
      const states = await Promise.all(made.map(update));
      shows(before);
      const reader = another();
      const found = await Promise.all(made.map(({ id }, i) => reader.read("IpPolicyRule", id, states[i]!)));
      expect(found.filter(({ inputs }) => inputs !== undefined)).toHaveLength(Math.max(0, count - 23));
    },
  );

  test("shows no drift of a rule set, whatever was added, changed and removed", async () => {
    const type = "IpPolicyRuleSet";
    const set = (rules: Json): Json => ({ ipPolicyId: "ipp_1", rules });
    const [kept, changed, left] = ranges(3) as [string, string, string];
    const { id, state } = await another().create(
      type,
      set({ [kept]: "allow", [changed]: "allow", [left]: "allow" }),
    );
    const before = await list();
    const given = set({ [kept]: "allow", [changed]: "deny" });
    const updated = await another().update(type, id, state, given);
    shows({
      ...before,
      ip_policy_rules: [...((await list()).ip_policy_rules as []), ...(before.ip_policy_rules as [])],
    });
    const found = await another().read(type, id, updated);
    expect([found.inputs, found.state.rules]).toEqual([undefined, updated.rules]);
    expect(requestsTo(emulator)).toHaveLength(3);
    emulator.clearRequests();
    await another().read(type, id, {});
    expect(requestsTo(emulator)).toHaveLength(1);
  });
});

describe("what costs as little as before", () => {
  test("an object that was created more than a minute ago is gone at once", async () => {
    const createdAt = new Date(Date.now() - 61_000).toISOString();
    const plugin = another();
    expect((await plugin.read("IpPolicy", "ipp_1", { __args: [], createdAt })).id).toBe("");
    expect(requestsTo(emulator)).toEqual(["GET /ip_policies/ipp_1", "GET /ip_policies?limit=100"]);
    expect(plugin.lines).toEqual([]);
  });

  test.each<[string, FaultRule[]]>([
    ["the next one", []],
    ["one behind a proxy's own 404", [{ kind: "html", status: 404, method: "DELETE", times: 1 }]],
  ])("a deletion whose answer was lost has happened where %s finds nothing", async (_, rules) => {
    const { id, state } = await another().create("IpPolicy", {});
    emulator.clearRequests();
    emulator.setFaults({ rules: [{ kind: "dropAfter", method: "DELETE", times: 1 }, ...rules] });
    await another().hooks("IpPolicy").delete(id, state);
    expect(requestsTo(emulator)).toEqual([
      ...Array.from({ length: 2 + rules.length }, () => `DELETE /ip_policies/${id}`),
      "GET /ip_policies?limit=100",
    ]);
  });

  test("a deletion of this process is known at once", async () => {
    const plugin = another();
    const { id } = await plugin.create("IpPolicy", {});
    await plugin.hooks("IpPolicy").delete(id);
    emulator.clearRequests();
    expect((await plugin.read("IpPolicy", id, { __args: [] })).id).toBe("");
    expect(requestsTo(emulator)).toEqual([`GET /ip_policies/${id}`, "GET /ip_policies?limit=100"]);
  });

  test("a wrong base URL is an error at once", async () => {
    const { id, state } = await another().create("IpPolicy", {});
    const plugin = another({ baseUrl: `${emulator.baseUrl}/v9` });
    await expect(plugin.read("IpPolicy", id, state)).rejects.toThrow("does not prove that it was deleted");
    expect(plugin.lines).toEqual([]);
  });

  test.each<[string, number | undefined, number, boolean]>([
    ["ten seconds, by a clock that is a day behind", -86_400, 10, true],
    ["an hour, by a clock that is a day behind", -86_400, 3600, false],
    ["ten seconds, by a clock that is a day ahead", 86_400, 10, true],
    ["ten seconds, where no answer shows a clock", undefined, 10, true],
    ["an hour, where no answer shows a clock", undefined, 3600, false],
    ["a second in the future, as a Date has no fractions of seconds", 0, -1, true],
    ["a day in the future", 0, -86_400, false],
    ["a day in the future, where no answer shows a clock", undefined, -86_400, false],
  ])("the age is that of the service: %s", async (_, ahead, age, isNew) => {
    const service = hasty.now() + (ahead ?? 0) * 1000;
    let reads = 0;
    const { baseUrl } = await start(({ url }, response) => {
      response.sendDate = false;
      const date = ahead === undefined ? {} : { date: new Date(service).toUTCString() };
      const isRead = url === "/ip_policies/ipp_1";
      if (isRead) reads += 1;
      response.writeHead(isRead ? 404 : 200, { "content-type": "application/json", ...date });
      response.end(isRead ? '{"msg":"not found"}' : '{"ip_policies":[],"next_page_uri":null}');
    });
    const createdAt = new Date(service - age * 1000).toISOString();
    const plugin = new Plugin({ baseUrl });
    expect((await plugin.read("IpPolicy", "ipp_1", { __args: [], createdAt })).id).toBe("");
    expect(reads > 1).toBe(isNew);
  });
});

test("a part of a new object waits until the service shows that object", async () => {
  const plugin = another();
  const { id } = await plugin.create("EventSubscription", { description: "d" });
  emulator.setFaults({ rules: [late({ method: "POST", path: `/event_subscriptions/${id}`, times: 2 })] });
  const source = { subscriptionId: id, type: "ip_policy_created.v0" };
  expect((await plugin.create("EventSource", source)).id).toBe(`${id}/${source.type}`);
});

test("the native provider waits too: for a refresh, and for a function after a creation", async () => {
  const native = await connectNative();
  try {
    await native.configure({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl });
    const made = await native.create("IpPolicy", { description: "office" });
    emulator.setFaults({ rules: [late({ method: "GET", path: `/ip_policies/${made.id}`, times: 1 })] });
    expect((await native.read("IpPolicy", made.id, made.outputs, made.inputs)).id).toBe(made.id);
    emulator.setFaults({ rules: [late({ method: "GET", path: `/ip_policies/${made.id}`, times: 1 })] });
    const found = await native.invoke("tunnel-gateway:index:getIpPolicy", { id: made.id });
    expect(found).toMatchObject({ id: made.id });
  } finally {
    native.close();
  }
});
