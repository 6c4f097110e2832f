/**
 * The import of an object by its id, for each class and each of its optional arguments left out: by the resource option with the
 * arguments that the object was made with, and by the command with those that it finds. Neither changes anything.
 */
import { DiffResponse } from "@pulumi/pulumi/proto/provider_pb";
import type { Emulator } from "../../../src/emulator";
import { declarationOf } from "../../../src/resources/registry";
import { unsignedSecrets } from "../../../src/schema/secrets";
import { setPaths } from "../../../src/schema/walk";
import { cases as table } from "../../rounds/cases";
import { cases } from "../../support/cases";
import { seed } from "../../rounds/table";
import { days, request, sealingKey } from "../../rounds/values";
import { sharedEmulator } from "../../support/emulators";
import { nativeForTests, type Created, type NativeClient } from "../../support/native-client";
import { secretOf } from "../../support/in-process/values";

type Values = Readonly<Record<string, unknown>>;

interface Row {
  readonly type: string;
  readonly title: string;
  readonly args: Values;
}

const { DiffChanges } = DiffResponse;

const emulator: Emulator = sharedEmulator();
const client: NativeClient = nativeForTests();

let lives = 0;

beforeEach(async () => {
  await emulator.reset();
  await emulator.seed(seed);
  const { apiKey, baseUrl } = emulator;
  // A connection of an earlier life knows lists that are gone.
  await client.configure({ apiKey: secretOf(apiKey), baseUrl, requestTimeout: String(60 + ++lives) });
});

const argsOf = (type: string): Values => table.find((each) => each.type === type)!.before;
const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

/** What only a program knows, and no answer shows. */
const unseen: Row[] = [
  { type: "ApiKey", title: "with its owner", args: { ownerId: "usr_EmulatorAdministrator000000" } },
  ...["SshUserCertificate", "SshHostCertificate"].flatMap((type): Row[] => {
    const {
      validUntil: _u,
      validAfter: _a,
      validForHours: _h,
      earlyRenewalHours: _e,
      ...args
    } = argsOf(type);
    return [
      { type, title: "with validForHours", args: { ...args, validForHours: 48 } },
      { type, title: "with both", args: { ...args, validForHours: 48, earlyRenewalHours: 6 } },
      { type, title: "with validUntil", args: { ...args, validUntil: days(3) } },
    ];
  }),
  {
    type: "KubernetesOperator",
    title: "with csr",
    args: { binding: { endpointSelectors: ["true"], csr: request() } },
  },
  {
    type: "IpPolicyRuleSet",
    title: "with an end",
    args: { ipPolicyId: "ipp_one", rules: { "10.0.0.0/8": { action: "allow", until: inHours(50) } } },
  },
  {
    type: "HttpsEdgeRouteWebhookVerification",
    title: "without secret",
    args: { edgeId: "edge_one", routeId: "route_webhook", provider: "CLOUD_NOTIFICATION" },
  },
  {
    type: "EventDestination",
    title: "with a secret",
    args: { target: { monitoring: { apiKey: "a-secret", ddtags: "a:b" } } },
  },
];

function isOptional(type: string, name: string): boolean {
  // All webhook providers but one need a secret, which only the service knows.
  if (type === "HttpsEdgeRouteWebhookVerification" && name === "secret") return false;
  return declarationOf(type).fields[name]?.presence === "optional";
}

const rows: Row[] = [
  ...table.flatMap(({ type, before, after }): Row[] =>
    [before, after].flatMap((args, i) => {
      const optional = Object.keys(args).filter((name) => isOptional(type, name));
      const state = i === 0 ? "before" : "after";
      return [
        { type, title: `${state} a change`, args },
        ...optional.map((name) => {
          const { [name]: _, ...others } = args;
          return { type, title: `${state} a change without ${name}`, args: others };
        }),
      ];
    }),
  ),
  ...unseen,
].filter(({ type }) => declarationOf(type).rotates === undefined);

/** What a preview and a refresh say of a resource with these arguments, which is as they say. */
async function changesOf(type: string, known: Created, args: Values): Promise<string[]> {
  const { inputs, failures } = await client.check(type, args, known.inputs);
  const answer = await client.diff(type, known, inputs);
  const isChange = answer.getChanges() !== DiffChanges.DIFF_NONE;
  return [
    ...failures,
    ...(isChange ? [`changes ${answer.getDiffsList().join()}`] : []),
    ...answer.getReplacesList().map((name) => `replaces ${name}`),
  ];
}

it.each(rows.filter((_, i) => i % cases(3, 1) === 0))(
  "$type $title is imported and does not change",
  async ({ type, args }) => {
    const { inputs, failures } = await client.check(type, args);
    if (failures.length > 0) return; // one of the arguments needs the one that is left out
    const made = await client.create(type, inputs);
    const writes = emulator.requests.filter(({ method }) => method !== "GET").length;

    const found = await client.read(type, made.id);
    expect(await changesOf(type, found, found.inputs)).toEqual([]);
    // An imported program gives what its author gave, and nothing that the service has filled in.
    const { fields } = declarationOf(type);
    const given = [...setPaths(fields, args), ...("validForHours" in args ? ["validUntil"] : [])];
    expect(setPaths(fields, found.inputs).filter((path) => !given.includes(path))).toEqual([]);
    expect([found.inputs, found.outputs].map((each) => unsignedSecrets(fields, each))).toEqual([[], []]);
    // The program with the option, and then without it.
    expect(await changesOf(type, found, args)).toEqual([]);
    const deployed = { ...found, inputs: (await client.check(type, args, found.inputs)).inputs };
    expect(await changesOf(type, deployed, args)).toEqual([]);
    // A refresh, and a preview after it.
    const refreshed = await client.read(type, made.id, deployed.outputs, deployed.inputs);
    expect(refreshed.inputs).toEqual(deployed.inputs);
    expect(await changesOf(type, refreshed, args)).toEqual([]);
    expect(emulator.requests.filter(({ method }) => method !== "GET")).toHaveLength(writes);
  },
);

it.each([
  [
    "that does not exist",
    "IpPolicyRule",
    "ipr_paris",
    /the IP policy rule ipr_paris does not exist in the account at/,
  ],
  [
    "with control characters",
    "IpPolicyRule",
    "ipr_\u001b[31mred\n",
    /the IP policy rule cannot be imported: "ipr_\\u001b\[31mred\\n" is not a valid id/,
  ],
  [
    "of another class",
    "IpPolicyRule",
    "ipp_one",
    /the IP policy rule ipp_one does not exist in the account at/,
  ],
  [
    "without the route of a module",
    "HttpsEdgeRouteOidc",
    "edge_one",
    /"edge_one" is not the id of an OIDC module; it has the form <edgeId>\/<routeId>/,
  ],
  [
    "of a module that is not configured",
    "HttpsEdgeRouteOidc",
    "edge_one/route_oidc",
    /the OIDC module edge_one\/route_oidc does not exist in the account at/,
  ],
  [
    "of keys that rotate",
    "RotatingApiKey",
    "ak_ci",
    /ak_ci cannot be imported: rotateAfterDays: is required/,
  ],
])("refuses an id %s, with the reason", async (_, type, id, reason) => {
  await emulator.seed({ api_keys: [{ id: "ak_ci" }] });
  await expect(client.read(type, id)).rejects.toThrow(reason);
  expect(emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

describe("an imported object", () => {
  /** Makes an object, imports it, and deploys a program with other arguments. */
  const deployed = async (type: string, made: Values, args: Values = made): Promise<Created> => {
    const { inputs } = await client.check(type, made);
    const found = await client.read(type, (await client.create(type, inputs)).id);
    return { ...found, inputs: (await client.check(type, args, found.inputs)).inputs };
  };
  const next = async (type: string, known: Created, args: Values): Promise<Created> => {
    const { inputs } = await client.check(type, args, known.inputs);
    return client.update(type, known, inputs);
  };

  it("is changed where the program says something else, and only there", async () => {
    const known = await deployed("ApiKey", { description: "ci", metadata: "m" });
    expect(await changesOf("ApiKey", known, { description: "other" })).toEqual([
      "changes description,metadata",
    ]);
    const ofOther = { description: "ci", metadata: "m", ownerId: "usr_other" };
    expect(await changesOf("ApiKey", known, ofOther)).toEqual(["changes ownerId", "replaces ownerId"]);

    emulator.clearRequests();
    const updated = await next("ApiKey", known, { description: "other", metadata: "m" });
    expect(emulator.requests.map(({ method, body }) => ({ method, body }))).toEqual([
      { method: "PATCH", body: { description: "other" } },
    ]);
    await next("ApiKey", known, { description: "other" });
    expect(emulator.requests.at(-1)).toMatchObject({ body: { description: "other", metadata: "" } });
    expect(updated.outputs).toMatchObject({ __args: ["description", "metadata"] });
    expect(updated.outputs).not.toHaveProperty("__filledIn");
    expect(await changesOf("ApiKey", updated, { metadata: "m" })).toEqual(["changes description"]);
  });

  it("is replaced where the program seals a token that nobody knows", async () => {
    const sealed = { description: "ci", sealTo: sealingKey() };
    expect(await changesOf("ApiKey", await deployed("ApiKey", { description: "ci" }), sealed)).toEqual([
      "changes sealTo",
      "replaces sealTo",
    ]);
  });

  it("keeps the sources that are resources of their own", async () => {
    const { inputs } = await client.check("EventSubscription", { description: "d" });
    const { id } = await client.create("EventSubscription", inputs);
    const source = { subscriptionId: id, type: "ip_policy_created.v0" };
    await client.create("EventSource", (await client.check("EventSource", source)).inputs);

    const found = await client.read("EventSubscription", id);
    expect(found.inputs).toMatchObject({ sources: [{ type: "ip_policy_created.v0" }] });
    expect(await changesOf("EventSubscription", found, { description: "d" })).toEqual([]);
    const known = { ...found, inputs };
    expect(await changesOf("EventSubscription", known, { description: "d" })).toEqual([]);
    expect(await changesOf("EventSubscription", known, { description: "d", sources: [] })).toEqual([
      "changes sources",
    ]);
    const args = { description: "other" };
    const planned = await client.update("EventSubscription", known, args, true);
    expect(planned.outputs).toMatchObject({ ...args, sources: found.outputs.sources });
    await client.update("EventSubscription", known, args);
    const [subscription] = emulator.snapshot().event_subscriptions!.filter((each) => each.id === id);
    expect(subscription).toMatchObject({ ...args, sources: [{ type: source.type }] });
  });

  it("gets another secret than that of the deployment before", async () => {
    const target = (apiKey: string): Values => ({ target: { monitoring: { apiKey } } });
    const known = await deployed("EventDestination", target("one"));
    expect(await changesOf("EventDestination", known, target("one"))).toEqual([]);
    expect(await changesOf("EventDestination", known, target("two"))).toEqual([
      "changes target",
      "replaces target",
    ]);
  });
});
