/** Which object of the account is that of which planned resource. */
import { accountObject } from "../../../../src/tools/inventory/account-contents";
import type { AccountObject } from "../../../../src/tools/inventory/account-contents";
import { adopted } from "../../../../src/tools/import/adopt/adopt-file";
import { pairUp } from "../../../../src/tools/import/adopt/pairing";
import { programIn } from "../../../../src/tools/import/adopt/planned";
import { declarationOf } from "../../../../src/resources/registry";
import type { Settings } from "../../../../src/provider/settings/settings";
import { unknown } from "../../../../src/schema/unknown";
import { recorded } from "../../../support/recorded";
import { makeCertificate } from "../../../support/x509";

const settings = { patchUndocumented: false, stampMetadata: false } as Settings;
const urn = (type: string, name: string): string =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/tunnel-gateway:${type}::${name}`;

interface Planned {
  readonly type: string;
  readonly name: string;
  readonly args?: object;
  /** The class and the names of the resources that each argument comes from. */
  readonly from?: Readonly<Record<string, readonly [string, ...string[]]>>;
}

/** A preview that creates the resources. */
function planned(resources: readonly Planned[]) {
  const text = JSON.stringify(
    recorded({
      steps: resources.map(({ type, name, args = {}, from = {} }) => {
        const sources = Object.entries(from).map(([argument, [ofType, ...ofNames]]) => [
          argument,
          ofNames.map((ofName) => urn(ofType, ofName)),
        ]);
        const unknownArgs = Object.fromEntries(Object.keys(from).map((argument) => [argument, unknown]));
        return {
          op: "create",
          urn: urn(type, name),
          newState: {
            inputs: { ...unknownArgs, ...args },
            propertyDependencies: Object.fromEntries(sources) as object,
          },
        };
      }),
    }),
  );
  return programIn(text, new Map()).creates;
}

const object = (type: string, id: string, answer: object): AccountObject =>
  accountObject(declarationOf(type), id, { id, created_at: "2026-01-01T00:00:00Z", ...answer });

/** The outcome of each create in words. */
async function outcomes(
  resources: readonly Planned[],
  objects: readonly AccountObject[],
  read: Readonly<Record<string, object>> = {},
): Promise<string[]> {
  const account = {
    settings,
    read: (_: unknown, id: string) => Promise.resolve(read[id] as Record<string, unknown> | undefined),
  } as never;
  const found = await pairUp(planned(resources), objects, account, { project: "shop", stack: "dev" });
  return found.map((each) => {
    const { create, kind } = each;
    if (kind === "ambiguous") return `${create.name} ambiguous ${each.objects.map(({ id }) => id).join(" ")}`;
    if (kind !== "pair") return `${create.name} ${kind}`;
    const paths = adopted(each, settings).changes.map(({ path }) => path);
    return [create.name, each.object.id, each.by, ...paths].join(" ");
  });
}

const policy = (name: string, args: object = {}): Planned => ({ type: "IpPolicy", name, args });
const rule = (name: string, of: string, cidr: string, action = "allow"): Planned => ({
  ...{ type: "IpPolicyRule", name, args: { cidr, action } },
  from: { ipPolicyId: ["IpPolicy", of] },
});
const ruleObject = (id: string, ipp: string, cidr: string, action = "allow"): AccountObject =>
  object("IpPolicyRule", id, { cidr, action, ip_policy: { id: ipp, uri: "u" } });

it("takes over no key for an owner that does not exist yet, which would replace the key", async () => {
  const plan: Planned[] = [
    { type: "BotUser", name: "pipeline", args: { name: "pipeline" } },
    {
      ...{ type: "ApiKey", name: "ci", args: { description: "ci" } },
      from: { ownerId: ["BotUser", "pipeline"] },
    },
  ];
  const key = object("ApiKey", "ak_1", { description: "ci", owner_id: "usr_1" });
  const bot = object("BotUser", "bot_1", { name: "pipeline", active: true });
  const ofBot = object("ApiKey", "ak_2", { description: "ci", owner_id: "bot_1" });
  expect(await outcomes(plan, [key])).toEqual(["pipeline new", "ci new"]);
  expect(await outcomes(plan, [bot, key, ofBot])).toEqual([
    expect.stringContaining("pipeline bot_1"),
    expect.stringContaining("ci ak_2"),
  ]);
});

it("finds policies by equal values, and their rules by range and policy, with what changes", async () => {
  expect(
    await outcomes(
      [
        policy("office", { description: "office" }),
        rule("lan", "office", "10.0.0.0/8"),
        rule("vpn", "office", "10.1.0.0/16"),
      ],
      [
        object("IpPolicy", "ipp_1", { description: "office" }),
        object("IpPolicy", "ipp_2", { description: "other" }),
        ruleObject("ipr_1", "ipp_1", "10.0.0.0/8", "deny"),
        ruleObject("ipr_2", "ipp_2", "10.1.0.0/16"),
      ],
    ),
  ).toEqual(["office ipp_1 equal values", "lan ipr_1 unique values action", "vpn new"]);
});

it("tells equal policies apart by their rules, and takes those without rules as interchangeable", async () => {
  expect(
    await outcomes(
      [
        policy("a"),
        policy("b"),
        policy("c"),
        policy("d"),
        rule("a1", "a", "10.0.0.0/8"),
        rule("b1", "b", "10.1.0.0/16"),
      ],
      [
        ...["ipp_1", "ipp_2", "ipp_3", "ipp_4"].map((id) => object("IpPolicy", id, {})),
        ruleObject("ipr_1", "ipp_3", "10.0.0.0/8"),
        ruleObject("ipr_2", "ipp_2", "10.1.0.0/16"),
      ],
    ),
  ).toEqual([
    "a ipp_3 contents",
    "b ipp_2 contents",
    "c ipp_1 equal values",
    "d ipp_4 equal values",
    "a1 ipr_1 unique values",
    "b1 ipr_2 unique values",
  ]);
});

it("pairs one object with one of two equal policies whose rules both fit it", async () => {
  expect(
    await outcomes(
      [policy("a"), policy("b"), rule("a1", "a", "10.0.0.0/8"), rule("b1", "b", "10.0.0.0/8")],
      [
        ...["ipp_1", "ipp_2"].map((id) => object("IpPolicy", id, {})),
        ruleObject("ipr_1", "ipp_1", "10.0.0.0/8"),
      ],
    ),
  ).toEqual(["a ipp_1 contents", "b ambiguous ipp_2", "a1 ipr_1 unique values", "b1 new"]);
});

it("pairs nothing where more objects are equal than the program has, and creates nothing that exists for others", async () => {
  const objects = ["ipp_1", "ipp_2"].map((id) => object("IpPolicy", id, { description: "office" }));
  expect(await outcomes([policy("office", { description: "office" })], objects)).toEqual([
    "office ambiguous ipp_1 ipp_2",
  ]);
  const ofOther = ruleObject("ipr_1", "ipp_1", "10.0.0.0/8");
  expect(
    await outcomes(
      [policy("vpn", { description: "vpn" }), rule("r", "vpn", "10.0.0.0/8")],
      [...objects, ofOther],
    ),
  ).toEqual(["vpn new", "r new"]);
});

it("tells equal policies apart by their rules where an edge that names one of them is found by its address", async () => {
  const hostports = ["1.tcp.example.com:443"];
  const edge: Planned = { type: "TcpEdge", name: "edge", args: { hostports, ipRestriction: unknown } };
  expect(
    await outcomes(
      [
        ...[policy("a"), policy("b"), rule("a1", "a", "10.0.0.0/8"), rule("b1", "b", "10.1.0.0/16")],
        { ...edge, from: { ipRestriction: ["IpPolicy", "a"] } },
      ],
      [
        ...["ipp_1", "ipp_2"].map((id) => object("IpPolicy", id, {})),
        ...[ruleObject("ipr_1", "ipp_2", "10.0.0.0/8"), ruleObject("ipr_2", "ipp_1", "10.1.0.0/16")],
        object("TcpEdge", "edgtcp_1", {
          hostports,
          ip_restriction: { enabled: true, ip_policies: [{ id: "ipp_2", uri: "u" }] },
        }),
      ],
    ),
  ).toEqual([
    ...["a ipp_2 contents", "b ipp_1 contents", "a1 ipr_1 unique values", "b1 ipr_2 unique values"],
    "edge edgtcp_1 address",
  ]);
});

it("names those whose contents fit where several do, and else all that are equal", async () => {
  const objects = ["ipp_1", "ipp_2", "ipp_3"].map((id) => object("IpPolicy", id, {}));
  const rules = ["ipp_1", "ipp_2"].map((ipp, i) => ruleObject(`ipr_${i}`, ipp, "10.0.0.0/8"));
  const [a, b] = [policy("a"), policy("b")];
  const made = [a, rule("a1", "a", "10.0.0.0/8")];
  expect(await outcomes(made, [...objects, ...rules])).toEqual(["a ambiguous ipp_1 ipp_2", "a1 new"]);
  expect(await outcomes(made, objects)).toEqual(["a ambiguous ipp_1 ipp_2 ipp_3", "a1 new"]);
  expect(await outcomes([a, b, made[1]!], [...objects, rules[0]!])).toEqual([
    "a ipp_1 contents",
    "b ambiguous ipp_2 ipp_3",
    "a1 ipr_0 unique values",
  ]);
  const both = [a, b, ...made.slice(1), rule("b1", "b", "10.1.0.0/16")];
  expect(await outcomes(both, objects.slice(0, 1))).toEqual([
    "a ambiguous ipp_1",
    "b new",
    "a1 new",
    "b1 new",
  ]);
});

it("tells equal subscriptions apart by their sources, which have no list", async () => {
  const subscription = { type: "EventSubscription", name: "events", args: { description: "d" } };
  const source = {
    ...{ type: "EventSource", name: "source", args: { type: "ip_policy_created.v0" } },
    from: { subscriptionId: ["EventSubscription", "events"] as const },
  };
  const objects = ["esb_1", "esb_2"].map((id) => object("EventSubscription", id, { description: "d" }));
  const found = { "esb_2/ip_policy_created.v0": { type: "ip_policy_created.v0" } };
  expect(await outcomes([subscription, source], objects, found)).toEqual([
    "events esb_2 contents",
    "source esb_2/ip_policy_created.v0 path",
  ]);
});

it("follows a stamp before all values, and never takes one of another stack for its own", async () => {
  const stamp = (stack: string, project = "shop") => JSON.stringify({ project, stack, name: "office" });
  expect(
    await outcomes(
      [policy("office", { description: "new text" })],
      [
        object("IpPolicy", "ipp_other", { description: "new text", metadata: stamp("prod") }),
        object("IpPolicy", "ipp_bank", { description: "new text", metadata: stamp("dev", "bank") }),
        object("IpPolicy", "ipp_own", { description: "old text", metadata: stamp("dev") }),
      ],
    ),
  ).toEqual([expect.stringMatching(/^office ipp_own stamp description/)]);
});

it.each([
  ["stack", { project: "shop", stack: "prod", name: "lan" }],
  ["project", { project: "bank", stack: "dev", name: "lan" }],
])(
  "leaves alone what names another %s as its owner, even if it has the range and policy of a rule",
  async (_, owner) => {
    const metadata = JSON.stringify(owner);
    const theirs = object("IpPolicyRule", "ipr_1", {
      ...{ cidr: "10.0.0.0/8", action: "allow", ip_policy: { id: "ipp_1", uri: "u" }, metadata },
    });
    const lan = {
      type: "IpPolicyRule",
      name: "lan",
      args: { ipPolicyId: "ipp_1", cidr: "10.0.0.0/8", action: "allow" },
    };
    expect(await outcomes([lan], [theirs])).toEqual(["lan new"]);
  },
);

it("finds what refers to just the objects of the program, and not to as many others", async () => {
  const backend = { type: "HttpResponseBackend", name: "page", args: { body: "closed" } };
  const failover = {
    ...{ type: "FailoverBackend", name: "site", args: { backends: [unknown] } },
    from: { backends: ["HttpResponseBackend", "page"] as const },
  };
  const objects = [
    object("HttpResponseBackend", "bkdhr_1", { body: "closed" }),
    object("FailoverBackend", "bkdfo_1", { backends: ["bkdhr_9"] }),
    object("FailoverBackend", "bkdfo_2", { backends: ["bkdhr_1"] }),
  ];
  expect(await outcomes([backend, failover], objects)).toEqual([
    "page bkdhr_1 equal values",
    "site bkdfo_2 equal values",
  ]);
});

it("finds what refers to all objects of the program and to no other, and takes one that is not decided for any", async () => {
  const page = (name: string) => ({ type: "HttpResponseBackend", name, args: { body: name } });
  const site = {
    ...{ type: "FailoverBackend", name: "site", args: { backends: [unknown, unknown] } },
    from: { backends: ["HttpResponseBackend", "one", "two"] as const },
  };
  const pages = ["one", "two"].map((body) => object("HttpResponseBackend", `bkdhr_${body}`, { body }));
  const failover = (...names: string[]) =>
    object("FailoverBackend", `bkdfo_${names.join("_")}`, { backends: names.map((name) => `bkdhr_${name}`) });
  const failovers = [failover("one", "nine"), failover("one", "two", "nine"), failover("one")];
  const made = [page("one"), page("two"), site];
  const paired = ["one bkdhr_one equal values", "two bkdhr_two equal values"];
  expect(await outcomes(made, [...pages, ...failovers, failover("two", "one")])).toEqual([
    ...paired,
    "site bkdfo_two_one equal values",
  ]);
  expect(await outcomes(made, [...pages, ...failovers])).toEqual([...paired, "site new"]);
  const twin = object("HttpResponseBackend", "bkdhr_twin", { body: "one" });
  expect(await outcomes(made, [...pages, twin, failover("two", "one")])).toEqual([
    "one bkdhr_one contents",
    "two bkdhr_two equal values",
    "site bkdfo_two_one equal values",
  ]);
  expect(await outcomes(made, [...pages, twin, failover("two", "nine")])).toEqual([
    "one ambiguous bkdhr_one bkdhr_twin",
    "two bkdhr_two equal values",
    "site bkdfo_two_nine equal values backends",
  ]);
});

it("tells equal objects apart by what refers to them in a list, and says what refers to another one now", async () => {
  const page = (name: string): Planned => ({ type: "HttpResponseBackend", name, args: { body: "x" } });
  const site = {
    ...{ type: "FailoverBackend", name: "site", args: { backends: [unknown] } },
    from: { backends: ["HttpResponseBackend", "two"] as const },
  };
  const gate = {
    ...{ type: "TlsEdgeIpRestriction", name: "gate", args: { edgeId: "edgtls_1", ipPolicyIds: [unknown] } },
    from: { ipPolicyIds: ["IpPolicy", "vpn"] as const },
  };
  const found = [
    ...["bkdhr_1", "bkdhr_2"].map((id) => object("HttpResponseBackend", id, { body: "x" })),
    object("FailoverBackend", "bkdfo_1", { backends: ["bkdhr_1"] }),
    object("IpPolicy", "ipp_1", { description: "vpn" }),
  ];
  const answer = { enabled: true, ip_policies: [{ id: "ipp_2", uri: "u" }] };
  expect(
    await outcomes([page("one"), page("two"), site, policy("vpn", { description: "vpn" }), gate], found, {
      edgtls_1: answer,
    }),
  ).toEqual([
    ...["one bkdhr_2 equal values", "two bkdhr_1 contents", "site bkdfo_1 equal values"],
    ...["vpn ipp_1 equal values", "gate edgtls_1 path ipPolicyIds"],
  ]);
});

it("changes what refers to an object that the next update creates", async () => {
  const edge = {
    type: "TcpEdge",
    name: "edge",
    args: { hostports: ["1.tcp.example.com:443"], backend: unknown },
  };
  const from = { backend: ["HttpResponseBackend", "site"] as const };
  const found = object("TcpEdge", "edgtcp_1", {
    hostports: ["1.tcp.example.com:443"],
    backend: { enabled: true, backend: { id: "bkdhr_1", uri: "u" } },
  });
  const site = { type: "HttpResponseBackend", name: "site", args: { body: "new" } };
  expect(await outcomes([site, { ...edge, from }], [found])).toEqual([
    "site new",
    "edge edgtcp_1 address backend",
  ]);
  const backend = object("HttpResponseBackend", "bkdhr_1", { body: "new" });
  expect(await outcomes([site, { ...edge, from }], [found, backend])).toEqual([
    "site bkdhr_1 equal values",
    "edge edgtcp_1 address",
  ]);
});

it("finds an edge and an endpoint by their address, whatever else changed", async () => {
  const edge = (hostports: string[]) => ({
    type: "TcpEdge",
    name: "edge",
    args: { hostports, description: "new" },
  });
  const endpoint = {
    type: "CloudEndpoint",
    name: "site",
    args: { url: "https://a.example.com", trafficPolicy: "{}" },
  };
  const objects = [
    object("TcpEdge", "edgtcp_1", { hostports: ["1.tcp.example.com:443"], description: "old" }),
    object("TcpEdge", "edgtcp_2", { hostports: ["2.tcp.example.com:443"], description: "new" }),
    object("CloudEndpoint", "ep_1", {
      type: "cloud",
      url: "https://A.example.com:443",
      traffic_policy: "{ }",
    }),
  ];
  expect(await outcomes([edge(["1.tcp.example.com:443"]), endpoint], objects)).toEqual([
    "edge edgtcp_1 address description",
    expect.stringMatching(/^site ep_1 address/),
  ]);
  expect(await outcomes([edge(["3.tcp.example.com:443"])], objects)).toEqual(["edge new"]);
});

it("finds a certificate by itself, and a module by its path", async () => {
  const [own, other] = [makeCertificate({ ca: true }).pem, makeCertificate({ ca: true }).pem];
  const authority = {
    type: "CertificateAuthority",
    name: "ca",
    args: { caPem: own, description: "renamed" },
  };
  expect(
    await outcomes(
      [authority],
      [
        object("CertificateAuthority", "ca_1", { ca_pem: other, description: "renamed" }),
        object("CertificateAuthority", "ca_2", { ca_pem: `${own}\n`, description: "old" }),
      ],
    ),
  ).toEqual([expect.stringMatching(/^ca ca_2 unique values description/)]);
  const twice = ["ca_1", "ca_2"].map((id) => object("CertificateAuthority", id, { ca_pem: own }));
  expect(await outcomes([authority], twice)).toEqual(["ca ambiguous ca_1 ca_2"]);
  const module = {
    type: "TlsEdgeIpRestriction",
    name: "gate",
    args: { edgeId: "edgtls_1", ipPolicyIds: ["ipp_1"] },
  };
  const answer = { enabled: true, ip_policies: [{ id: "ipp_1", uri: "u" }] };
  expect(await outcomes([module], [], { edgtls_1: answer })).toEqual(["gate edgtls_1 path"]);
  expect(await outcomes([module], [], { edgtls_1: {} })).toEqual(["gate new"]);
  expect(await outcomes([module], [])).toEqual(["gate new"]);
});

it("does not take over keys that rotate, whose token is lost", async () => {
  const key = {
    type: "RotatingApiKey",
    name: "ci",
    args: { description: "ci", rotateAfterDays: 30, overlapDays: 3 },
  };
  expect(await outcomes([key], [object("ApiKey", "ak_1", { description: "ci" })])).toEqual(["ci rotates"]);
});
