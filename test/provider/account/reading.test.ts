import {
  ApiError,
  GatewayError,
  getApiKey,
  getCloudEndpoint,
  getEndpoint,
  getEventDestination,
  getEventSource,
  getHttpsEdgeRouteOidc,
  getIpPolicy,
  getIpPolicyRule,
  getTlsEdgeIpRestriction,
  getTunnelSession,
  listApiKeys,
  listBoundEndpoints,
  listCloudEndpoints,
  listEndpoints,
  listEventSources,
  listIpPolicies,
  listIpPolicyRules,
  listTunnelGroupBackends,
  listTunnelSessions,
} from "../../../src";
import * as pulumi from "@pulumi/pulumi";
import { harness } from "./support";
import { requestsTo } from "../../support/plugin";
import { failureOf } from "../../support/failure";

const start = harness();

const policies = {
  ip_policies: [
    { id: "ipp_office", description: "office", metadata: "a" },
    { id: "ipp_guests", description: "guests" },
    { id: "ipp_twin1", description: "twin" },
    { id: "ipp_twin2", description: "twin" },
  ],
  ip_policy_rules: [
    { id: "ipr_v6", ip_policy_id: "ipp_office", cidr: "2001:db8::/32", action: "allow" },
    { id: "ipr_v4", ip_policy_id: "ipp_office", cidr: "203.0.113.0/24", action: "deny" },
    { id: "ipr_other", ip_policy_id: "ipp_guests", cidr: "203.0.113.0/24", action: "allow" },
  ],
};

describe("get", () => {
  it("reads an object by its id, with the names and shapes of its resource's outputs", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(policies);
    const rule = await getIpPolicyRule("ipr_v4", { settings });
    expect(rule).toEqual({
      id: "ipr_v4",
      uri: `${emulator.baseUrl}/ip_policy_rules/ipr_v4`,
      createdAt: expect.any(String) as string,
      cidr: "203.0.113.0/24",
      action: "deny",
      ipPolicyId: "ipp_office",
      ipPolicy: { id: "ipp_office", uri: `${emulator.baseUrl}/ip_policies/ipp_office` },
    });
    expect(requestsTo(emulator)).toEqual(["GET /ip_policy_rules/ipr_v4"]);
  });

  it("finds an IP policy by its description", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(policies);
    const found = await getIpPolicy({ description: "office" }, { settings });
    expect(found).toMatchObject({ id: "ipp_office", description: "office", metadata: "a" });
    expect(await getIpPolicy(({ metadata }) => metadata === "a", { settings })).toEqual(found);
  });

  it("reads one list for all look-ups at the same time, and a new one for a later look-up", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(policies);
    const both = ["office", "office"].map((description) => getIpPolicy({ description }, { settings }));
    const [one, other] = await Promise.all(both);
    expect([one, other]).toEqual([other, one]);
    expect(one).not.toBe(other);
    expect(requestsTo(emulator)).toEqual(["GET /ip_policies?limit=100"]);
    await emulator.seed({ ip_policies: [{ id: "ipp_later", description: "later" }] });
    expect(await getIpPolicy({ description: "later" }, { settings })).toMatchObject({ id: "ipp_later" });
  });

  it("reads one list for all look-ups of a preview, which is no list that was refused", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(policies);
    emulator.setFaults({ rules: [{ kind: "status", path: "/ip_policies", status: 403, times: 1 }] });
    await pulumi.runtime.setMocks(
      { call: () => ({}), newResource: () => ({ id: "", state: {} }) },
      "p",
      "s",
      true,
    );
    try {
      await expect(getIpPolicy({ description: "office" }, { settings })).rejects.toThrow("403");
      for (const description of ["office", "office", "office"])
        await getIpPolicy({ description }, { settings });
    } finally {
      await pulumi.runtime.setMocks(
        { call: () => ({}), newResource: () => ({ id: "", state: {} }) },
        "p",
        "s",
        false,
      );
    }
    const read = "GET /ip_policies?limit=100";
    expect(requestsTo(emulator)).toEqual([read, read]);
  });

  it("names the filter where nothing matches, and the ids where several do", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(policies);
    await expect(getIpPolicy({ description: "nobody" }, { settings })).rejects.toThrow(
      'no IP policy matches {"description":"nobody"}',
    );
    const several = getIpPolicy({ description: "twin" }, { settings });
    await expect(several).rejects.toThrow(
      /^2 IP policies match .*: ipp_twin2, ipp_twin1; give one of the ids/,
    );
  });

  it("says that an object does not exist, and whose id it is that was given", async () => {
    const { emulator, settings } = await start();
    await expect(getIpPolicy("ipp_none", { settings })).rejects.toThrow(
      "the IP policy ipp_none does not exist",
    );
    emulator.clearRequests();
    await expect(getIpPolicy("ipr_v4", { settings })).rejects.toThrow(
      /"ipr_v4" is the id of an IP policy rule/,
    );
    expect(emulator.requests).toEqual([]);
  });

  it("passes the service's refusal on as an ApiError that Pulumi shows without a stack", async () => {
    const { emulator } = await start();
    const settings = { baseUrl: emulator.baseUrl, apiKey: "wrong" };
    const error = await failureOf<unknown>(getIpPolicy("ipp_a", { settings }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 401 });
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    expect(String(error)).not.toContain('wrong"');
  });

  it("reads modules and event sources by the ids in their path", async () => {
    const { emulator, settings } = await start();
    const oidc = { issuer: "https://id.example.com", client_id: "c", client_secret: "s3cret" };
    await emulator.seed({
      ...policies,
      https_edges: [{ id: "edge", routes: [{ id: "route", oidc }] }],
      tls_edges: [{ id: "tls", ip_restriction: { ip_policy_ids: ["ipp_office"] } }],
      event_subscriptions: [{ id: "esb_a", sources: [{ type: "ip_policy_created.v0" }] }],
    });
    expect(await getHttpsEdgeRouteOidc("edge/route", { settings })).toMatchObject({
      ...{ id: "edge/route", edgeId: "edge", routeId: "route", enabled: true },
      ...{ issuer: "https://id.example.com", clientId: "c", clientSecret: "s3cret" },
    });
    expect(await getTlsEdgeIpRestriction("tls", { settings })).toMatchObject({
      ...{ id: "tls", edgeId: "tls", ipPolicyIds: ["ipp_office"] },
    });
    const source = {
      id: "esb_a/ip_policy_created.v0",
      subscriptionId: "esb_a",
      type: "ip_policy_created.v0",
    };
    expect(await getEventSource(source.id, { settings })).toMatchObject(source);
    expect(await listEventSources("esb_a", { settings }).toArray()).toMatchObject([source]);
    await expect(getHttpsEdgeRouteOidc("edge", { settings })).rejects.toThrow(
      /has the form <edgeId>\/<routeId>/,
    );
  });

  it("holds no secret that the service hides", async () => {
    const { emulator, settings } = await start();
    const target = { monitoring: { api_key: "hidden", ddtags: "a:b", service: "s", ddsite: "x" } };
    await emulator.seed({
      api_keys: [{ id: "ak_a", description: "one" }],
      event_destinations: [{ id: "ed_a", format: "json", target }],
    });
    expect(await getApiKey("ak_a", { settings })).not.toHaveProperty("token");
    const destination = await getEventDestination("ed_a", { settings });
    expect(destination.target?.monitoring?.ddtags).toBe("a:b");
    expect(destination.target?.monitoring).not.toHaveProperty("apiKey");
  });
});

describe("endpoints", () => {
  const endpoints = {
    kubernetes_operators: [
      {
        ...{ id: "k8sop_a", description: "op", enabled_features: ["bindings"], region: "global" },
        ...{ deployment: { name: "n", namespace: "ns", version: "1", cluster_name: "c" } },
      },
    ],
    endpoints: [
      { id: "ep_cloud", url: "https://cloud.example.com" },
      {
        id: "ep_agent",
        type: "ephemeral",
        url: "https://agent.example.com",
        public_url: "https://agent.example.com",
        proto: "https",
      },
      { id: "ep_bound", type: "cloud", bound_to: "k8sop_a", public_url: "https://bound.example.com" },
    ],
  };

  it("are listed in all types, alone in type cloud, and as bound to an operator", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(endpoints);
    const ids = async (listing: { toArray(): Promise<{ id: string }[]> }): Promise<string[]> =>
      (await listing.toArray()).map(({ id }) => id).sort();
    expect(await ids(listEndpoints({ settings }))).toEqual(["ep_agent", "ep_bound", "ep_cloud"]);
    expect(await ids(listEndpoints({ settings, filter: { type: "ephemeral" } }))).toEqual(["ep_agent"]);
    expect(await ids(listCloudEndpoints({ settings }))).toEqual(["ep_bound", "ep_cloud"]);
    expect(await ids(listBoundEndpoints("k8sop_a", { settings }))).toEqual(["ep_bound"]);
  });

  it("of other types are no cloud endpoints", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(endpoints);
    expect(await getEndpoint("ep_agent", { settings })).toMatchObject({ type: "ephemeral", bindings: [] });
    await expect(getCloudEndpoint("ep_agent", { settings })).rejects.toThrow(
      "ep_agent is not a cloud endpoint: it is of another type; use getEndpoint",
    );
  });
});

describe("filters", () => {
  it("compare by meaning, not by spelling", async () => {
    const { emulator, settings } = await start();
    await emulator.seed(policies);
    const filter = { cidr: "2001:0DB8:0::/32" };
    expect(await listIpPolicyRules({ settings, filter }).toArray()).toMatchObject([{ id: "ipr_v6" }]);
    const both = { ipPolicyId: "ipp_office", action: "deny" } as const;
    expect(await listIpPolicyRules({ settings, filter: both }).toArray()).toMatchObject([{ id: "ipr_v4" }]);
  });

  it("find a backend by some of its labels", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({
      "backends/tunnel_group": [
        { id: "bkdtg_a", labels: { service: "web", stage: "one" } },
        { id: "bkdtg_b", labels: { service: "web", stage: "two" } },
        { id: "bkdtg_c", labels: { service: "db" } },
      ],
    });
    const list = (labels: Record<string, string>): Promise<object[]> =>
      listTunnelGroupBackends({ settings, filter: { labels } }).toArray();
    expect(await list({ service: "web" })).toHaveLength(2);
    expect(await list({ service: "web", stage: "two" })).toMatchObject([{ id: "bkdtg_b" }]);
    expect(await list({ service: "web", nothing: "" })).toEqual([]);
  });

  it("find sessions by os, region, agent version and metadata", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({
      tunnel_sessions: [
        { id: "ts_a", os: "linux", region: "eu", agent_version: "3.10.0", metadata: "a" },
        { id: "ts_b", os: "linux", region: "us", agent_version: "3.11.0" },
      ],
    });
    expect(await getTunnelSession({ os: "linux", region: "us" }, { settings })).toMatchObject({ id: "ts_b" });
    expect(await getTunnelSession({ metadata: "a" }, { settings })).toMatchObject({ id: "ts_a" });
    const filter = ({ agentVersion }: { agentVersion: string }): boolean => agentVersion.startsWith("3.11.");
    expect(await listTunnelSessions({ settings, filter }).toArray()).toMatchObject([{ id: "ts_b" }]);
  });

  it("find what is not set with an empty text", async () => {
    const { emulator, settings } = await start();
    await emulator.seed({ ip_policies: [{ id: "ipp_a" }, { id: "ipp_b", description: "b" }] });
    expect(await getIpPolicy({ description: "" }, { settings })).toMatchObject({ id: "ipp_a" });
  });

  it("refuse a variable that was never set and a name that does not exist, before any request", async () => {
    const { emulator, settings } = await start();
    const unset = getIpPolicy({ description: undefined }, { settings });
    await expect(unset).rejects.toThrow(/^filter: description is undefined; leave it out/);
    const wrong = getIpPolicy({ name: "office" } as object, { settings });
    await expect(wrong).rejects.toThrow(
      /^filter: the IP policy has no field name; its fields are id, description/,
    );
    await expect(getIpPolicy(undefined as never, { settings })).rejects.toThrow(GatewayError);
    expect(emulator.requests).toEqual([]);
  });
});

describe("settings", () => {
  const names = ["TUNNEL_GATEWAY_API_KEY", "TUNNEL_GATEWAY_BASE_URL"] as const;
  const before = names.map((name) => process.env[name]);
  afterEach(() => {
    names.forEach((name, i) => {
      if (before[i] === undefined) delete process.env[name];
      else process.env[name] = before[i];
    });
    pulumi.runtime.setAllConfig({});
  });

  it("come from the arguments, else the stack's configuration, else the environment", async () => {
    const [plain, stack, environment] = [await start(), await start(), await start()];
    process.env.TUNNEL_GATEWAY_API_KEY = environment.emulator.apiKey;
    process.env.TUNNEL_GATEWAY_BASE_URL = environment.emulator.baseUrl;
    await listApiKeys().toArray();
    pulumi.runtime.setAllConfig({ "tunnel-gateway:baseUrl": stack.emulator.baseUrl });
    await listApiKeys().toArray();
    await listApiKeys({ settings: { baseUrl: plain.emulator.baseUrl } }).toArray();
    const counts = [plain, stack, environment].map(({ emulator }) => emulator.requests.length);
    expect(counts).toEqual([1, 1, 1]);
  });

  it("are reported all at once where they are missing", async () => {
    for (const name of names) delete process.env[name];
    const missing = getIpPolicy("ipp_a");
    await expect(missing).rejects.toThrow(/tunnel-gateway:apiKey.*is not set.*tunnel-gateway:baseUrl/s);
    await expect(listIpPolicies().toArray()).rejects.toThrow(/is not set/);
  });
});
