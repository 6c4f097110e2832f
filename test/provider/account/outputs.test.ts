import * as pulumi from "@pulumi/pulumi";
import {
  Provider,
  getApiKeyOutput,
  getHttpsEdgeRouteOauthOutput,
  getHttpsEdgeRouteOidcOutput,
  getIpPolicy,
  getIpPolicyOutput,
  listIpPoliciesOutput,
  listIpPolicyRulesOutput,
} from "../../../src";
import { harness } from "./support";

const start = harness();

beforeEach(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `ipp_${name}`, state: inputs as object }),
    call: () => ({}),
  }),
);

/** What Pulumi keeps of an Output; its own declarations leave it out. */
interface Inner {
  promise(withUnknowns?: boolean): Promise<unknown>;
  isSecret: Promise<boolean>;
  isKnown: Promise<boolean>;
}

async function inside(output: unknown): Promise<{ value: unknown; isSecret: boolean }> {
  const inner = output as Inner;
  return { value: await inner.promise(), isSecret: await inner.isSecret };
}

const unknown = (): pulumi.Output<string> => {
  const make = pulumi.Output as unknown as new (...parts: unknown[]) => pulumi.Output<string>;
  const no = Promise.resolve(false);
  return new make([], Promise.resolve(undefined), no, no, Promise.resolve([]));
};

const oidc = { issuer: "https://id.example.com", client_id: "c", client_secret: "s3cret" };
const provider = { code_host: { client_id: "c", client_secret: "s3cret", organizations: ["o"] } };

describe("Output forms", () => {
  it("take Outputs and give Outputs", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({
      ip_policies: [{ id: "ipp_a", description: "office" }],
      ip_policy_rules: [{ ip_policy_id: "ipp_a", cidr: "10.0.0.0/8", action: "allow" }],
    });
    const policy = getIpPolicyOutput({ description: pulumi.output("office") }, { settings });
    expect(await inside(policy.id)).toEqual({ value: "ipp_a", isSecret: false });
    expect(await inside(getIpPolicyOutput(policy.id, { settings }).description)).toMatchObject({
      value: "office",
    });
    const rules = listIpPolicyRulesOutput({ settings, filter: { ipPolicyId: policy.id } });
    expect(await inside(rules.apply((all) => all.map(({ cidr }) => cidr)))).toEqual({
      ...{ value: ["10.0.0.0/8"], isSecret: false },
    });
    const byFunction = listIpPoliciesOutput({ settings, filter: ({ description }) => description === "x" });
    expect(await inside(byFunction)).toEqual({ value: [], isSecret: false });
  });

  it("encrypt the secrets and nothing beside them", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({
      https_edges: [{ id: "e", routes: [{ id: "r", oidc }] }],
      api_keys: [{ id: "ak_1" }],
    });
    expect(await inside(getApiKeyOutput("ak_1", { settings }).token)).toEqual({
      ...{ value: undefined, isSecret: false },
    });
    const module = getHttpsEdgeRouteOidcOutput("e/r", { settings });
    expect(await inside(module.clientSecret)).toEqual({ value: "s3cret", isSecret: true });
    expect(await inside(module.clientId)).toEqual({ value: "c", isSecret: false });
    expect(await inside(module.id)).toEqual({ value: "e/r", isSecret: false });
    expect(await inside(module)).toMatchObject({ isSecret: true });
    expect(await inside(module.apply(({ clientId, clientSecret }) => `${clientId}${clientSecret}`))).toEqual({
      ...{ value: "cs3cret", isSecret: true },
    });
    expect(pulumi.Output.isInstance(module)).toBe(true);
  });

  it("encrypt secrets at any depth", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ https_edges: [{ id: "e", routes: [{ id: "r", oauth: { provider } }] }] });
    const { provider: found } = getHttpsEdgeRouteOauthOutput("e/r", { settings });
    const codeHost = found.apply((known) => known!.codeHost!);
    expect(await inside(codeHost.clientSecret)).toEqual({ value: "s3cret", isSecret: true });
    const member = (
      found as unknown as pulumi.Output<{ codeHost: { clientId: string; clientSecret: string } }>
    ).codeHost;
    expect(await inside(member.clientId)).toEqual({ value: "c", isSecret: false });
    expect(await inside(member.clientSecret)).toEqual({ value: "s3cret", isSecret: true });
  });

  it("are unknown where their arguments are, and ask nothing", async () => {
    const { emulator, settings } = await start();
    await pulumi.runtime.setMocks(
      { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
      "p",
      "s",
      true,
    );
    const found = getIpPolicyOutput({ description: unknown() }, { settings }) as unknown as Inner;
    expect(await found.isKnown).toBe(false);
    expect(emulator.requests).toEqual([]);
  });
});

describe("an explicit Provider", () => {
  it("lends its arguments to functions, and makes no result a secret", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ ip_policies: [{ id: "ipp_a", description: "office" }] });
    const other = new Provider("other", {
      apiKey: pulumi.secret(settings.apiKey!),
      baseUrl: settings.baseUrl,
    });
    expect(await getIpPolicy({ description: "office" }, { provider: other })).toMatchObject({ id: "ipp_a" });
    const found = getIpPolicyOutput({ description: "office" }, { provider: other });
    expect(await inside(found.description)).toEqual({ value: "office", isSecret: false });
    expect(JSON.stringify(Object.keys(other))).not.toContain("argument");
  });

  it("takes the place of the stack's configuration, and gives way to settings", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ ip_policies: [{ id: "ipp_a" }] });
    const { apiKey, baseUrl } = settings;
    const [right, wrong] = [apiKey!, "wrong"].map(
      (key, i) => new Provider(`p${i}`, { apiKey: key, baseUrl }),
    );
    pulumi.runtime.setAllConfig({ "tunnel-gateway:requestTimeout": "soon" });
    expect(await getIpPolicy("ipp_a", { provider: right! })).toMatchObject({ id: "ipp_a" });
    pulumi.runtime.setAllConfig({});
    expect(await getIpPolicy("ipp_a", { provider: wrong!, settings: { apiKey } })).toMatchObject({
      id: "ipp_a",
    });
  });

  it("whose key is not known yet works in the Output form alone", async () => {
    const { settings } = await start();
    await pulumi.runtime.setMocks(
      { newResource: () => ({ id: "", state: {} }), call: () => ({}) },
      "p",
      "s",
      true,
    );
    const other = new Provider("other", { apiKey: unknown(), baseUrl: settings.baseUrl });
    await expect(getIpPolicy("ipp_a", { provider: other })).rejects.toThrow(/use the function's Output form/);
    expect(await (getIpPolicyOutput("ipp_a", { provider: other }) as unknown as Inner).isKnown).toBe(false);
  });

  it("must be one of this package", async () => {
    const wrong = {} as Provider;
    await expect(getIpPolicy("ipp_a", { provider: wrong })).rejects.toThrow(
      /must be a Provider of pulumi-tunnel-gateway/,
    );
  });
});
