import { runtime } from "@pulumi/pulumi";
import { asRule, Life } from "../../support/life";
import type { RecordedRequest } from "../../../src/emulator";
import type { Json } from "../../../src/schema/json";
import { declarationOf } from "../../../src/resources/registry";
import { text } from "../../../src/schema/kinds";
import { sshKey } from "../../rounds/values";
import { secretOf } from "../../support/in-process/values";
import { emulatorForTests } from "../../support/emulators";
import { Plugin, requestsTo } from "../../support/plugin";
import { configuredHooks } from "../../support/configured-hooks";

const ipPolicy = declarationOf("IpPolicy");
const ipPolicyRule = declarationOf("IpPolicyRule");

const rule = { cidr: "2001:db8::/32", ipPolicyId: "ipp_1", action: "allow" };

const rules = () => new Life(ipPolicyRule, asRule);
const policy = (answer: Life["answer"] = same) => new Life(ipPolicy, answer);
const same = (stored: Json): Json => stored;

/** The token of a key as the engine stores it. */
const marked = { token: secretOf("tok-1") };

/** A key whose token only the answer to its creation holds. */
function apiKey(): Life {
  const life = new Life(declarationOf("ApiKey"), (stored) => ({
    ...{ owner_id: "usr_1", token: null },
    ...stored,
  }));
  life.once = { token: "tok-1" };
  return life;
}

describe("check", () => {
  it("returns the arguments as they are, when all of them are right", async () => {
    expect(await rules().cycle.check({}, { ...rule, __provider: "text" })).toStrictEqual({ inputs: rule });
  });

  it("leaves out what is null or undefined, and keeps what is false, 0 or empty", async () => {
    const args = { ...rule, description: null, metadata: "" };
    expect(await rules().cycle.check({}, args)).toEqual({ inputs: { ...rule, metadata: "" } });
  });

  it("leaves out an empty text that means the default, and keeps any other", async () => {
    const zoned = { ...ipPolicy, fields: { ...ipPolicy.fields, zone: text().emptyIsDefault() } };
    const { cycle } = new Life(zoned, same);
    const args = { description: "" };
    expect(await cycle.check({}, { ...args, zone: "" })).toEqual({ inputs: args });
    expect(await cycle.check({}, { ...args, zone: "eu" })).toEqual({ inputs: { ...args, zone: "eu" } });
  });

  it("keeps the hint at the plaintext secrets, which is no argument", async () => {
    const args = { ...rule, __secretsInPlaintext: ["metadata"] };
    expect(await rules().cycle.check({}, args)).toEqual({ inputs: args });
  });

  it("keeps the earlier spelling of a range that means the same", async () => {
    const inputs = await rules().check(rule, { ...rule, cidr: "2001:DB8:0::/32" });
    expect(inputs).toEqual(rule);
  });

  it.each([
    ["trafficPolicy", { enabled: true }, { value: "" }],
    ["trafficPolicy", { value: "" }, {}],
    ["ipRestriction", { enabled: true }, { enabled: true, ipPolicyIds: [] }],
    ["ipRestriction", { ipPolicyIds: [] }, { enabled: true }],
  ])(
    "takes an empty member of %s for given, and a member that is left out for the service's",
    async (module, before, now) => {
      const edge = new Life(declarationOf("TcpEdge"), same);
      expect(await edge.check({ [module]: before }, { [module]: now })).toEqual({ [module]: now });
    },
  );

  it("keeps a member with its stated default, where it is left out now", async () => {
    const edge = new Life(declarationOf("TcpEdge"), same);
    const before = { trafficPolicy: { enabled: true, value: "{}" } };
    expect(await edge.check(before, { trafficPolicy: { value: "{}" } })).toEqual(before);
  });

  it("takes another range as it is written", async () => {
    const inputs = await rules().check(rule, { ...rule, cidr: "2001:DB9::/32" });
    expect(inputs).toEqual({ ...rule, cidr: "2001:DB9::/32" });
  });

  it("names no property in a failure, because the engine would print the property's value", async () => {
    const args = { cidr: "10.0.0.1/8", ipPolicyId: "ipr_1", action: "alow", extra: "secret?" };
    const { failures } = await rules().cycle.check({}, args);
    expect(failures!.map(({ property }) => property)).toEqual(["", "", "", ""]);
    const reasons = failures!.map(({ reason }) => reason);
    for (const path of ["cidr", "ipPolicyId", "action", "extra"]) {
      expect(reasons.filter((reason) => reason.startsWith(`${path}: `))).toHaveLength(1);
    }
    expect(reasons.join()).not.toContain("secret?");
  });

  it("checks what stands beside an unknown value, and never the unknown one", async () => {
    const args = { cidr: "10.0.0.1/8", ipPolicyId: runtime.unknownValue, action: runtime.unknownValue };
    const { failures } = await rules().cycle.check({}, args);
    expect(failures!.map(({ reason }) => reason)).toEqual([expect.stringMatching(/^cidr: /)]);
    const inputs = await rules().check(rule, { ...args, cidr: rule.cidr });
    expect(inputs).toEqual({ ...args, cidr: rule.cidr });
  });

  it.each(["2030-05-01T00:00:00Z", "2030-07-01T00:00:00Z"])(
    "compares the end of a certificate, %s, with the present unless it is the earlier one",
    async (validUntil) => {
      const { cycle } = new Life(declarationOf("SshHostCertificate"), same);
      const args = { sshCertificateAuthorityId: "sshca_1", publicKey: sshKey("one"), validUntil };
      const { failures = [] } = await cycle.check({}, args);
      const passed = [
        { property: "", reason: `validUntil: must be in the future, and ${validUntil} has passed` },
      ];
      expect(failures).toEqual(validUntil.startsWith("2030-05") ? passed : []);
      expect(await cycle.check(args, args)).toEqual({ inputs: args });
    },
  );

  it("takes the present from the clock", async () => {
    const hook = configuredHooks("SshHostCertificate", { apiKey: "key", baseUrl: "https://gateway.test" });
    const args = { sshCertificateAuthorityId: "sshca_1", publicKey: sshKey("one") };
    const at = (time: number) => ({ ...args, validUntil: new Date(time).toISOString().slice(0, 19) + "Z" });
    expect(await hook("check")({}, at(Date.now() + 3_600_000))).not.toHaveProperty("failures");
    expect(await hook("check")({}, at(Date.now() - 3_600_000))).toHaveProperty("failures");
  });

  it("adds the value that switches a module off only where the program took the module out", async () => {
    const { cycle } = new Life(declarationOf("TcpEdge"), same);
    const hostports = ["a.example.com:1"];
    const on = { hostports, trafficPolicy: { value: "{}" } };
    expect(await cycle.check({}, { hostports })).toEqual({ inputs: { hostports } });
    expect(await cycle.check({ hostports }, on)).toEqual({ inputs: on });
    expect(await cycle.check(on, on)).toEqual({ inputs: on });
    const off = { hostports, trafficPolicy: { enabled: false } };
    expect(await cycle.check(on, { hostports })).toEqual({ inputs: off });
  });

  it("tells what is wrong with the settings beside what is wrong with the arguments", async () => {
    const hook = configuredHooks("IpPolicy", {});
    const { failures } = (await hook("check")({}, { description: 5 })) as { failures: { reason: string }[] };
    expect(failures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^the setting tunnel-gateway:baseUrl .* is not set/),
      "description: must be a string, not a number",
    ]);
  });
});

describe("create", () => {
  it("sends the arguments under the specification's names, and nothing else", async () => {
    const life = rules();
    await life.create({ ...rule, description: "" });
    expect(life.sent).toEqual([
      {
        verb: "create",
        body: { cidr: rule.cidr, ip_policy_id: "ipp_1", action: "allow", description: "" },
      },
    ]);
  });

  it("keeps the program's spelling, the Ref under its own name, and which arguments are set", async () => {
    const others = { metadata: null, description: "", uri: "u", created_at: "2026-01-01T00:00:00Z" };
    const life = new Life(ipPolicyRule, (stored) =>
      asRule({ ...stored, cidr: "2001:0db8:0::/32", ...others }),
    );
    expect(await life.create(rule)).toEqual({
      ...rule,
      __account: expect.any(String) as string,
      // Null in the state: an output that the state lacks would be unknown to previews.
      description: null,
      metadata: null,
      ipPolicy: { id: "ipp_1", uri: "https://gateway.test/ip_policies/ipp_1" },
      uri: "u",
      createdAt: "2026-01-01T00:00:00Z",
      __args: ["cidr", "ipPolicyId", "action"],
    });
  });

  it("marks a token as a secret in the engine's notation", async () => {
    const life = apiKey();
    expect((await life.cycle.create({ description: "d" })).outs).toMatchObject({
      ...marked,
      description: "d",
      ownerId: "usr_1",
      __args: ["description"],
    });
  });
});

describe("read", () => {
  // The three ways in which services show what was never set.
  const unset = {
    absent: {},
    null: { description: null, metadata: null },
    empty: { description: "", metadata: "" },
  };

  it.each(Object.entries(unset))("finds no drift where what is not set is %s", async (_way, members) => {
    const life = policy((stored) => ({ ...stored, ...members }));
    const outs = await life.create({});
    expect(await life.read(outs)).toEqual({ state: outs });
    expect(outs).toMatchObject({ description: null, metadata: null });
  });

  it.each(Object.entries(unset))('finds no drift where "" was set and is %s', async (_way, members) => {
    const life = policy((stored) => ({ ...stored, ...members }));
    const outs = await life.create({ description: "", metadata: "" });
    expect(await life.read(outs)).toEqual({ state: outs });
  });

  it("returns all inputs with the drift where a managed field drifted, and no unmanaged one", async () => {
    const life = rules();
    const outs = await life.create({ ...rule, description: "mine" });
    life.stored = { ...life.stored, cidr: "10.0.0.0/8", metadata: "theirs" };
    const { inputs, state } = await life.read(outs);
    expect(inputs).toEqual({ ...rule, cidr: "10.0.0.0/8", description: "mine" });
    expect(state).toMatchObject({ cidr: "10.0.0.0/8", metadata: "theirs" });
  });

  it("returns inputs without the argument that somebody cleared", async () => {
    const life = policy(({ description: given, ...rest }) =>
      given === "" ? rest : { description: given, ...rest },
    );
    const outs = await life.create({ description: "mine", metadata: "m" });
    life.stored = { ...life.stored, description: "" };
    const { inputs, state } = await life.read(outs);
    expect(inputs).toEqual({ metadata: "m" });
    // The argument is still known to be the program's, so the next diff finds it missing.
    expect(state.__args).toEqual(["description", "metadata"]);
    const next = await life.cycle.diff(life.id, state, { description: "mine", metadata: "m" });
    expect(next).toMatchObject({ changes: undefined, replaces: [] });
  });

  it("keeps a token that no later answer holds", async () => {
    const life = apiKey();
    const outs = await life.create({});
    expect(await life.cycle.read(life.id, outs)).toMatchObject({ props: marked });
  });

  it("says deleted in a refresh of what is gone, and fails where it is looked up", async () => {
    const life = policy();
    const outs = await life.create({});
    life.stored = undefined;
    expect(await life.cycle.read("ipp_1", outs)).toEqual({ id: "", props: {} });
    await expect(life.cycle.read("ipp_1", { __provider: "text" })).rejects.toThrow(
      "the IP policy ipp_1 does not exist",
    );
  });

  it("looks up an object without any argument of a program's", async () => {
    const life = policy();
    life.stored = { description: "somebody's" };
    const { state, inputs } = await life.read({ __provider: "text" });
    expect(state).toMatchObject({ description: "somebody's", __args: [] });
    expect(inputs).toBeUndefined();
  });
});

describe("diff", () => {
  const state = {
    ...rule,
    description: "d",
    uri: "u",
    __args: ["cidr", "ipPolicyId", "action", "description"],
  };
  const args = { ...rule, description: "d" };
  const diff = (next: object, olds: object = state) =>
    rules().cycle.diff("ipr_1", olds as never, next as never);

  it("sees no change where nothing changed, and sends nothing", async () => {
    const life = rules();
    expect(await life.cycle.diff("ipr_1", state, args)).toMatchObject({ changes: false, replaces: [] });
    expect([life.sent, life.reads]).toEqual([[], 0]);
  });

  it("sees an update where an update can send it", async () => {
    expect(await diff({ ...args, cidr: "10.0.0.0/8", description: "e" })).toMatchObject({
      changes: undefined,
      replaces: [],
    });
  });

  it("sees a replacement where only a create takes it; a twin is deleted first", async () => {
    expect(await diff({ ...args, action: "deny" })).toEqual({
      changes: undefined,
      replaces: ["action"],
      deleteBeforeReplace: true,
    });
    expect(await diff({ ...args, action: "deny", cidr: "10.0.0.0/8" })).toMatchObject({
      replaces: ["action"],
      deleteBeforeReplace: false,
    });
    expect(await diff({ ...args, ipPolicyId: "ipp_2" })).toMatchObject({
      replaces: ["ipPolicyId"],
      deleteBeforeReplace: false,
    });
  });

  it("sees a replacement by an unknown value only where any change replaces", async () => {
    const unknown = runtime.unknownValue;
    expect(await diff({ ...args, ipPolicyId: unknown })).toMatchObject({ replaces: ["ipPolicyId"] });
    expect(await diff({ ...args, cidr: unknown, description: unknown })).toMatchObject({
      changes: undefined,
      replaces: [],
    });
  });

  it("sees a change where an argument is removed, also when nothing is left to send for it", async () => {
    expect(await diff(rule)).toMatchObject({ changes: undefined, replaces: [] });
    expect(await diff(rule, { ...state, description: "" })).toMatchObject({ changes: true, replaces: [] });
  });

  it("leaves alone what the program never set", async () => {
    const olds = { ...state, metadata: "of the service", __args: state.__args };
    expect(await diff(args, olds)).toMatchObject({ changes: false });
  });

  it("replaces an API key whose owner is changed or left to the service again", async () => {
    const { cycle } = apiKey();
    const olds = { ownerId: "bot_1", token: "t", __args: ["ownerId"] };
    expect(await cycle.diff("ak_1", olds, { ownerId: "usr_1" })).toMatchObject({ replaces: ["ownerId"] });
    expect(await cycle.diff("ak_1", olds, {})).toMatchObject({ replaces: ["ownerId"] });
    expect(await cycle.diff("ak_1", { ...olds, __args: [] }, {})).toMatchObject({ changes: false });
    // To set what the service set anyway records the argument, and keeps the key.
    expect(await cycle.diff("ak_1", { ...olds, __args: [] }, { ownerId: "bot_1" })).toMatchObject({
      changes: true,
      replaces: [],
    });
  });
});

describe("update", () => {
  it("sends the changed arguments only, and a removed one as what clears it", async () => {
    const life = rules();
    const outs = await life.create({ ...rule, description: "d", metadata: "m" });
    const next = await life.update(outs, { ...rule, cidr: "10.0.0.0/8", metadata: "m" });
    expect(life.sent.slice(1)).toEqual([{ verb: "update", body: { cidr: "10.0.0.0/8", description: "" } }]);
    expect(next).toMatchObject({ cidr: "10.0.0.0/8", metadata: "m", description: null });
    expect(next.__args).toEqual(["cidr", "ipPolicyId", "action", "metadata"]);
  });

  it("sends nothing where only the set of arguments changed", async () => {
    const life = policy((stored) => ({ ...stored, metadata: "of the service" }));
    const outs = await life.create({});
    const next = await life.update(outs, { metadata: "of the service" });
    expect([life.sent.length, life.reads]).toEqual([1, 0]);
    expect(next).toMatchObject({ metadata: "of the service", __args: ["metadata"] });
  });

  it("keeps what the service has in an object of which the program sets nothing", async () => {
    const traffic_policy = { enabled: true, value: "by hand" };
    const life = new Life(declarationOf("TcpEdge"), (stored) => ({ ...stored, traffic_policy }));
    const outs = await life.create({});
    const next = await life.update(outs, { trafficPolicy: {} });
    expect([life.sent.length, life.reads]).toEqual([1, 0]);
    expect(next.trafficPolicy).toEqual({ enabled: true, value: "by hand" });
  });

  it("forgets a member that no answer holds with its argument", async () => {
    const endpointSelectors = ["true"];
    const binding = { endpoint_selectors: endpointSelectors };
    const life = new Life(declarationOf("KubernetesOperator"), (stored) => ({ ...stored, binding }));
    const outs = await life.create({ binding: { endpointSelectors, csr: "request" } });
    expect(outs.binding).toMatchObject({ csr: "request" });
    const next = await life.update(outs, { binding: { endpointSelectors } });
    expect([life.sent.length, life.reads]).toEqual([1, 0]);
    expect(next.binding).toEqual({ endpointSelectors });
  });

  it("keeps a token, marked", async () => {
    const life = apiKey();
    const outs = await life.create({});
    for (const description of ["d", ""])
      expect(await life.cycle.update(life.id, outs, { description })).toMatchObject({ outs: marked });
  });
});

describe("a request", () => {
  const emulator = emulatorForTests({ basePath: "/api" });
  const writes = () => requestsTo(emulator).filter((line) => !line.startsWith("GET"));

  it("is sent below the base URL's path, without the key in its address or body", async () => {
    const { id } = await Plugin.for(emulator).create("IpPolicy", {});
    expect(id).toMatch(/^ipp_/);
    expect(requestsTo(emulator)).toEqual(["POST /ip_policies"]);
    const [{ path, query, body }] = emulator.requests as [RecordedRequest];
    expect(JSON.stringify([path, query, body])).not.toContain(emulator.apiKey);
  });

  it("of a deletion is one, and deleting what is gone is success", async () => {
    await emulator.seed({ ip_policies: [{ id: "ipp_1" }] });
    const hooks = Plugin.for(emulator).hooks("IpPolicy");
    await hooks.delete("ipp_1");
    await hooks.delete("ipp_1");
    expect(writes()).toEqual(Array(2).fill("DELETE /ip_policies/ipp_1"));
  });

  it("is refused with an id that is no single part of a path", async () => {
    const hooks = Plugin.for(emulator).hooks("IpPolicy");
    for (const id of ["..", "."]) await expect(hooks.delete(id)).rejects.toThrow("address");
    await hooks.delete("ipp_1/../ipp_2");
    expect(writes()).toEqual(["DELETE /ip_policies/ipp_1%2F..%2Fipp_2"]);
  });
});
