import { runtime } from "@pulumi/pulumi";
import { AnsweringService, asRule, key } from "../../support/answering-service";
import { declarationOf } from "../../../src/resources/registry";
import { text } from "../../../src/schema/kinds";
import { sshKey } from "../../rounds/values";
import { plain, secretOf } from "../../support/in-process/values";
import { configuredHooks } from "../../support/configured-hooks";

const apiKey = declarationOf("ApiKey");
const ipPolicy = declarationOf("IpPolicy");
const ipPolicyRule = declarationOf("IpPolicyRule");

const rule = { cidr: "2001:db8::/32", ipPolicyId: "ipp_1", action: "allow" };

function rules(): AnsweringService {
  const service = new AnsweringService(ipPolicyRule);
  service.answer = asRule;
  return service;
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
    const { cycle } = new AnsweringService({
      ...ipPolicy,
      fields: { ...ipPolicy.fields, zone: text().emptyIsDefault() },
    });
    const args = { description: "" };
    expect(await cycle.check({}, { ...args, zone: "" })).toEqual({ inputs: args });
    expect(await cycle.check({}, { ...args, zone: "eu" })).toEqual({ inputs: { ...args, zone: "eu" } });
  });

  it("keeps the hint at the plaintext secrets, which is no argument", async () => {
    const args = { ...rule, __clear: ["metadata"] };
    expect(await rules().cycle.check({}, args)).toEqual({ inputs: args });
  });

  it("keeps the earlier spelling of a range that means the same", async () => {
    const { inputs } = await rules().cycle.check(rule, { ...rule, cidr: "2001:DB8:0::/32" });
    expect(inputs).toEqual(rule);
  });

  it("takes another range as it is written", async () => {
    const { inputs } = await rules().cycle.check(rule, { ...rule, cidr: "2001:DB9::/32" });
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
    const { inputs } = await rules().cycle.check(rule, { ...args, cidr: rule.cidr });
    expect(inputs).toEqual({ ...args, cidr: rule.cidr });
  });

  it.each(["2025-01-01T00:00:00Z", "2026-06-01T00:00:00Z"])(
    "compares the end of a certificate, %s, with the present unless it is the earlier one",
    async (validUntil) => {
      const { cycle } = new AnsweringService(declarationOf("SshHostCertificate"));
      const args = { sshCertificateAuthorityId: "sshca_1", publicKey: sshKey("one"), validUntil };
      const { failures = [] } = await cycle.check({}, args);
      const passed = [
        { property: "", reason: `validUntil: must be in the future, and ${validUntil} has passed` },
      ];
      expect(failures).toEqual(validUntil.startsWith("2025") ? passed : []);
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
    const { cycle } = new AnsweringService(declarationOf("TcpEdge"));
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
      expect.stringMatching(/tunnel-gateway:apiKey .* is not set.*tunnel-gateway:baseUrl .* is not set/),
      "description: must be a string, not a number",
    ]);
  });
});

describe("create", () => {
  it("sends the arguments under the specification's names, and nothing else", async () => {
    const service = rules();
    await service.created({ ...rule, description: "" });
    expect(service.writes()).toEqual([
      {
        line: "POST /ip_policy_rules",
        body: { cidr: rule.cidr, ip_policy_id: "ipp_1", action: "allow", description: "" },
      },
    ]);
  });

  it("keeps the program's spelling, the Ref under its own name, and which arguments are set", async () => {
    const service = rules();
    service.answer = (stored) =>
      asRule({ ...stored, cidr: "2001:0db8:0::/32", metadata: null, description: "" });
    const { outs, id } = await service.created(rule);
    expect(id).toBe("ipr_1");
    expect(outs).toEqual({
      ...rule,
      // Null in the state: an output that the state lacks would be unknown to previews.
      description: null,
      metadata: null,
      ipPolicy: { id: "ipp_1", uri: "https://gateway.test/ip_policies/ipp_1" },
      uri: "https://gateway.test/x/ipr_1",
      createdAt: "2026-01-01T00:00:00Z",
      __args: ["cidr", "ipPolicyId", "action"],
    });
  });

  it("marks a token as a secret in the engine's notation", async () => {
    const service = new AnsweringService(apiKey);
    service.answer = (stored) => ({ owner_id: "usr_1", token: null, ...stored });
    service.once = { token: "tok-1" };
    const { outs } = await service.cycle.create({ description: "d" });
    expect(outs.token).toEqual(secretOf("tok-1"));
    expect(outs).toMatchObject({ description: "d", ownerId: "usr_1", __args: ["description"] });
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
    const service = new AnsweringService(ipPolicy);
    service.answer = (stored) => ({ ...stored, ...members });
    const { id, outs } = await service.created({});
    const result = await service.cycle.read(id, outs);
    expect(result.inputs).toBeUndefined();
    expect(plain(result.props)).toEqual(outs);
    expect(outs).toMatchObject({ description: null, metadata: null });
  });

  it.each(Object.entries(unset))('finds no drift where "" was set and is %s', async (_way, members) => {
    const service = new AnsweringService(ipPolicy);
    service.answer = (stored) => ({ ...stored, ...members });
    const { id, outs } = await service.created({ description: "", metadata: "" });
    const result = await service.cycle.read(id, outs);
    expect(result.inputs).toBeUndefined();
    expect(plain(result.props)).toEqual(outs);
  });

  it("returns all inputs with the drift where a managed field drifted, and no unmanaged one", async () => {
    const service = rules();
    const { id, outs } = await service.created({ ...rule, description: "mine" });
    service.objects.set(id, { ...service.objects.get(id), cidr: "10.0.0.0/8", metadata: "theirs" });
    const { inputs, props } = await service.cycle.read(id, outs);
    expect(inputs).toEqual({ ...rule, cidr: "10.0.0.0/8", description: "mine" });
    expect(props).toMatchObject({ cidr: "10.0.0.0/8", metadata: "theirs" });
  });

  it("returns inputs without the argument that somebody cleared", async () => {
    const service = new AnsweringService(ipPolicy);
    service.answer = ({ description: given, ...rest }) =>
      given === "" ? rest : { description: given, ...rest };
    const { id, outs } = await service.created({ description: "mine", metadata: "m" });
    service.objects.set(id, { ...service.objects.get(id), description: "" });
    const { inputs, props } = await service.cycle.read(id, outs);
    expect(inputs).toEqual({ metadata: "m" });
    // The argument is still known to be the program's, so the next diff finds it missing.
    expect(props.__args).toEqual(["description", "metadata"]);
    const next = await service.cycle.diff(id, plain(props), {
      description: "mine",
      metadata: "m",
    });
    expect(next).toMatchObject({ changes: undefined, replaces: [] });
  });

  it("keeps a token that no later answer holds", async () => {
    const service = new AnsweringService(apiKey);
    service.answer = (stored) => ({ owner_id: "usr_1", token: null, ...stored });
    service.once = { token: "tok-1" };
    const { id, outs } = await service.created({});
    const { props } = await service.cycle.read(id, outs);
    expect(props.token).toEqual(secretOf("tok-1"));
  });

  it("says deleted in a refresh of what is gone, and fails where it is looked up", async () => {
    const service = new AnsweringService(ipPolicy);
    const { outs } = await service.created({});
    service.objects.clear();
    expect(await service.cycle.read("ipp_1", outs)).toEqual({ id: "", props: {} });
    await expect(service.cycle.read("ipp_1", { __provider: "text" })).rejects.toThrow(
      "the IP policy ipp_1 does not exist",
    );
  });

  it("looks up an object without any argument of a program's", async () => {
    const service = new AnsweringService(ipPolicy);
    await service.created({ description: "somebody's" });
    const { props, inputs } = await service.cycle.read("ipp_1", { __provider: "text" });
    expect(props).toMatchObject({ description: "somebody's", __args: [] });
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
    const service = rules();
    expect(await service.cycle.diff("ipr_1", state, args)).toMatchObject({ changes: false, replaces: [] });
    expect(service.sent).toEqual([]);
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
    const { cycle } = new AnsweringService(apiKey);
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
    const service = rules();
    const { id, outs } = await service.created({ ...rule, description: "d", metadata: "m" });
    service.writes();
    const { outs: next } = await service.cycle.update(id, outs, {
      ...rule,
      cidr: "10.0.0.0/8",
      metadata: "m",
    });
    expect(service.writes()).toEqual([
      { line: "PATCH /ip_policy_rules/ipr_1", body: { cidr: "10.0.0.0/8", description: "" } },
    ]);
    expect(next).toMatchObject({ cidr: "10.0.0.0/8", metadata: "m", description: null });
    expect(next.__args).toEqual(["cidr", "ipPolicyId", "action", "metadata"]);
  });

  it("sends nothing where only the set of arguments changed", async () => {
    const service = new AnsweringService(ipPolicy);
    service.answer = (stored) => ({ ...stored, metadata: "of the service" });
    const { id, outs } = await service.created({});
    service.writes();
    const { outs: next } = await service.cycle.update(id, outs, { metadata: "of the service" });
    expect(service.sent).toEqual([]);
    expect(next).toMatchObject({ metadata: "of the service", __args: ["metadata"] });
  });

  it("keeps what the service has in an object of which the program sets nothing", async () => {
    const service = new AnsweringService(declarationOf("TcpEdge"));
    service.answer = (stored) => ({ ...stored, traffic_policy: { enabled: true, value: "by hand" } });
    const { id, outs } = await service.created({});
    service.writes();
    const { outs: next } = await service.cycle.update(id, outs, { trafficPolicy: {} });
    expect(service.sent).toEqual([]);
    expect(next.trafficPolicy).toEqual({ enabled: true, value: "by hand" });
  });

  it("forgets a member that no answer holds with its argument", async () => {
    const service = new AnsweringService(declarationOf("KubernetesOperator"));
    const endpointSelectors = ["true"];
    service.answer = (stored) => ({ ...stored, binding: { endpoint_selectors: endpointSelectors } });
    const { id, outs } = await service.created({ binding: { endpointSelectors, csr: "request" } });
    expect(outs.binding).toMatchObject({ csr: "request" });
    service.writes();
    const { outs: next } = await service.cycle.update(id, outs, { binding: { endpointSelectors } });
    expect(service.sent).toEqual([]);
    expect(next.binding).toEqual({ endpointSelectors });
  });

  it("keeps a token, marked", async () => {
    const service = new AnsweringService(apiKey);
    service.answer = (stored) => ({ owner_id: "usr_1", token: null, ...stored });
    service.once = { token: "tok-1" };
    const { id, outs } = await service.created({});
    expect((await service.cycle.update(id, outs, { description: "d" })).outs.token).toEqual(
      secretOf("tok-1"),
    );
    expect((await service.cycle.update(id, outs, { description: "" })).outs.token).toEqual(secretOf("tok-1"));
  });
});

describe("delete", () => {
  it("sends one request, and deleting what is gone is success", async () => {
    const service = new AnsweringService(ipPolicy);
    const { id } = await service.created({});
    service.writes();
    await service.cycle.delete(id);
    await service.cycle.delete(id);
    expect(service.writes().map(({ line }) => line)).toEqual(Array(2).fill("DELETE /ip_policies/ipp_1"));
  });

  it("refuses an id that is no single part of a path", async () => {
    const service = new AnsweringService(ipPolicy);
    for (const id of ["..", "."]) await expect(service.cycle.delete(id)).rejects.toThrow("address");
    await service.cycle.delete("ipp_1/../ipp_2");
    expect(service.writes().map(({ line }) => line)).toEqual(["DELETE /ip_policies/ipp_1%2F..%2Fipp_2"]);
  });
});

describe("every request", () => {
  it("is sent below the base URL's path", async () => {
    const service = new AnsweringService(ipPolicy);
    await service.created({});
    expect(service.sent.map(({ line }) => line)).toEqual(["POST /ip_policies"]);
    expect(JSON.stringify(service.sent)).not.toContain(key);
  });
});
