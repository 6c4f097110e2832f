/** The native provider over its protocol. */
import { LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { notReturned } from "../../../src/schema/secrets";
import { unknown } from "../../../src/schema/unknown";
import { GatewayError } from "../../../src/provider/errors";
import { PartialFailure } from "../../../src/provider/life-cycle/partial-failure";
import type { NativeProvider } from "../../../src/provider/native/provider";
import { version } from "../../../src/provider/version";
import { duringTests } from "../../support/during-tests";
import { EmulatorClient } from "../../support/emulator-process";
import { emulatorForTests } from "../../support/emulators";
import { startEngine } from "../../support/fake-engine";
import { NativeClient, nativeForTests, recordedIn } from "../../support/native-client";
import { secretOf } from "../../support/in-process/values";
import { failureOf } from "../../support/failure";

const emulator = emulatorForTests();
const engine = duringTests(startEngine, ({ close }) => close());
const native = nativeForTests(() => engine.address);

const { DiffChanges } = messages.DiffResponse;
const { Kind } = messages.PropertyDiff;

beforeEach(async () => {
  engine.logged.splice(0);
  await native.configure({ apiKey: secretOf(emulator.apiKey), baseUrl: emulator.baseUrl });
});

describe("the provider", () => {
  it("says its version and schema, and ignores a cancellation, because running calls end by themselves", async () => {
    expect(await native.info()).toBe(version);
    expect(await native.schema()).toStrictEqual({ name: "tunnel-gateway" });
    await native.cancel();
  });

  it("takes secrets as secrets and creates and updates in previews", async () => {
    const answer = await native.configure({ apiKey: "k", baseUrl: emulator.baseUrl });
    expect(answer).toMatchObject({ acceptsecrets: true, supportspreview: true });
  });
});

describe("its settings", () => {
  it("are checked, as far as they are known, and the key is a secret", async () => {
    const given = { apiKey: "a key", baseUrl: "ftp://host", requestTimeout: "0", version: "1.0.0" };
    const { inputs, failures } = await native.checkConfig(given, "partner");
    expect(failures).toStrictEqual([
      expect.stringMatching(/^the argument apiKey of the Provider "partner" .* must be a token/),
      expect.stringMatching(/^the argument baseUrl of the Provider "partner" .* must be an https URL/),
      expect.stringMatching(/^the argument requestTimeout of the Provider "partner" .* must be at least 1/),
    ]);
    expect(inputs).toStrictEqual({ ...given, apiKey: secretOf("a key") });
    expect((await native.checkConfig({ apiKey: unknown, baseUrl: unknown })).failures).toStrictEqual([]);
  });

  it("need no key where no request is sent, and report a missing one where one would be", async () => {
    const given = { baseUrl: emulator.baseUrl };
    expect((await native.checkConfig(given)).failures).toStrictEqual([]);
    expect((await native.checkConfig({ ...given, apiKey: "" }, "partner")).failures).toStrictEqual([]);
    await native.configure(given);
    const { inputs, failures } = await native.check("IpPolicy", { description: "office" });
    expect(failures).toStrictEqual([]);
    const planned = await native.create("IpPolicy", inputs, true);
    expect(planned.outputs).toMatchObject({ description: "office" });
    await expect(native.create("IpPolicy", inputs)).rejects.toThrow(
      "the setting tunnel-gateway:apiKey (or TUNNEL_GATEWAY_API_KEY) is not set",
    );
    expect(emulator.requests).toStrictEqual([]);
  });

  it("that are mistyped are a warning under the stack, once, without their values", async () => {
    const wrong = { retryTimout: secretOf("s3cret"), "zo\u001bne": "z", left: null };
    const given = { baseUrl: emulator.baseUrl, version: "1.0.0", ...wrong };
    const ofPulumi = { pluginDownloadURL: "https://plugins.example.com", __internal: {} };
    await native.checkConfig({ ...given, ...ofPulumi });
    await native.checkConfig({ ...given, ...ofPulumi });
    const warning = (text: RegExp) => ({
      ...{ severity: LogSeverity.WARNING, urn: "" },
      message: expect.stringMatching(text) as unknown,
    });
    expect(engine.logged).toStrictEqual([
      warning(/^tunnel-gateway:retryTimout is not a setting .* did you mean tunnel-gateway:retryTimeout\?/),
      warning(/^tunnel-gateway:zo\\u001bne is not a setting .* the settings are apiKey, /),
    ]);
    expect(JSON.stringify(engine.logged)).not.toContain("s3cret");
  });

  it("that are mistyped or have the names of a configuration are wrong in an explicit provider", async () => {
    const given = { apiKey: "k", baseUrl: emulator.baseUrl, version: "1.0.0" };
    const wrong = { retryTimout: "s3cret", "tunnel-gateway:baseUrl": "https://api.example.net" };
    expect((await native.checkConfig(given, "partner")).failures).toStrictEqual([]);
    const { failures } = await native.checkConfig({ ...given, ...wrong }, "partner");
    expect(failures).toStrictEqual([
      "retryTimout: is not an argument here; did you mean retryTimeout?",
      "tunnel-gateway:baseUrl: is not an argument here; did you mean baseUrl?",
    ]);
    expect(engine.logged).toStrictEqual([]);
  });

  it("may be those of a program whose project has the name of the package", async () => {
    await native.checkConfig({ office: "203.0.113.0/24", listObject: "1" }, "default", "tunnel-gateway");
    expect(engine.logged.map(({ message }) => message)).toStrictEqual([
      expect.stringMatching(/^tunnel-gateway:listObject /),
    ]);
  });

  it("never replace the provider", async () => {
    const [olds, news] = [{ apiKey: secretOf("a"), baseUrl: "https://a" }, { apiKey: secretOf("b") }];
    const answer = await native.diffConfig(olds, news);
    expect(answer).toMatchObject({ changes: DiffChanges.DIFF_SOME, replacesList: [] });
    expect(answer.diffsList).toStrictEqual(["apiKey", "baseUrl"]);
    for (const isEarlier of [false, true])
      expect((await native.diffConfig(olds, olds, isEarlier)).changes).toBe(DiffChanges.DIFF_NONE);
    const dynamic = {
      "tunnel-gateway:apiKey": "a",
      "tunnel-gateway:baseUrl": "https://a",
      "tunnel-gateway:provider": "p",
    };
    expect((await native.diffConfig(dynamic, olds)).changes).toBe(DiffChanges.DIFF_NONE);
  });

  it("may have the names of a configuration, where the provider was one of dynamic resources", async () => {
    await native.configure({
      "tunnel-gateway:apiKey": secretOf(emulator.apiKey),
      "tunnel-gateway:baseUrl": emulator.baseUrl,
      "tunnel-gateway:provider": "partner",
    });
    expect((await native.create("IpPolicy", {})).id).toMatch(/^ipp_/);
  });

  it("stamp metadata that the program leaves out", async () => {
    const settings = { apiKey: emulator.apiKey, baseUrl: emulator.baseUrl, stampMetadata: "true" };
    await native.configure(settings);
    const { inputs } = await native.check("IpPolicy", {});
    expect(inputs).toStrictEqual({ metadata: '{"project":"shop","stack":"dev","name":"one"}' });
    expect((await native.check("ApiKey", { metadata: "mine" })).inputs).toStrictEqual({ metadata: "mine" });
  });

  it("stamp keys of one name, of which a creation deletes none of another", async () => {
    const settings = { apiKey: emulator.apiKey, baseUrl: emulator.baseUrl, stampMetadata: "true" };
    await native.configure({ ...settings, apiKey: secretOf(emulator.apiKey) });
    emulator.setFaults({ rules: [{ kind: "dropAfter", method: "POST", times: 1 }] });
    const parent = "urn:pulumi:dev::shop::shop:index:Team$tunnel-gateway:index:ApiKey::one";
    const rotation = { rotateAfterDays: 30, overlapDays: 3 };
    const made = await Promise.all(
      [
        ["ApiKey", {}],
        [parent, {}],
        ["RotatingApiKey", rotation],
      ].map(async ([subject, args]) => {
        const { inputs } = await native.check(subject as string, args as Record<string, unknown>);
        return native.create(subject as string, inputs);
      }),
    );
    const keys = emulator.snapshot().api_keys!;
    expect(keys.map(({ id }) => id).sort()).toEqual(
      made.map(({ id, outputs }) => outputs.keyId ?? id).sort(),
    );
  });
});

describe("the life of an object", () => {
  it("is that of the life cycle: created, updated, read and deleted", async () => {
    const { inputs, failures } = await native.check("IpPolicy", { description: "office" });
    expect(failures).toStrictEqual([]);
    const created = await native.create("IpPolicy", inputs);
    expect(created.outputs).toMatchObject({ description: "office", metadata: null, __args: ["description"] });
    const args = { description: "lan", metadata: secretOf("of the program") };
    const updated = await native.update("IpPolicy", created, args);
    expect(updated.outputs).toMatchObject({ ...args, createdAt: created.outputs.createdAt });
    expect(await native.read("IpPolicy", updated.id, updated.outputs, updated.inputs)).toStrictEqual(updated);
    const own = { description: "of the program" };
    expect((await native.read("IpPolicy", updated.id, {}, own)).inputs).toStrictEqual(own);
    await native.delete("IpPolicy", updated);
    await expect(native.read("IpPolicy", updated.id)).rejects.toThrow(`${updated.id} does not exist`);
  });

  it("keeps the mark of the account in which it was created", async () => {
    const { outputs, ...created } = await native.create("IpPolicy", {});
    expect(outputs.__account).toMatch(/^[0-9a-f]{16}$/);
    const ofOther = { ...created, outputs: { ...outputs, __account: "0123456789abcdef" } };
    expect((await native.update("IpPolicy", ofOther, { description: "lan" })).outputs.__account).toBe(
      "0123456789abcdef",
    );
  });

  it("shows drift in the inputs of a refresh", async () => {
    const metadata = secretOf("of the program");
    const created = await native.create("IpPolicy", { description: "office", metadata });
    const drifted = { ...created.outputs, description: "before" };
    const found = await native.read("IpPolicy", created.id, drifted, { description: "before", metadata });
    expect(found.inputs).toStrictEqual({ description: "office", metadata });
  });

  it("keeps what the state marks as a secret, whatever the inputs of a refresh mark", async () => {
    const args = { description: secretOf("office") };
    const created = await native.create("IpPolicy", args);
    for (const inputs of [args, { description: "office" }, {}])
      expect((await native.read("IpPolicy", created.id, created.outputs, inputs)).outputs).toMatchObject(
        args,
      );
  });

  it("is no import in a refresh of a resource without arguments, whose empty inputs newer engines leave out", async () => {
    const created = await native.create("IpPolicy", {});
    await new EmulatorClient(emulator).api("PATCH", `/ip_policies/${created.id}`, {
      description: "not managed",
    });
    const found = await native.read("IpPolicy", created.id, created.outputs, {});
    expect(found.inputs).toStrictEqual({});
    expect(found.outputs).toMatchObject({ description: "not managed" });
  });

  it("is found by its id alone, with the inputs of a program for it", async () => {
    const { id } = await native.create("IpPolicy", { description: "office" });
    const policy = { ipPolicyId: id, cidr: "203.0.113.0/24", action: "allow" };
    const rule = await native.create("IpPolicyRule", policy);
    const found = await native.read("IpPolicyRule", rule.id);
    expect(found.inputs).toStrictEqual(policy);
    const diff = await native.diff("IpPolicyRule", found, policy);
    expect(diff.getChanges()).toBe(DiffChanges.DIFF_NONE);
  });
});

describe("a check", () => {
  it("reports everything that one resource can see, without the values of secrets", async () => {
    const wrong = {
      cidr: "203.0.113.1/24",
      ipPolicyId: "ak_1",
      nmae: "x",
      metadata: secretOf("m".repeat(5000)),
    };
    const { failures, inputs } = await native.check("IpPolicyRule", wrong);
    expect(failures).toStrictEqual([
      expect.stringMatching(/^nmae: is not an argument here/),
      expect.stringMatching(/^cidr: /),
      expect.stringMatching(/^ipPolicyId: must be an id that starts with ipp_/),
      "action: is required",
      expect.stringMatching(/^metadata: /),
    ]);
    expect(inputs.metadata).toStrictEqual(wrong.metadata);
    const ended = { "203.0.113.0/24": { action: "allow", until: "2020-01-01T00:00:00Z" } };
    expect(
      (await native.check("IpPolicyRuleSet", { ipPolicyId: "ak_1", rules: ended })).failures,
    ).toHaveLength(1);
    expect(engine.logged).toStrictEqual([]);
    await expect(native.read("IpPolicyRule", "ipr_\u001b[2J")).rejects.toThrow("ipr_\\u001b[2J");
  });

  it("keeps the secrets of the program and those of the declaration, and nothing but them", async () => {
    const args = { metadata: secretOf("mine"), description: "open" };
    expect((await native.check("IpPolicy", args)).inputs).toStrictEqual(args);
    const created = await native.create("IpPolicy", args);
    expect(created.outputs).toMatchObject(args);
    const key = await native.create("ApiKey", {});
    expect(key.outputs.token).toStrictEqual(secretOf(expect.any(String)));
  });

  it("takes no paths for equal that are not known yet", async () => {
    const module = { issuer: "https://id.example.com", clientId: "c", clientSecret: secretOf("s") };
    const oauth = { edgeId: "e", provider: { codeHost: {} } };
    for (const [routeId, failures] of [
      [unknown, []],
      ["r", [expect.stringMatching(/^routeId: must not be that of HttpsEdgeRouteOidc "one" too/)]],
    ] as const) {
      const args = { edgeId: "e", routeId, ...module };
      expect((await native.check("HttpsEdgeRouteOidc", args)).failures).toStrictEqual([]);
      const other = "urn:pulumi:dev::shop::tunnel-gateway:index:HttpsEdgeRouteOidc::other";
      expect((await native.check(other, args)).failures).toStrictEqual(failures);
      // Pulumi asks for one check several times, and the refused resource has no path.
      expect((await native.check("HttpsEdgeRouteOidc", args)).failures).toStrictEqual([]);
      expect((await native.check("HttpsEdgeRouteOauth", { ...oauth, routeId })).failures).toStrictEqual([]);
      // The next deployment may have it under another name.
      await native.configure({ apiKey: secretOf(emulator.apiKey), baseUrl: emulator.baseUrl });
      expect((await native.check(other, args)).failures).toStrictEqual([]);
    }
    // Neither sets of one policy nor objects whose ids the service gives.
    for (const [type, args] of [
      ["IpPolicyRuleSet", { ipPolicyId: "ipp_1", rules: {} }],
      ["IpPolicy", {}],
    ] as const)
      for (const name of ["one", "two"]) {
        const urn = `urn:pulumi:dev::shop::tunnel-gateway:index:${type}::${name}`;
        expect((await native.check(urn, args)).failures).toStrictEqual([]);
      }
  });

  it("takes what the engine does not know yet, of every kind", async () => {
    for (const [type, args] of [
      ["IpPolicyRuleSet", { ipPolicyId: unknown, rules: "dd056dcd-154b-4c76-9bd3-c8f88648b5ff" }],
      [
        "IpPolicyRuleSet",
        { ipPolicyId: unknown, rules: {}, exclusive: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7" },
      ],
      ["TcpEdge", { hostports: "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2" }],
      ["RotatingApiKey", { rotateAfterDays: "3eeb2bf0-c639-47a8-9e75-3b44932eb421", overlapDays: 3 }],
    ] as const)
      expect([type, (await native.check(type, args)).failures]).toStrictEqual([type, []]);
  });

  it("warns on the resource, once, of what looks wrong", async () => {
    const ended = { action: "allow", until: "2020-01-01T00:00:00Z" };
    const args = { ipPolicyId: unknown, rules: { "203.0.113.0/24": ended } };
    await native.check("IpPolicyRuleSet", args);
    await native.check("IpPolicyRuleSet", args);
    const urn = "urn:pulumi:dev::shop::tunnel-gateway:index:IpPolicyRuleSet::one";
    await native.check(`${urn}-other`, args);
    const message: unknown = expect.stringMatching(/^rules\["203.0.113.0\/24"\].until: has passed/);
    expect(engine.logged).toStrictEqual(
      [urn, `${urn}-other`].map((each) => ({ severity: LogSeverity.WARNING, urn: each, message })),
    );
  });
});

it("shows no control character of a service in a warning", async () => {
  const inputs = { rotateAfterDays: 30, overlapDays: 3 };
  const rotation = { keyId: "ak_\u001b[31m", rotatedAt: "2020-01-01T00:00:00Z", __args: Object.keys(inputs) };
  await native.diff("RotatingApiKey", { id: "ak_1", inputs, outputs: { ...inputs, ...rotation } }, inputs);
  const [{ message } = { message: "" }] = engine.logged;
  expect(message).toContain("because ak_\\u001b[31m was created at");
});

describe("a secret in plaintext", () => {
  const creds = { accessKeyId: secretOf("hidden"), secretAccessKey: "hush" };
  const args = { target: { stream: { streamRef: "s", auth: { creds } } } };
  const path = "target.stream.auth.creds.secretAccessKey";

  it("is a warning on the resource, once, where a program in another language does not mark it", async () => {
    const urn = "urn:pulumi:dev::shop::tunnel-gateway:index:EventDestination::other";
    for (const _time of [1, 2]) {
      expect((await native.check(urn, args)).failures).toStrictEqual([]);
    }
    const [logged, ...more] = engine.logged;
    expect(logged).toMatchObject({ severity: LogSeverity.WARNING, urn });
    expect(logged!.message).toMatch(`${path}: is a secret in plaintext: take it from`);
    expect(more).toStrictEqual([]);
  });

  it("is none of the provider where a class has marked it: the program warns, with its line", async () => {
    const given = { target: secretOf(args.target), __secretsInPlaintext: [path] };
    expect((await native.check("EventDestination", given)).failures).toStrictEqual([]);
    expect(engine.logged).toStrictEqual([]);
  });

  it("is none that is a secret of the engine, unknown or not returned", async () => {
    const module = { edgeId: "e", routeId: "r", provider: "GITHUB" };
    for (const secret of [secretOf("hidden"), unknown, notReturned]) {
      const given = { ...module, secret };
      const { failures } = await native.check("HttpsEdgeRouteWebhookVerification", given, module);
      expect(failures).toStrictEqual([]);
    }
    expect(engine.logged).toStrictEqual([]);
  });
});

describe("what the engine hides of a native provider's own output", () => {
  beforeEach(() => {
    process.env.TUNNEL_GATEWAY_LOG = "debug";
  });
  afterEach(() => {
    delete process.env.TUNNEL_GATEWAY_LOG;
  });

  it("goes to the engine: why a request takes long, once, and the requests where the environment asks", async () => {
    // Connections are shared by their settings.
    await native.configure({ apiKey: emulator.apiKey, baseUrl: emulator.baseUrl, requestTimeout: "59" });
    emulator.setFaults({ rules: [{ kind: "status", path: "/ip_policies", status: 503, times: 2 }] });
    await native.create("IpPolicy", {});
    expect(new Set(engine.logged.map(({ urn, severity }) => `${urn} ${severity}`))).toEqual(
      new Set([` ${LogSeverity.INFO}`]),
    );
    const messages = engine.logged.map(({ message }) => message);
    expect(messages.filter((message) => message.includes("retrying"))).toStrictEqual([
      expect.stringMatching(
        /^tunnel-gateway: creating the IP policy failed: 503 .*; retrying for up to 300 seconds$/,
      ),
    ]);
    expect(messages.filter((message) => message.includes(" 503 in ")).length).toBeGreaterThan(0);
  });
});

describe("a diff", () => {
  it("names each difference, what it replaces, and the outputs that stay", async () => {
    const { id } = await native.create("IpPolicy", {});
    const args = { ipPolicyId: id, cidr: "203.0.113.0/24", action: "allow" };
    const rule = await native.create("IpPolicyRule", args);
    const news = { ...args, action: "deny", description: "d" };
    const diff = await native.diff("IpPolicyRule", rule, news);
    expect(diff.getChanges()).toBe(DiffChanges.DIFF_SOME);
    expect(diff.getReplacesList()).toStrictEqual(["action"]);
    expect(diff.getDeletebeforereplace()).toBe(true);
    expect(diff.getStablesList()).toStrictEqual(["id", "uri", "createdAt", "ipPolicy"]);
    expect(diff.getHasdetaileddiff()).toBe(true);
    expect(Object.fromEntries(diff.toObject().detaileddiffMap)).toStrictEqual({
      action: { kind: Kind.UPDATE_REPLACE, inputdiff: true },
      description: { kind: Kind.ADD, inputdiff: true },
    });
    expect((await native.diff("IpPolicyRule", rule, args)).getHasdetaileddiff()).toBe(false);
  });

  it("says whether an argument comes, goes or is another one, and where the program has not changed it", async () => {
    const kinds = async (type: string, olds: object, news: object, drift: object = {}) => {
      const made = await native.create(type, { ...olds });
      const known = { ...made, outputs: { ...made.outputs, ...drift } };
      const diff = (await native.diff(type, known, { ...news })).toObject();
      return Object.fromEntries(
        diff.detaileddiffMap.map(([name, { kind, inputdiff }]) => [name, [kind, inputdiff]]),
      );
    };
    expect(await kinds("IpPolicy", { description: "a" }, { metadata: "m" })).toStrictEqual({
      description: [Kind.DELETE, true],
      metadata: [Kind.ADD, true],
    });
    const owner = { ownerId: (await native.create("BotUser", { name: "bot" })).id };
    expect(await kinds("ApiKey", {}, owner)).toStrictEqual({ ownerId: [Kind.ADD_REPLACE, true] });
    expect(await kinds("ApiKey", owner, {})).toStrictEqual({ ownerId: [Kind.DELETE_REPLACE, true] });
    const args = { description: "a" };
    expect(await kinds("IpPolicy", args, args, { description: "by hand" })).toStrictEqual({
      description: [Kind.UPDATE, false],
    });
    // Neither the old nor the new inputs have it.
    await emulator.seed({ tls_edges: [{ id: "edgtls_1" }], ip_policies: [{ id: "ipp_1" }] });
    const restriction = { edgeId: "edgtls_1", ipPolicyIds: ["ipp_1"] };
    expect(await kinds("TlsEdgeIpRestriction", restriction, restriction, { enabled: false })).toStrictEqual({
      enabled: [Kind.UPDATE, false],
    });
  });

  it.each([
    [["cidr", "description"], DiffChanges.DIFF_NONE, [], []],
    [["*"], DiffChanges.DIFF_NONE, [], []],
    [["description"], DiffChanges.DIFF_SOME, ["cidr"], []],
    [["descr", "cidr.x"], DiffChanges.DIFF_SOME, ["cidr", "description"], []],
    [["description"], DiffChanges.DIFF_SOME, ["action", "cidr"], ["action"], "deny"],
    [["action", "cidr", "description"], DiffChanges.DIFF_NONE, [], [], "deny"],
  ])(
    "leaves out what the program ignores: %j",
    async (ignored, changes, differing, replaces, action = "allow") => {
      const { id } = await native.create("IpPolicy", {});
      const args = { ipPolicyId: id, cidr: "203.0.113.0/24", action: "allow", description: "mine" };
      const found = await native.create("IpPolicyRule", {
        ...args,
        action,
        cidr: "10.0.0.0/8",
        description: "theirs",
      });
      const diff = await native.diff("IpPolicyRule", found, args, ignored);
      expect(diff.getChanges()).toBe(changes);
      expect(diff.getDiffsList().sort()).toEqual(differing);
      expect(diff.getReplacesList()).toEqual(replaces);
    },
  );

  it("names an argument once, however many of its members differ", async () => {
    const backend = async (service: string): Promise<string> =>
      (await native.create("TunnelGroupBackend", { labels: { service } })).id;
    const [one, other] = [await backend("one"), await backend("other")];
    const edge = await native.create("TcpEdge", { backend: { enabled: true, backendId: one } });
    const args = { backend: { enabled: false, backendId: other } };
    const diff = await native.diff("TcpEdge", edge, args);
    expect(diff.getDiffsList()).toStrictEqual(["backend"]);
    expect((await native.diff("TcpEdge", edge, args, ["backend"])).getChanges()).toBe(DiffChanges.DIFF_NONE);
    const members = [...diff.getDetaileddiffMap().keys()].sort();
    expect(members).toStrictEqual(["backend.backendId", "backend.enabled"]);
  });
});

describe("a preview", () => {
  it("knows of a new object what the program gives, and sends nothing", async () => {
    const { outputs } = await native.create("IpPolicy", { description: "office" }, true);
    expect(outputs).toMatchObject({ description: "office", metadata: unknown, createdAt: unknown });
    expect(emulator.requests).toStrictEqual([]);
  });

  it("knows of an update all that it cannot change", async () => {
    const created = await native.create("IpPolicy", { description: "office", metadata: secretOf("mine") });
    const { outputs } = await native.update("IpPolicy", created, { metadata: secretOf("yours") }, true);
    const { createdAt, uri } = created.outputs;
    expect(outputs).toMatchObject({ description: null, metadata: secretOf("yours"), createdAt, uri });
  });
});

describe("a failed write whose object exists", () => {
  it("is recorded with its secrets", async () => {
    emulator.setFaults({ rules: [{ kind: "status", status: 500, method: "PATCH", path: "/api_keys" }] });
    const failure = await failureOf<unknown>(native.create("ApiKey", { description: "d" }));
    const { id, properties, reasons } = recordedIn(failure)!;
    expect(id).toMatch(/^ak_/);
    expect(properties.__account).toMatch(/^[0-9a-f]{16}$/);
    expect(properties).toMatchObject({ token: secretOf(expect.any(String)) });
    expect(reasons).toStrictEqual([expect.stringMatching(/The object ak_\w+ exists and is recorded/)]);
    // Only the update that repairs it knows what else it has.
    const args = { description: "d" };
    const partial = { id, outputs: properties, inputs: args };
    expect((await native.diff("ApiKey", partial, args)).getStablesList()).toStrictEqual(["id"]);
    const planned = await native.update("ApiKey", partial, args, true);
    expect(planned.outputs).toMatchObject({ ...args, uri: unknown, createdAt: unknown });
  });

  it("gets an answer even if its state cannot be sent", async () => {
    const failure = new PartialFailure(new GatewayError("refused"), "ak_1", { unsendable: 1n }, {});
    const failing = { create: () => Promise.reject(failure) } as unknown as NativeProvider;
    const { message } = await failureOf(NativeClient.inProcess(failing).create("ApiKey", {}));
    expect(message).toMatch(/struct/);
  }, 20_000);
});

describe("the functions", () => {
  it("read one object by its id or a filter, with its secrets as secrets", async () => {
    const { id } = await native.create("IpPolicy", { description: "office" });
    const expected: unknown = expect.objectContaining({ id, description: "office" });
    expect(await native.invoke("tunnel-gateway:index:getIpPolicy", { id })).toStrictEqual(expected);
    const filter = { description: "office" };
    expect(await native.invoke("tunnel-gateway:index:getIpPolicy", { filter })).toStrictEqual(expected);
  });

  it("list objects, and those of an owner", async () => {
    const { id: ipPolicyId } = await native.create("IpPolicy", { description: "office" });
    await native.create("IpPolicy", {});
    const all = await native.invoke("tunnel-gateway:index:listIpPolicies", {});
    expect(all.objects).toHaveLength(2);
    const limited = await native.invoke("tunnel-gateway:index:listIpPolicies", { limit: 1 });
    expect(limited.objects).toHaveLength(1);
    const listed = await native.invoke("tunnel-gateway:index:listIpPolicies", {
      filter: { description: "office" },
    });
    expect(listed).toStrictEqual({ objects: [expect.objectContaining({ id: ipPolicyId })] });
    const unknownFunction = native.invoke("tunnel-gateway:index:getNothing", {});
    await expect(unknownFunction).rejects.toThrow("knows no function tunnel-gateway:index:getNothing");
  });
});
