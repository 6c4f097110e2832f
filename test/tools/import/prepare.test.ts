import { clientWith } from "../../../src/account/account-client";
import type { AccountClient } from "../../../src/account/account-client";
import type { Emulator } from "../../../src/emulator";
import { withoutHidden } from "../../../src/schema/recorded-state";
import { plaintextOf } from "../../../src/tools/stack/engine-secrets";
import { prepare } from "../../../src/tools/import/prepare";
import type { Prepared } from "../../../src/tools/import/prepare";
import type { ExistingStatement } from "../../../src/tools/import/program/existing-program";
import { readSettings } from "../../../src/provider/settings/read-settings";
import { declarationOf } from "../../../src/resources/registry";
import { Inventory } from "../../../src/tools/inventory/inventory";
import type { InventoryObject } from "../../../src/tools/inventory/inventory";
import type { StackContents } from "../../../src/tools/inventory/stack";
import { harness } from "../../provider/account/support";

const start = harness();
let emulator: Emulator;
let progress: string[];

beforeEach(async () => {
  ({ emulator } = await start());
  progress = [];
});

async function send(method: string, path: string, body?: object): Promise<void> {
  const headers = {
    Authorization: `Bearer ${emulator.apiKey}`,
    "Service-Version": "2",
    "Content-Type": "application/json",
  };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(emulator.baseUrl + path, init);
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

/** The account's client. `meanwhile` is done before the list of a path is read. */
function client([path, meanwhile]: Meanwhile): AccountClient {
  const source = { get: () => undefined };
  const environment = {
    TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
    TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
  };
  const plain = clientWith(readSettings(source, environment), () => undefined);
  let isDone = false;
  return {
    ...plain,
    async *pages(list) {
      if (list.path === path && !isDone) {
        isDone = true;
        await meanwhile();
      }
      yield* plain.pages(list);
    },
  };
}

type Meanwhile = readonly [path: string, work: () => Promise<void>];

interface Given {
  meanwhile?: Meanwhile;
  managed?: InventoryObject[];
  existing?: ExistingStatement[];
  only?: string[];
  exclude?: string[];
  filter?: string[];
  httpsRoutes?: string[];
  provider?: Parameters<typeof prepare>[0]["provider"];
}

function prepared(given: Given = {}): Promise<Prepared> {
  const { meanwhile, managed, existing = [], only, exclude, filter, httpsRoutes, provider } = given;
  const stack: StackContents = {
    project: "shop",
    stack: "dev",
    managed: managed ?? [],
    inventory: new Inventory([]),
    urns: new Set(),
    pending: [],
    states: [],
    providers: new Map(),
  };
  return prepare({
    client: client(meanwhile ?? ["", () => Promise.resolve()]),
    only,
    exclude,
    filter,
    modules: { httpsRoutes },
    provider,
    stack: managed ? stack : undefined,
    existing,
    protect: true,
    report: (line) => progress.push(line),
    now: Date.now(),
  });
}

const managed = (
  id: string,
  name: string,
  { type = "IpPolicy", ...more }: Managed = {},
): InventoryObject => ({
  urn: `urn:${name}`,
  declaration: declarationOf(type),
  name,
  id,
  args: {},
  values: {},
  ...more,
});

interface Managed extends Partial<InventoryObject> {
  readonly type?: string;
}

const ids = ({ plan }: Prepared): string[] => plan.resources.map(({ id }) => id);
const argumentsOf = ({ file }: Prepared, id: string): unknown =>
  plaintextOf(withoutHidden(file.resources.find((each) => each.id === id)!.inputs));

it("writes the id of an object that is deleted before its list is read where others refer to it", async () => {
  await emulator.seed({
    ip_policies: [{ id: "ipp_stays" }, { id: "ipp_goes", description: "goes" }],
    "edges/tcp": [
      {
        id: "edgtcp_1",
        hostports: ["1.tcp.example.com:12345"],
        ip_restriction: { ip_policy_ids: ["ipp_goes", "ipp_stays"] },
      },
    ],
  });
  const result = await prepared({
    meanwhile: ["/ip_policies", () => send("DELETE", "/ip_policies/ipp_goes")],
  });
  expect(ids(result).sort()).toEqual(["edgtcp_1", "ipp_stays"]);
  const { text } = result.statements.find(({ id }) => id === "edgtcp_1")!;
  expect(text).toContain('"ipp_goes"');
  expect(text).not.toContain('"ipp_stays"');
  expect(argumentsOf(result, "edgtcp_1")).toMatchObject({
    ipRestriction: { ipPolicyIds: ["ipp_goes", "ipp_stays"] },
  });
});

it("reads every list once, and those of its resources once more for the check", async () => {
  await emulator.seed({
    ip_policies: Array.from({ length: 150 }, (_, i) => ({ id: `ipp_${i}` })),
    ip_policy_rules: Array.from({ length: 250 }, (_, i) => ({
      id: `ipr_${i}`,
      ip_policy_id: `ipp_${i % 150}`,
      cidr: `10.0.${i}.0/24`,
      action: "allow",
    })),
  });
  emulator.clearRequests();
  const requests = (): Map<string, number> => {
    const paths = Map.groupBy(emulator.requests, ({ path }) => path);
    return new Map([...paths].map(([path, { length }]) => [path, length]));
  };
  const result = await prepared();
  expect(result.plan.resources).toHaveLength(300); // of 100 policies the two rules are a set
  const read = requests();
  expect([read.get("/ip_policies"), read.get("/ip_policy_rules")]).toEqual([2, 3]);
  const others = [...read].filter(([path]) => !path.startsWith("/ip_polic"));
  expect(others.length).toBeGreaterThan(10);
  expect(others.filter(([, count]) => count !== 1)).toEqual([]);
  emulator.clearRequests();
  expect(await result.check()).toEqual({ deleted: [], changed: [] });
  expect(requests()).toEqual(
    new Map([
      ["/ip_policies", 2],
      ["/ip_policy_rules", 3],
    ]),
  );
});

it("finds resources of the stack without an object, among the chosen classes of this account", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_1" }, { id: "ipp_2" }] });
  const all = [
    managed("ipp_1", "there"),
    managed("ipp_gone", "gone"),
    managed("ipp_other", "other", { provider: "urn:partner" }),
    managed("edge/route", "module", { type: "HttpsEdgeRouteOidc" }),
    managed("bot_1", "robot", { type: "BotUser" }),
  ];
  const result = await prepared({ managed: all, only: ["IpPolicy", "HttpsEdgeRouteOidc"] });
  expect(result.gone.map(({ name }) => name)).toEqual(["gone"]);
  expect(ids(result)).toEqual(["ipp_2"]);
  expect(result.managed).toBe(1);
});

describe("rules of a policy that a rule set of the stack manages", () => {
  const rule = (id: string, cidr: string) => ({ id, ip_policy_id: "ipp_1", cidr, action: "allow" });
  const rules = { "203.0.113.0/24": "allow", "198.51.100.0/24": "allow" };
  const stack = [
    managed("ipp_1", "office"),
    managed("ipp_1", "office", { type: "IpPolicyRuleSet", values: { ipPolicyId: "ipp_1", rules } }),
  ];
  beforeEach(() =>
    emulator.seed({
      ip_policies: [{ id: "ipp_1" }],
      ip_policy_rules: [rule("ipr_1", "203.0.113.0/24"), rule("ipr_2", "198.51.100.0/24")],
    }),
  );

  it("count once, as the set", async () => {
    const result = await prepared({ managed: stack });
    expect([result.managed, ids(result), result.plan.notes]).toEqual([2, [], []]);
    expect((await prepared({ managed: stack, only: ["IpPolicyRuleSet"] })).managed).toBe(1);
  });

  it("are left out with the reason if somebody else has created them", async () => {
    await emulator.seed({ ip_policy_rules: [rule("ipr_hand", "0.0.0.0/0")] });
    const result = await prepared({ managed: stack });
    expect([result.managed, ids(result), result.plan.notes]).toEqual([
      2,
      [],
      [
        {
          type: "IpPolicyRule",
          id: "ipr_hand",
          reason:
            '0.0.0.0/0 allow is drift of IpPolicyRuleSet "office": pulumi refresh records it, and the next up ' +
            "deletes it unless the program contains it",
        },
      ],
    ]);
  });
});

it("reads the list of subscriptions once where their sources become resources, now or in the stack", async () => {
  const target = { monitoring: { api_key: "hidden", ddtags: "a:b", service: "s", ddsite: "x" } };
  await emulator.seed({
    event_destinations: [{ id: "ed_1", format: "json", target }],
    event_subscriptions: [
      { id: "esb_1", sources: [{ type: "ip_policy_created.v0" }], destination_ids: ["ed_1"] },
    ],
  });
  emulator.clearRequests();
  const result = await prepared({ only: ["EventSource", "EventSubscription"] });
  expect(ids(result).sort()).toEqual(["esb_1", "esb_1/ip_policy_created.v0"]);
  // The list of sources refuses the limit that the first request has.
  const paths = emulator.requests.filter(({ status }) => status === 200).map(({ path }) => path);
  expect(paths.sort()).toEqual(["/event_subscriptions", "/event_subscriptions/esb_1/sources"]);
  const source = managed("esb_1/ip_policy_created.v0", "created", { type: "EventSource" });
  expect(argumentsOf(await prepared(), "esb_1")).toHaveProperty("sources");
  expect(argumentsOf(await prepared({ managed: [source] }), "esb_1")).not.toHaveProperty("sources");
});

describe("the check", () => {
  const changes = async (result: Prepared): Promise<[deleted: string[], changed: string[]]> => {
    const { deleted, changed } = await result.check();
    return [deleted.map(({ id }) => id), changed.map(({ id }) => id)];
  };

  beforeEach(() =>
    emulator.seed({
      ip_policies: [{ id: "ipp_1" }, { id: "ipp_2" }],
      ip_policy_rules: [{ id: "ipr_2", ip_policy_id: "ipp_2", cidr: "10.0.0.0/8", action: "allow" }],
      "backends/tunnel_group": [
        { id: "bkdtg_1", labels: { a: "1" } },
        { id: "bkdtg_2", labels: { a: "2" } },
      ],
      "backends/weighted": [{ id: "bkdwd_1", backends: { bkdtg_1: 90, bkdtg_2: 10 } }],
      tls_edges: [
        { id: "edgtls_1", ip_restriction: { ip_policy_ids: ["ipp_1"] } },
        { id: "edgtls_2", ip_restriction: { ip_policy_ids: ["ipp_1"] } },
      ],
      endpoints: ["edgtls_1", "edgtls_2"].map((id) => ({
        type: "edge",
        proto: "tls",
        url: `tls://${id}.example.com`,
        edge: { id, uri: `https://api.example.com/edges/tls/${id}` },
      })),
    }),
  );

  it("finds nothing in an account that is as it was", async () => {
    expect(await changes(await prepared())).toEqual([[], []]);
  });

  it("finds what was deleted while the account was read", async () => {
    const result = await prepared({
      meanwhile: [
        "/backends/weighted",
        async () => {
          await send("PATCH", "/backends/weighted/bkdwd_1", { backends: { bkdtg_1: 100 } });
          await send("DELETE", "/backends/tunnel_group/bkdtg_2");
        },
      ],
    });
    expect(ids(result)).toContain("bkdtg_2");
    expect(await changes(result)).toEqual([["bkdtg_2"], []]);
  });

  it("finds what was deleted after that, with what the service deleted beside it", async () => {
    const result = await prepared();
    await send("DELETE", "/edges/tls/edgtls_1/ip_restriction");
    await send("DELETE", "/ip_policies/ipp_2");
    expect(await changes(result)).toEqual([["ipp_2", "ipr_2", "edgtls_1"], []]);
  });

  it("finds what is not as the program has it any more", async () => {
    const result = await prepared();
    await send("PATCH", "/backends/weighted/bkdwd_1", { backends: { bkdtg_1: 100 } });
    await send("PUT", "/edges/tls/edgtls_2/ip_restriction", { ip_policy_ids: ["ipp_2"] });
    await send("PATCH", "/ip_policies/ipp_2", { description: "" });
    expect(await changes(result)).toEqual([[], ["bkdwd_1", "edgtls_2"]]);
  });
});

it("reuses the names of an interrupted run, unless the stack uses them by now", async () => {
  await emulator.seed({
    ip_policies: ["ipp_1", "ipp_2", "ipp_3", "ipp_4"].map((id) => ({ id, description: "office" })),
  });
  const block = (id: string, name: string, variable: string, isManaged = false): ExistingStatement => ({
    id,
    type: "IpPolicy",
    name,
    variable,
    text: "",
    isManaged,
  });
  const existing = [
    block("ipp_1", "office-ipp1", "officeIpp1", true),
    block("ipp_2", "office-ipp2", "officeIpp2"),
    block("ipp_3", "lab", "lab"),
  ];
  const result = await prepared({
    managed: [managed("ipp_0", "lab"), managed("ipp_1", "office-ipp1")],
    existing,
  });
  const names = result.plan.resources.map(({ id, name, variable }) => `${id} ${name} ${variable}`);
  expect(names).toEqual([
    "ipp_2 office-ipp2 officeIpp2",
    "ipp_3 office-ipp3 officeIpp3",
    "ipp_4 office-ipp4 officeIpp4",
  ]);
});

it("leaves the variable of an explicit provider to the provider", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_1", description: "partner" }] });
  const provider = {
    variable: "partner",
    urn: "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::partner",
  };
  const { plan } = await prepared({ provider });
  expect(plan.resources.map(({ name, variable }) => `${name} ${variable}`)).toEqual([
    "partner partnerIpPolicy",
  ]);
});

it("reports what it reads, and that it checks", async () => {
  await emulator.seed({ ip_policies: [{ id: "ipp_1" }], tls_edges: [{ id: "edgtls_1" }] });
  await (await prepared({ only: ["IpPolicy"] })).check();
  expect(progress).toEqual(["Reading: IpPolicy: 1", "Checking: IpPolicy: 1"]);
});

describe("edges that the API does not list", () => {
  const served = (proto: string, id: string) => ({
    type: "edge",
    proto,
    url: `${proto}://${id}.example.com`,
    edge: { id, uri: `https://api.example.com/edges/${proto}/${id}` },
  });

  beforeEach(() =>
    emulator.seed({
      ip_policies: [{ id: "ipp_1" }],
      https_edges: [{ id: "edghts_1" }],
      tls_edges: [
        { id: "edgtls_1", ip_restriction: { ip_policy_ids: ["ipp_1"] } },
        { id: "edgtls_without_module" },
        { id: "edgtls_off", ip_restriction: { enabled: false } },
        { id: "edgtls_without_endpoint", ip_restriction: { ip_policy_ids: ["ipp_1"] } },
      ],
      endpoints: [
        served("tls", "edgtls_1"),
        served("tls", "edgtls_without_module"),
        served("tls", "edgtls_off"),
        served("https", "edghts_1"),
        { type: "ephemeral", proto: "tls", url: "tls://agent.example.com" },
      ],
    }),
  );

  it("are found by the endpoints that they serve, whether or not endpoints are imported", async () => {
    expect(ids(await prepared()).sort()).toEqual(["edgtls_1", "ipp_1"]);
    expect(ids(await prepared({ only: ["TlsEdgeIpRestriction"] }))).toEqual(["edgtls_1"]);
  });

  it("are not looked for where no module is imported", async () => {
    emulator.requests.length = 0;
    await prepared({ only: ["IpPolicy"] });
    expect(emulator.requests.map(({ path }) => path)).not.toContain("/endpoints");
  });

  it("are named where only their routes can be imported, and the user named none", async () => {
    expect((await prepared()).unreadEdges).toEqual(["edghts_1"]);
    expect((await prepared({ only: ["IpPolicy"] })).unreadEdges).toEqual([]);
    expect((await prepared({ httpsRoutes: ["edghts_1/route"] })).unreadEdges).toEqual([]);
    expect((await prepared({ httpsRoutes: ["edghts_10/route"] })).unreadEdges).toEqual(["edghts_1"]);
  });
});

describe("the rules of a policy", () => {
  const seedRules = (count: number): Promise<unknown> =>
    emulator.seed({
      ip_policies: [{ id: "ipp_1", description: "office" }],
      ip_policy_rules: Array.from({ length: count }, (_, i) => ({
        id: `ipr_${i}`,
        ip_policy_id: "ipp_1",
        cidr: `10.0.${i}.0/24`,
        action: i === 0 ? "deny" : "allow",
        ...(i === 1 ? { description: "lab" } : {}),
      })),
    });
  const types = ({ plan }: Prepared): string[] => plan.resources.map(({ declaration }) => declaration.type);
  const set = (entries?: readonly string[]): InventoryObject => {
    const rules = Object.fromEntries((entries ?? []).map((range) => [range, "allow"]));
    return managed("ipp_1", "rules", {
      type: "IpPolicyRuleSet",
      values: entries ? { exclusive: false, rules } : {},
    });
  };

  it("become one set where there are several", async () => {
    await seedRules(21);
    const result = await prepared();
    expect(types(result)).toEqual(["IpPolicy", "IpPolicyRuleSet"]);
    expect(await result.check()).toEqual({ deleted: [], changed: [] });
    const entry = result.file.resources.find(({ type }) => type.endsWith(":IpPolicyRuleSet"))!;
    const { rules, ipPolicyId } = plaintextOf(withoutHidden(entry.inputs)) as {
      rules: object;
      ipPolicyId: string;
    };
    expect(ipPolicyId).toBe("ipp_1");
    expect(Object.keys(rules)).toEqual(Array.from({ length: 21 }, (_, i) => `10.0.${i}.0/24`));
    expect(rules).toMatchObject({
      "10.0.0.0/24": "deny",
      "10.0.1.0/24": { action: "allow", description: "lab" },
      "10.0.2.0/24": "allow",
    });
    expect(result.statements.find(({ type }) => type === "IpPolicyRuleSet")?.text).toContain(
      '"10.0.2.0/24": "allow"',
    );
  });

  it("become a resource each where there is one, or where the filters choose rules and not the set", async () => {
    await seedRules(1);
    expect(types(await prepared())).toEqual(["IpPolicy", "IpPolicyRule"]);
    await emulator.reset();
    await seedRules(3);
    expect(types(await prepared({ filter: ["description=lab"] }))).toEqual(["IpPolicyRule"]);
    expect(types(await prepared({ filter: ["ipPolicyId=ipp_1"] }))).toEqual(["IpPolicyRuleSet"]);
  });

  it("become a resource each where only their class is chosen", async () => {
    await seedRules(30);
    expect(new Set(types(await prepared({ only: ["IpPolicyRule"] })))).toEqual(new Set(["IpPolicyRule"]));
  });

  it("become only a set where only its class is chosen", async () => {
    await seedRules(30);
    expect(types(await prepared({ only: ["IpPolicyRuleSet"] }))).toEqual(["IpPolicyRuleSet"]);
  });

  it("stay single where the stack manages one of them", async () => {
    await seedRules(30);
    const result = await prepared({ managed: [managed("ipr_3", "three", { type: "IpPolicyRule" })] });
    expect(types(result).filter((type) => type === "IpPolicyRule")).toHaveLength(29);
    expect(types(result)).not.toContain("IpPolicyRuleSet");
    const names = result.plan.resources.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["office", "lab", "office-10-0-2-0-24"]));
  });

  it("are left out where the stack has an exclusive set of the policy that has none of them", async () => {
    await seedRules(30);
    const result = await prepared({ managed: [managed("ipp_1", "policy"), set()] });
    expect(types(result)).toEqual([]);
    expect(result.managed).toBe(1);
    expect(result.plan.notes).toHaveLength(30);
  });

  it("are managed by a set that is not exclusive only where they are its entries", async () => {
    await seedRules(3);
    const result = await prepared({
      managed: [managed("ipp_1", "policy"), set(["10.0.1.0/24", "10.0.2.0/24"])],
    });
    expect(ids(result)).toEqual(["ipr_0"]);
  });
});

describe("objects of a Kubernetes operator", () => {
  const operators = JSON.stringify({ "owned-by": "operator" });
  const exclude = ["metadata.owned-by=operator"];
  const rules = (count: number, each: (i: number) => object = () => ({})): object[] =>
    Array.from({ length: count }, (_, i) => ({
      ...{ id: `ipr_${i}`, ip_policy_id: "ipp_1", cidr: `10.0.${i}.0/24`, action: "allow" },
      ...each(i),
    }));

  it("are left out, each counted under its class, with what is in them", async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_1", metadata: operators }, { id: "ipp_mine" }],
      ip_policy_rules: rules(3),
      api_keys: [{ id: "ak_1", metadata: operators }, { id: "ak_2" }],
      event_subscriptions: [
        { id: "esb_1", metadata: operators, sources: [{ type: "a.v0" }] },
        { id: "esb_2", sources: [{ type: "a.v0" }] },
      ],
    });
    const result = await prepared({ exclude });
    expect(ids(result).sort()).toEqual(["ak_2", "esb_2", "ipp_mine"]);
    expect(result.excluded).toEqual({ ApiKey: 1, EventSubscription: 1, IpPolicy: 1, IpPolicyRule: 3 });
    expect(result.plan.notes).toEqual([]);
    const sources = await prepared({ exclude, only: ["EventSource"] });
    expect(ids(sources)).toEqual(["esb_2/a.v0"]);
    expect(sources.excluded).toEqual({ EventSource: 1 });
    const single = await prepared({ exclude, only: ["IpPolicyRule"] });
    expect(ids(single)).toEqual([]);
    expect(single.excluded).toEqual({ IpPolicyRule: 3 });
  });

  it("keep the other rules of their policy out of a set, which would delete theirs", async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_1" }],
      ip_policy_rules: rules(30, (i) => (i === 7 ? { metadata: operators } : {})),
    });
    const result = await prepared({ exclude });
    expect(ids(result)).toHaveLength(30);
    expect(ids(result)).not.toContain("ipr_7");
    expect(result.plan.resources.map(({ declaration }) => declaration.type)).not.toContain("IpPolicyRuleSet");
    expect(result.excluded).toEqual({ IpPolicyRule: 1 });
  });

  it("are referred to by their ids", async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_1", metadata: operators }],
      "edges/tcp": [
        {
          id: "edgtcp_1",
          hostports: ["1.tcp.example.com:12345"],
          ip_restriction: { ip_policy_ids: ["ipp_1"] },
        },
      ],
    });
    const result = await prepared({ exclude });
    expect(ids(result)).toEqual(["edgtcp_1"]);
    expect(result.statements[0]!.text).toContain('"ipp_1"');
  });

  it("are still resources of the stack, and drift of its exclusive sets is still named", async () => {
    await emulator.seed({
      ip_policies: [{ id: "ipp_1", metadata: operators }],
      ip_policy_rules: rules(1, () => ({ metadata: operators })),
    });
    const set = managed("ipp_1", "set", { type: "IpPolicyRuleSet", values: { rules: {}, exclusive: true } });
    const result = await prepared({ exclude, managed: [managed("ipp_1", "policy"), set] });
    expect(result.excluded).toEqual({});
    expect(result.managed).toBe(1);
    expect(result.plan.notes.map(({ id }) => id)).toEqual(["ipr_0"]);
  });

  it("are left out of the notes on what no class manages too", async () => {
    await emulator.seed({
      endpoints: [{ id: "ep_1", type: "agent", url: "https://a.example.com", metadata: operators }],
    });
    expect((await prepared()).plan.notes.map(({ id }) => id)).toEqual(["ep_1"]);
    const result = await prepared({ exclude });
    expect(result.plan.notes).toEqual([]);
    expect(result.excluded).toEqual({ Endpoint: 1 });
  });
});

it("names in a comment what it leaves to the service", async () => {
  await emulator.seed({ api_keys: [{ id: "ak_1", description: "ci" }] });
  const { statements } = await prepared({ only: ["ApiKey"] });
  expect(statements.find(({ id }) => id === "ak_1")!.text).toMatch(
    /^ *\/\/ Left to the service: ownerId: "usr_\w+"$/m,
  );
});
