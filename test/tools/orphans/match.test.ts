import { accountObject } from "../../../src/tools/inventory/account-contents";
import type { AccountObject } from "../../../src/tools/inventory/account-contents";
import { stampText } from "../../../src/schema/metadata";
import { notReturned } from "../../../src/schema/secrets";
import { declarationOf } from "../../../src/resources/registry";
import type { Settings } from "../../../src/provider/settings/settings";
import { matchPending, mayBe } from "../../../src/tools/orphans/match";
import { failedTimeIn, plannedIn, previewFailure } from "../../../src/tools/orphans/planned-creates";
import { PulumiError } from "../../../src/tools/stack/pulumi";
import { contentsOf, readPreview } from "../../support/recorded";

const settings = { patchUndocumented: false, stampMetadata: false } as Settings;
const token = (type: string): string => `pulumi-nodejs:dynamic/tunnel-gateway:${type}`;
const urn = (type: string, name: string): string => `urn:pulumi:dev::shop::${token(type)}::${name}`;
const stackUrn = "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev";
const state = (type: string, name: string, more: object = {}): object => ({
  urn: urn(type, name),
  type: token(type),
  parent: stackUrn,
  provider: "urn:pulumi:dev::shop::pulumi:providers:pulumi-nodejs::default::x",
  ...more,
});
const creating = (type: string, name: string, inputs: object): object => ({
  type: "creating",
  resource: state(type, name, { inputs }),
});
const policy = (id: string, more: object): AccountObject =>
  accountObject(declarationOf("IpPolicy"), id, { id, uri: "u", created_at: "2026-01-01T00:00:00Z", ...more });

function outcomes(operations: object[], held: AccountObject[], resources: object[] = []): string[] {
  const exported = {
    deployment: {
      resources: [{ urn: stackUrn, type: "pulumi:pulumi:Stack" }, ...resources],
      pending_operations: operations,
    },
  };
  return matchPending(contentsOf(exported, "dev"), held, settings).map((each) => {
    const ids =
      each.kind === "created"
        ? [each.object.id]
        : each.kind === "not created"
          ? []
          : each.objects.map(({ id }) => id);
    return [each.pending.name, each.kind, ...ids].join(" ");
  });
}

it("reads the resources that a stack manages, without those that it only looks up", () => {
  const contents = contentsOf(
    {
      deployment: {
        resources: [
          state("IpPolicy", "own", { id: "ipp_1" }),
          state("IpPolicy", "seen", { id: "ipp_2", external: true }),
          { urn: "urn:pulumi:dev::shop::other::x", type: "other", id: "x" },
        ],
      },
    },
    "dev",
  );
  expect(contents.managed).toMatchObject([
    { urn: urn("IpPolicy", "own"), declaration: { type: "IpPolicy" }, name: "own", id: "ipp_1" },
  ]);
  expect([contents.project, contents.stack]).toEqual(["shop", "dev"]);
});

it("reads an empty stack", () => {
  expect(contentsOf({ deployment: null }, "dev")).toMatchObject({ managed: [], pending: [], stack: "dev" });
});

it("matches only an object that equals all sent arguments", () => {
  const pending = [creating("IpPolicy", "office", { description: "office" })];
  expect(outcomes(pending, [policy("ipp_1", { description: "lab" })])).toEqual(["office not created"]);
  expect(outcomes(pending, [policy("ipp_1", { description: "office", metadata: "m" })])).toEqual([
    "office not created",
  ]);
  expect(outcomes(pending, [policy("ipp_1", { description: "office" })])).toEqual(["office created ipp_1"]);
});

it("shares equal objects among equal creates, and leaves them undecided where there are more objects", () => {
  const pending = ["a", "b"].map((name) => creating("IpPolicy", name, { description: "x" }));
  const objects = ["ipp_1", "ipp_2", "ipp_3"].map((id) => policy(id, { description: "x" }));
  expect(outcomes(pending, objects.slice(0, 1))).toEqual(["a created ipp_1", "b not created"]);
  expect(outcomes(pending, objects.slice(0, 2))).toEqual(["a created ipp_1", "b created ipp_2"]);
  expect(outcomes(pending, objects)).toEqual([
    "a undecided ipp_1 ipp_2 ipp_3",
    "b undecided ipp_1 ipp_2 ipp_3",
  ]);
});

it("compares a create with the objects whose texts may mean the same: other spellings, defaults and marks among them", () => {
  const rule = (id: string, cidr: string, more: object = {}): AccountObject =>
    accountObject(declarationOf("IpPolicyRule"), id, {
      ...{ id, uri: "u", created_at: "2026-01-01T00:00:00Z", cidr, action: "allow" },
      ...{ ip_policy: { id: "ipp_1", uri: "u" }, ...more },
    });
  const inputs = { ipPolicyId: "ipp_1", cidr: "2001:DB8::/32", action: "allow" };
  const outcomeOf = (...objects: AccountObject[]): string[] =>
    outcomes([creating("IpPolicyRule", "office", inputs)], objects);
  expect(outcomeOf(rule("ipr_1", "2001:db9::/32"), rule("ipr_2", "2001:db8:0::/32"))).toEqual([
    "office created ipr_2",
  ]);
  expect(outcomeOf(rule("ipr_1", "2001:db8::/32", { description: "" }))).toEqual(["office created ipr_1"]);
  expect(outcomeOf(rule("ipr_1", "2001:db8::/32", { description: null }))).toEqual(["office created ipr_1"]);
  expect(outcomeOf(rule("ipr_1", "2001:db8::/32", { description: "another" }))).toEqual([
    "office not created",
  ]);
  expect(outcomeOf(rule("ipr_1", "2001:db8::/32", { ip_policy: { id: "ipp_2", uri: "u" } }))).toEqual([
    "office not created",
  ]);
});

it("compares a thousand creates with five thousand rules in a number of steps that grows with their sum", () => {
  const range = (i: number): string => `10.${i >> 8}.${i & 255}.0/24`;
  let reads = 0;
  const objects = Array.from({ length: 5_000 }, (_, i) => {
    const answer = { id: `ipr_${i}`, uri: "u", created_at: "2026-01-01T00:00:00Z", cidr: range(i) };
    const rule = accountObject(declarationOf("IpPolicyRule"), `ipr_${i}`, {
      ...answer,
      ...{ action: "allow", ip_policy: { id: "ipp_1", uri: "u" } },
    });
    return Object.defineProperty({ ...rule }, "answer", { get: () => ((reads += 1), rule.answer) });
  });
  const creates = Array.from({ length: 1_000 }, (_, i) =>
    creating("IpPolicyRule", `r${i}`, { ipPolicyId: "ipp_1", cidr: range(5 * i), action: "allow" }),
  );
  expect(outcomes(creates, objects)).toEqual(
    expect.arrayContaining(["r0 created ipr_0", "r999 created ipr_4995"]),
  );
  expect(reads).toBeLessThan(20_000);
});

it("takes no object with the stamp of the same resource in another stack or project", () => {
  const stamp = (more: object): string =>
    JSON.stringify({ project: "shop", stack: "dev", name: "office", ...more });
  const pending = [creating("IpPolicy", "office", { metadata: stamp({}) })];
  const outcomeOf = (more: object): string[] =>
    outcomes(pending, [policy("ipp_1", { metadata: stamp(more) })]);
  expect(outcomeOf({})).toEqual(["office created ipp_1"]);
  expect(outcomeOf({ stack: "prod" })).toEqual(["office not created"]);
  expect(outcomeOf({ project: "bank" })).toEqual(["office not created"]);
});

it("matches equal objects by their stamps", () => {
  const stamp = (name: string): string => JSON.stringify({ project: "shop", stack: "dev", name });
  const pending = ["a", "b"].map((name) => creating("IpPolicy", name, { metadata: stamp(name) }));
  expect(
    outcomes(pending, [policy("ipp_1", { metadata: stamp("b") }), policy("ipp_2", { metadata: stamp("c") })]),
  ).toEqual(["b created ipp_1", "a not created"]);
});

it("offers no object for two creates, where a second create asks for the stamp as its own text", () => {
  const metadata = stampText({ project: "shop", stack: "dev", name: "a" });
  const pending = [
    creating("IpPolicy", "a", { description: "x" }),
    creating("IpPolicy", "b", { description: "x", metadata }),
  ];
  expect(outcomes(pending, [policy("ipp_1", { description: "x", metadata })])).toEqual([
    "a created ipp_1",
    "b not created",
  ]);
});

it("matches creates of the same resource under two parents, and equal ones of two classes, with objects of their own", () => {
  const stamped = { metadata: stampText({ project: "shop", stack: "dev", name: "a" }) };
  const [one, two] = ["one", "two"].map((parent) => {
    const { resource, ...operation } = creating("IpPolicy", "a", stamped) as { resource: object };
    return {
      ...operation,
      resource: {
        ...resource,
        urn: urn("IpPolicy", "a").replace("pulumi-nodejs:", `shop:index:${parent}$pulumi-nodejs:`),
      },
    };
  }) as [object, object];
  const policies = ["ipp_1", "ipp_2"].map((id) => policy(id, stamped));
  expect(outcomes([one, two], policies)).toEqual(["a created ipp_1", "a created ipp_2"]);
  const bot = accountObject(declarationOf("EventSubscription"), "esb_1", {
    ...policy("esb_1", { description: "x" }).answer,
  });
  const equal = ["IpPolicy", "EventSubscription"].map((type) => creating(type, type, { description: "x" }));
  expect(outcomes(equal, [policy("ipp_1", { description: "x" }), bot])).toEqual([
    "IpPolicy created ipp_1",
    "EventSubscription created esb_1",
  ]);
});

it("matches no object at another path, and none whose answer is not as specified", () => {
  const source = (id: string): AccountObject =>
    accountObject(declarationOf("EventSource"), `${id}/a.v0`, { type: "a.v0", uri: "u" });
  const pending = [creating("EventSource", "source", { subscriptionId: "esb_1", type: "a.v0" })];
  expect(outcomes(pending, [source("esb_2")])).toEqual(["source not created"]);
  expect(outcomes(pending, [source("esb_2"), source("esb_1")])).toEqual(["source created esb_1/a.v0"]);
  const wrong = { ...policy("ipp_1", { description: "x" }), problem: "the member uri is missing" };
  expect(outcomes([creating("IpPolicy", "a", { description: "x" })], [wrong])).toEqual(["a not created"]);
});

it.each([
  ["2026-01-01T00:00:00Z", false],
  ["2026-01-01T00:00:01Z", true],
  ["2026-01-01T00:00:03Z", true],
  ["2026-01-01T00:00:04Z", false],
  ["at some time", false],
  [undefined, true],
])("takes an object of %s for one that a create from second 1 to 3 has made: %s", (created_at, expected) => {
  const [pending] = contentsOf(
    { deployment: { pending_operations: [creating("IpPolicy", "a", {})] } },
    "dev",
  ).pending;
  const [from, until] = [1, 3].map((second) => Date.parse("2026-01-01T00:00:00Z") + second * 1000) as [
    number,
    number,
  ];
  expect(mayBe(policy("ipp_1", { created_at }), { ...pending!, time: { from, until } }, settings)).toBe(
    expected,
  );
});

it("reports an API key, whose token is lost, and does not import it", () => {
  const key: AccountObject = {
    ...policy("ak_1", { description: "k" }),
    declaration: declarationOf("ApiKey"),
  };
  expect(outcomes([creating("ApiKey", "k", { description: "k" })], [key])).toEqual(["k secret lost ak_1"]);
  const stamped = { description: "k", metadata: stampText({ project: "shop", stack: "dev", name: "k" }) };
  const own: AccountObject = { ...policy("ak_2", stamped), declaration: key.declaration };
  expect(outcomes([creating("ApiKey", "k", stamped)], [own])).toEqual(["k secret lost ak_2"]);
});

it("ignores creates that a later update completed", () => {
  const pending = [creating("IpPolicy", "office", { description: "office" })];
  const healed = state("IpPolicy", "office", { id: "ipp_1" });
  expect(outcomes(pending, [policy("ipp_2", { description: "office" })], [healed])).toEqual([]);
});

it("finds the time of the updates that failed since the last successful one", () => {
  const update = (result: string, hour: number, kind = "update"): object => ({
    kind,
    result,
    startTime: `2026-01-01T0${hour}:00:00.000Z`,
    endTime: `2026-01-01T0${hour}:30:00.000Z`,
  });
  expect(failedTimeIn([update("succeeded", 2)])).toBeUndefined();
  expect(failedTimeIn([update("in-progress", 3), update("failed", 2)])).toBeUndefined();
  expect(
    failedTimeIn([
      update("succeeded", 5, "import"),
      update("failed", 4),
      update("failed", 3),
      update("succeeded", 2),
    ]),
  ).toEqual({ from: Date.parse("2026-01-01T03:00:00Z"), until: Date.parse("2026-01-01T04:30:00Z") });
});

it("compares only planned creates whose arguments it can see", () => {
  const step = (type: string, name: string, inputs: object): object => ({
    op: "create",
    urn: urn(type, name),
    newState: state(type, name, { inputs }),
  });
  const target = { monitoring: { apiKey: "[secret]", ddsite: "x" } };
  const preview = {
    steps: [
      step("IpPolicy", "known", { description: "x", __secretsInPlaintext: [] }),
      step("IpPolicy", "hidden", { description: "[secret]" }),
      step("IpPolicyRule", "unknown", {
        ipPolicyId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
        cidr: "10.0.0.0/8",
        action: "allow",
      }),
      step("EventDestination", "siem", { target }),
      { op: "same", urn: urn("IpPolicy", "same"), newState: state("IpPolicy", "same", {}) },
    ],
  };
  const planned = plannedIn(readPreview(JSON.stringify(preview)));
  expect(planned.map(({ name, args }) => [name, args])).toEqual([
    ["siem", { target: { monitoring: { apiKey: notReturned, ddsite: "x" } } }],
    ["known", { description: "x" }],
  ]);
});

it("compares the creates of replacements, whose plugin may have died between them and their deletions", () => {
  const moved = state("EventSource", "moved", { inputs: { subscriptionId: "esb_one", type: "a.v0" } });
  const step = { op: "replace", urn: urn("EventSource", "moved"), newState: moved };
  expect(plannedIn(readPreview(JSON.stringify({ steps: [step] })))).toMatchObject([{ name: "moved" }]);
});

it("imports a planned create under its whole name, which texts shorten", () => {
  const name = "n".repeat(150);
  const newState = state("IpPolicy", name, { inputs: {} });
  const step = { op: "create", urn: urn("IpPolicy", name), newState };
  expect(plannedIn(readPreview(JSON.stringify({ steps: [step] })))).toMatchObject([{ name }]);
});

it("knows that an object that was deleted before its replacement is no longer the stack's", () => {
  const left = { ...state("TlsEdgeIpRestriction", "moved", { id: "edgtls_new" }), pendingReplacement: true };
  const contents = contentsOf({ deployment: { resources: [left] } }, "dev");
  expect(contents.managed).toEqual([]);
  // It is nevertheless in the state, where no import can put a second one.
  const pending = [{ type: "creating", resource: state("TlsEdgeIpRestriction", "moved", { inputs: {} }) }];
  const interrupted = contentsOf({ deployment: { resources: [left], pending_operations: pending } }, "dev");
  expect(matchPending(interrupted, [], settings)).toEqual([]);
});

test("a program that fails is reported by its errors, without the JSON of its preview", () => {
  const diagnostics = [
    { severity: "info", message: "a note" },
    { severity: "error", message: "error: names is not defined\n" },
  ];
  const stdout = JSON.stringify({ steps: [{ op: "same" }], diagnostics });
  const failure = new PulumiError("pulumi preview ended with exit code 1", 1, { stdout, stderr: "" });
  expect(previewFailure(failure, "dev").message).toBe(
    "the stack dev could not be previewed: error: names is not defined. " +
      "Fix the program, or leave out --planned",
  );
});
