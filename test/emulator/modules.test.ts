/* eslint-disable @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { harness } from "./support";

const start = harness();
const seeded = async (options?: Parameters<typeof start>[0]) => {
  const running = await start(options);
  await running.emulator.seed({
    https_edges: [{ id: "edge1", routes: [{ id: "r1" }, { id: "r2" }] }],
    tls_edges: [{ id: "tls1" }],
  });
  return running;
};
const route = "/edges/https/edge1/routes/r1";
const oidc = { issuer: "https://id.example", client_id: "c", client_secret: "not-a-secret" };
const oauth = { provider: { social: {} } };

describe("Edge modules", () => {
  test("are put, read and deleted; what is not there is not found", async () => {
    const { call } = await seeded();
    expect((await call("GET", `${route}/oidc`)).status).toBe(404);
    expect((await call("DELETE", `${route}/oidc`)).status).toBe(404);
    const put = await call("PUT", `${route}/oidc`, oidc);
    expect(put.status).toBe(200);
    expect((await call("GET", `${route}/oidc`)).body).toEqual(put.body);
    expect((await call("GET", "/edges/https/edge1/routes/r2/oidc")).status).toBe(404);
    expect((await call("DELETE", `${route}/oidc`)).status).toBe(204);
    expect((await call("GET", `${route}/oidc`)).status).toBe(404);
    for (const path of [
      "/edges/https/other/routes/r1/oidc",
      "/edges/https/edge1/routes/other/oidc",
      "/edges/tls/other/ip_restriction",
    ]) {
      expect((await call("PUT", path, {})).status).toBe(404);
    }
    expect((await call("PATCH", `${route}/oidc`, {})).status).toBe(405);
  });

  test("OIDC returns its defaults, and a second PUT replaces the whole module", async () => {
    const { call } = await seeded();
    await call("PUT", `${route}/oidc`, {
      ...oidc,
      scopes: ["email"],
      inactivity_timeout: 4294967295,
      options_passthrough: true,
    });
    expect((await call("PUT", `${route}/oidc`, oidc)).body).toEqual({
      enabled: true,
      options_passthrough: false,
      cookie_prefix: "tunnel-gateway.",
      inactivity_timeout: 0,
      maximum_duration: 0,
      ...oidc,
      scopes: [],
    });
    for (const change of [
      { inactivity_timeout: 4294967296 },
      { maximum_duration: -1 },
      { issuer: "x" },
      { client_secret: undefined },
      { secret: 1 },
    ]) {
      const refused = await call("PUT", `${route}/oidc`, { ...oidc, ...change });
      expect(refused.status).toBe(400);
      expect(refused.body.msg).toContain(Object.keys(change)[0]);
    }
  });

  test("OAuth returns all eight providers, null for those not in use", async () => {
    const { call } = await seeded();
    const put = await call("PUT", `${route}/oauth`, {
      provider: { code_host: { teams: ["o/t"] }, social: null },
      auth_check_interval: 60,
    });
    expect(put.body).toEqual({
      enabled: true,
      options_passthrough: false,
      cookie_prefix: "tunnel-gateway.",
      inactivity_timeout: 0,
      maximum_duration: 0,
      auth_check_interval: 60,
      provider: {
        code_host: {
          client_id: null,
          client_secret: null,
          scopes: [],
          email_addresses: [],
          email_domains: [],
          teams: ["o/t"],
          organizations: [],
        },
        social: null,
        software_vendor: null,
        search_vendor: null,
        professional: null,
        source_control: null,
        streaming: null,
        retail: null,
      },
    });
  });

  test.each([
    [{ provider: {} }, "provider"],
    [{}, "provider"],
    [{ provider: { social: {}, retail: {} } }, "provider"],
    [{ provider: { social: { client_id: "c" } } }, "provider.social.client_secret"],
    [{ provider: { retail: { scopes: ["s"] } } }, "provider.retail.scopes"],
    [{ provider: { search_vendor: { client_secret: "s", scopes: ["s"] } } }, "provider.search_vendor.scopes"],
    [{ provider: { social: { teams: ["a/b"] } } }, "provider.social.teams"],
    [{ provider: { other: {} } }, "provider.other"],
  ])("OAuth rejects %j", async (body, field) => {
    const { call } = await seeded();
    const refused = await call("PUT", `${route}/oauth`, body);
    expect({ status: refused.status, msg: refused.body.msg }).toEqual({
      status: 400,
      msg: expect.stringContaining(field),
    });
  });

  test("OAuth needs no provider while it is off", async () => {
    const { call } = await seeded();
    expect((await call("PUT", `${route}/oauth`, { enabled: false })).status).toBe(200);
  });

  test("OIDC and OAuth cannot both be on for a route", async () => {
    const { call } = await seeded();
    await call("PUT", `${route}/oidc`, oidc);
    expect((await call("PUT", `${route}/oauth`, oauth)).status).toBe(409);
    expect((await call("PUT", "/edges/https/edge1/routes/r2/oauth", oauth)).status).toBe(200);
    expect((await call("PUT", `${route}/oauth`, { ...oauth, enabled: false })).status).toBe(200);
    await call("PUT", `${route}/oidc`, { ...oidc, enabled: false });
    expect((await call("PUT", `${route}/oauth`, oauth)).status).toBe(200);
    expect((await call("PUT", `${route}/oidc`, oidc)).status).toBe(409);
  });

  test("webhook verification needs a secret for every provider but the exempt one", async () => {
    const { call } = await seeded({ exemptWebhookProvider: "NOTIFY", webhookProviders: ["NOTIFY", "SHOP"] });
    const path = `${route}/webhook_verification`;
    expect((await call("PUT", path, { provider: "SHOP" })).body.msg).toBe(
      "secret: a secret is required for this provider",
    );
    expect((await call("PUT", path, { provider: "NOTIFY", secret: "" })).status).toBe(400);
    expect((await call("PUT", path, { provider: "NOTIFY" })).body).toEqual({
      enabled: true,
      provider: "NOTIFY",
      secret: null,
    });
    expect((await call("PUT", path, { provider: "SHOP", secret: "s", enabled: false })).body).toEqual({
      enabled: false,
      provider: "SHOP",
      secret: "s",
    });
    expect((await call("PUT", path, { provider: "OTHER", secret: "s" })).body.msg).toContain("provider");
    expect((await call("PUT", path, { provider: "shop", secret: "s" })).body.msg).toContain("provider");
  });

  test("the TLS edge's IP restriction takes ids and returns Refs", async () => {
    const { call } = await seeded();
    const policy = (await call("POST", "/ip_policies", {})).body;
    const path = "/edges/tls/tls1/ip_restriction";
    expect((await call("PUT", path, { ip_policy_ids: [policy.id] })).body).toEqual({
      enabled: true,
      ip_policies: [{ id: policy.id, uri: policy.uri }],
    });
    expect((await call("PUT", path, { ip_policy_ids: ["ipp_gone"] })).body.msg).toContain("ip_policy_ids");
    await call("DELETE", `/ip_policies/${policy.id}`);
    expect((await call("GET", path)).body.ip_policies).toHaveLength(1);
    expect((await call("PUT", path, {})).body).toEqual({ enabled: true, ip_policies: [] });
    expect((await call("DELETE", path)).status).toBe(204);
  });

  test("can be seeded with their edge, and stand in the snapshot", async () => {
    const { emulator, call } = await start();
    const made = await emulator.seed({ https_edges: [{ routes: [{ id: "r", oidc }] }] });
    const edge = made.https_edges?.[0] as { id: string };
    expect((await call("GET", `/edges/https/${edge.id}/routes/r/oidc`)).body).toMatchObject(oidc);
    expect(emulator.snapshot().https_edges).toMatchObject([{ id: edge.id, routes: [{ id: "r", oidc }] }]);
  });
});
