/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access, @typescript-eslint/no-unsafe-return -- answers are read member by member, as they come */
import { X509Certificate } from "node:crypto";
import type { Call } from "./support";
import { harness } from "./support";
import { signingRequest } from "./keys";

const start = harness();

const make = async (call: Call, path: string, body: object) => {
  const answer = await call("POST", path, body);
  expect({ path, status: answer.status, msg: answer.body.msg }).toEqual({
    path,
    status: 201,
    msg: undefined,
  });
  return answer.body;
};
const refused = async (
  call: Call,
  method: string,
  path: string,
  body: unknown,
  status: number,
  field: string,
) => {
  const answer = await call(method, path, body);
  expect({ status: answer.status, msg: answer.body?.msg }).toEqual({
    status,
    msg: expect.stringContaining(field),
  });
};

describe("Backends", () => {
  test("a tunnel group lists the seeded tunnels that have all its labels", async () => {
    const { emulator, call } = await start();
    await emulator.seed({
      tunnels: [{ id: "tn_1", labels: { app: "web", zone: "a" } }, { labels: { app: "db" } }],
    });
    const group = await make(call, "/backends/tunnel_group", { labels: { app: "web" } });
    expect(group.tunnels).toEqual([{ id: "tn_1", uri: `${emulator.baseUrl}/tunnels/tn_1` }]);
    expect((await make(call, "/backends/tunnel_group", { labels: { app: "none" } })).tunnels).toEqual([]);
  });

  test("labels are required, contain no = and take any other key", async () => {
    const { call } = await start();
    await refused(call, "POST", "/backends/tunnel_group", {}, 400, "labels: is required");
    await refused(call, "POST", "/backends/tunnel_group", { labels: { "a=b": "c" } }, 400, "labels.a=b");
    await refused(call, "POST", "/backends/tunnel_group", { labels: { a: "b=c" } }, 400, "labels.a");
    await refused(call, "POST", "/backends/tunnel_group", { labels: { a: 1 } }, 400, "labels.a");
    const odd = await call(
      "POST",
      "/backends/tunnel_group",
      '{"labels":{"__proto__":"x","camelCase":"y","":"z"}}',
    );
    expect(JSON.stringify(odd.body.labels)).toBe('{"__proto__":"x","camelCase":"y","":"z"}');
  });

  test("an HTTP response has lower-case header names, null for none and status 200", async () => {
    const { call } = await start();
    const backend = await make(call, "/backends/http_response", {
      headers: { "X-Frame-Options": "DENY" },
      body: "hi",
    });
    expect(backend).toMatchObject({ headers: { "x-frame-options": "DENY" }, status_code: 200, body: "hi" });
    const cleared = await call("PATCH", `/backends/http_response/${backend.id}`, {
      headers: {},
      status_code: 404,
    });
    expect(cleared.body).toMatchObject({ headers: null, status_code: 404, body: "hi" });
    expect((await make(call, "/backends/http_response", {})).headers).toBeNull();
    await refused(call, "POST", "/backends/http_response", { status_code: 2 ** 31 }, 400, "status_code");
    await refused(call, "POST", "/backends/http_response", { headers: { a: 1 } }, 400, "headers.a");
  });

  test("weights go from 0 to 10000, children must exist and do not nest", async () => {
    const { call } = await start();
    const leaf = await make(call, "/backends/http_response", {});
    const weighted = await make(call, "/backends/weighted", { backends: { [leaf.id]: 0 } });
    expect(weighted.backends).toEqual({ [leaf.id]: 0 });
    expect(
      (await call("PATCH", `/backends/weighted/${weighted.id}`, { backends: { [leaf.id]: 10000 } })).status,
    ).toBe(200);
    for (const weight of [-1, 10001, 1.5, "1"]) {
      await refused(
        call,
        "POST",
        "/backends/weighted",
        { backends: { [leaf.id]: weight } },
        400,
        "0 to 10000",
      );
    }
    const failover = await make(call, "/backends/failover", { backends: [leaf.id] });
    await refused(call, "POST", "/backends/failover", { backends: [weighted.id] }, 400, "nest");
    await refused(call, "POST", "/backends/weighted", { backends: { [failover.id]: 1 } }, 400, "nest");
    await refused(
      call,
      "PATCH",
      `/backends/failover/${failover.id}`,
      { backends: ["bkdhr_gone"] },
      400,
      "backends",
    );
    await refused(call, "POST", "/backends/failover", { backends: ["x"] }, 400, "backends.0");
  });

  test("a failover backend keeps its order", async () => {
    const { call } = await start();
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push((await make(call, "/backends/http_response", {})).id);
    const failover = await make(call, "/backends/failover", { backends: ids });
    ids.reverse();
    expect(
      (await call("PATCH", `/backends/failover/${failover.id}`, { backends: ids })).body.backends,
    ).toEqual(ids);
  });

  test("a backend that a backend or an edge uses cannot be deleted while it is used", async () => {
    const { call } = await start();
    const leaf = await make(call, "/backends/http_response", {});
    const weighted = await make(call, "/backends/weighted", { backends: { [leaf.id]: 1 } });
    const edge = await make(call, "/edges/tcp", { backend: { backend_id: leaf.id } });
    await refused(call, "DELETE", `/backends/http_response/${leaf.id}`, undefined, 409, "in use");
    await call("DELETE", `/backends/weighted/${weighted.id}`);
    await refused(call, "DELETE", `/backends/http_response/${leaf.id}`, undefined, 409, edge.id);
    await call("PATCH", `/edges/tcp/${edge.id}`, { backend: { enabled: false } });
    expect((await call("DELETE", `/backends/http_response/${leaf.id}`)).status).toBe(204);
  });
});

describe("TCP edges", () => {
  test("take ids and return Refs, with null for unset fields", async () => {
    const { emulator, call } = await start();
    const leaf = await make(call, "/backends/http_response", {});
    const policy = await make(call, "/ip_policies", {});
    const bare = await make(call, "/edges/tcp", {});
    expect(bare).toMatchObject({
      hostports: null,
      backend: null,
      ip_restriction: null,
      traffic_policy: null,
    });
    const edge = await make(call, "/edges/tcp", {
      hostports: ["1.tcp.example:1234"],
      backend: { backend_id: leaf.id },
      ip_restriction: { ip_policy_ids: [policy.id] },
      traffic_policy: { value: " on: []\n" },
    });
    expect(edge).toMatchObject({
      id: expect.stringMatching(/^edgtcp_/),
      uri: `${emulator.baseUrl}/edges/tcp/${edge.id}`,
      hostports: ["1.tcp.example:1234"],
      backend: { enabled: true, backend: { id: leaf.id, uri: leaf.uri } },
      ip_restriction: { enabled: true, ip_policies: [{ id: policy.id, uri: policy.uri }] },
      traffic_policy: { enabled: true, value: " on: []\n" },
    });
  });

  test("an update leaves an omitted module and replaces an included one whole", async () => {
    const { call } = await start();
    const leaf = await make(call, "/backends/http_response", {});
    const edge = await make(call, "/edges/tcp", {
      backend: { backend_id: leaf.id, enabled: false },
      traffic_policy: { enabled: false, value: "v" },
    });
    const updated = await call("PATCH", `/edges/tcp/${edge.id}`, { traffic_policy: {} });
    expect(updated.body.backend).toEqual({ enabled: false, backend: { id: leaf.id, uri: leaf.uri } });
    expect(updated.body.traffic_policy).toEqual({ enabled: true, value: null });
    await refused(call, "PATCH", `/edges/tcp/${edge.id}`, { traffic_policy: null }, 400, "traffic_policy");
  });

  test("references are checked, and the reference to a deleted policy stays", async () => {
    const { call } = await start();
    await refused(
      call,
      "POST",
      "/edges/tcp",
      { backend: { backend_id: "bkdhr_gone" } },
      400,
      "backend.backend_id",
    );
    await refused(
      call,
      "POST",
      "/edges/tcp",
      { ip_restriction: { ip_policy_ids: ["ipp_gone"] } },
      400,
      "ip_policy_ids",
    );
    await refused(call, "POST", "/edges/tcp", { hostports: ["x"] }, 400, "hostports.0");
    const policy = await make(call, "/ip_policies", {});
    const edge = await make(call, "/edges/tcp", { ip_restriction: { ip_policy_ids: [policy.id] } });
    expect((await call("DELETE", `/ip_policies/${policy.id}`)).status).toBe(204);
    expect((await call("GET", `/edges/tcp/${edge.id}`)).body.ip_restriction.ip_policies).toEqual([
      { id: policy.id, uri: policy.uri },
    ]);
  });
});

describe("Kubernetes operators", () => {
  test("return lower-case features, region global, and a binding without a certificate", async () => {
    const { emulator, call } = await start();
    const operator = await make(call, "/kubernetes_operators", {
      enabled_features: ["Ingress", "bindings"],
      deployment: { name: "n", namespace: "s" },
    });
    expect(operator).toMatchObject({
      enabled_features: ["ingress", "bindings"],
      region: "global",
      principal: { id: emulator.userId },
      deployment: { name: "n", namespace: "s", version: "", cluster_name: "" },
      binding: {
        endpoint_selectors: [],
        cert: { cert: "", not_before: "0001-01-01T00:00:00Z", not_after: "0001-01-01T00:00:00Z" },
        ingress_endpoint: "",
      },
    });
    await refused(
      call,
      "POST",
      "/kubernetes_operators",
      { enabled_features: ["x"] },
      400,
      "enabled_features.0",
    );
  });

  test("sign a client certificate for the csr's key, which never comes back", async () => {
    const { call } = await start();
    const { csr, publicKey } = signingRequest("/CN=operator one/O=Acme");
    const operator = await make(call, "/kubernetes_operators", {
      binding: { csr, endpoint_selectors: ["true"] },
    });
    const certificate = new X509Certificate(operator.binding.cert.cert);
    expect(certificate.publicKey.equals(publicKey)).toBe(true);
    expect(certificate.subject).toContain("operator one");
    expect(new Date(certificate.validTo).toISOString()).toBe(
      operator.binding.cert.not_after.replace("Z", ".000Z"),
    );
    expect(JSON.stringify(operator)).not.toContain("REQUEST");
    const updated = await call("PATCH", `/kubernetes_operators/${operator.id}`, {
      binding: { ingress_endpoint: "i" },
    });
    expect(updated.body.binding).toEqual({ ...operator.binding, ingress_endpoint: "i" });
    expect(certificate.serialNumber).toMatch(/^[4-7]/);
    const other = signingRequest("/CN=two").csr;
    const renewed = await call("PATCH", `/kubernetes_operators/${operator.id}`, { binding: { csr: other } });
    expect(renewed.body.binding.cert.cert).not.toBe(operator.binding.cert.cert);
    await refused(
      call,
      "POST",
      "/kubernetes_operators",
      { binding: { csr: csr.replace(/[A-Za-z]{9}\n/, "AAAAAAAAA\n") } },
      400,
      "binding.csr",
    );
  });

  test("an update takes name and version of the deployment and keeps the rest", async () => {
    const { emulator, call } = await start();
    const operator = await make(call, "/kubernetes_operators", {
      deployment: { name: "a", namespace: "b", version: "1", cluster_name: "c" },
    });
    emulator.advanceClock(60_000);
    const updated = await call("PATCH", `/kubernetes_operators/${operator.id}`, {
      deployment: { version: "2" },
    });
    expect(updated.body.deployment).toEqual({ name: "a", namespace: "b", version: "2", cluster_name: "c" });
    expect(updated.body.updated_at > operator.updated_at).toBe(true);
    for (const field of ["namespace", "cluster_name"]) {
      await refused(
        call,
        "PATCH",
        `/kubernetes_operators/${operator.id}`,
        { deployment: { [field]: "x" } },
        400,
        `deployment.${field}`,
      );
    }
  });

  test("list the endpoints that the seed bound to them, in pages", async () => {
    const { emulator, call } = await start({ pageSize: 2 });
    const operator = await make(call, "/kubernetes_operators", {});
    await emulator.seed({
      endpoints: [1, 2, 3].map((n) => ({
        id: `ep_${n}`,
        bound_to: operator.id,
        url: `https://b${n}.example`,
        bindings: ["kubernetes"],
      })),
    });
    await make(call, "/endpoints", { url: "https://x.example" });
    const first = (await call("GET", `/kubernetes_operators/${operator.id}/bound_endpoints`)).body;
    expect(first.endpoints.map((each: { id: string }) => each.id)).toEqual(["ep_3", "ep_2"]);
    expect(first.uri).toBe(`${operator.uri}/bound_endpoints`);
    const last = (await call("GET", first.next_page_uri)).body;
    expect(last.endpoints.map((each: { id: string }) => each.id)).toEqual(["ep_1"]);
    expect(last.next_page_uri).toBeNull();
    expect((await call("GET", "/kubernetes_operators/k8sop_x/bound_endpoints")).status).toBe(404);
  });
});

describe("Endpoints", () => {
  test("a cloud endpoint's URL is split into its parts and loses the default port of https", async () => {
    const { emulator, call } = await start();
    const endpoint = await make(call, "/endpoints", {
      url: "https://app.example:443",
      traffic_policy: "  x\n",
    });
    expect(endpoint).toMatchObject({
      type: "cloud",
      url: "https://app.example",
      public_url: "https://app.example",
      proto: "https",
      scheme: "https",
      host: "app.example",
      port: 443,
      hostport: "app.example:443",
      traffic_policy: "  x\n",
      pooling_enabled: false,
      principal: { id: emulator.userId },
    });
    const moved = await call("PATCH", `/endpoints/${endpoint.id}`, {
      url: "https://b.example:8443",
      pooling_enabled: true,
    });
    expect(moved.body).toMatchObject({ url: "https://b.example:8443", port: 8443, pooling_enabled: true });
    await refused(call, "PATCH", `/endpoints/${endpoint.id}`, { url: "tls://b.example" }, 400, "url");
    await refused(call, "PATCH", `/endpoints/${endpoint.id}`, { type: "cloud" }, 400, "type");
    await refused(call, "POST", "/endpoints", {}, 400, "url");
    await refused(call, "POST", "/endpoints", { url: "ftp://x" }, 400, "url");
    await refused(call, "POST", "/endpoints", { url: "https://x", type: "edge" }, 400, "type");
  });

  test("of other types come from the seed, can be read, and not be changed", async () => {
    const { emulator, call } = await start();
    await emulator.seed({
      endpoints: [
        {
          id: "ep_e",
          type: "ephemeral",
          url: "tcp://1.example:22",
          upstream_url: "tcp://localhost:22",
          tunnel_session: { id: "ts_1", uri: "u" },
        },
      ],
    });
    const { body } = await call("GET", "/endpoints/ep_e");
    expect(body).toMatchObject({
      type: "ephemeral",
      proto: "tcp",
      upstream_url: "tcp://localhost:22",
      tunnel_session: { id: "ts_1" },
    });
    await refused(call, "PATCH", "/endpoints/ep_e", { metadata: "x" }, 400, "cloud");
    await refused(call, "DELETE", "/endpoints/ep_e", undefined, 400, "cloud");
  });
});

describe("Event subscriptions, sources and destinations", () => {
  const target = { stream: { auth: { role: { role_ref: "r" } }, stream_ref: "s" } };

  test("a subscription returns its sources with URIs and its destinations as Refs", async () => {
    const { call } = await start();
    const destination = await make(call, "/event_destinations", { target });
    const subscription = await make(call, "/event_subscriptions", {
      sources: [{ type: "ip_policy_created.v0" }],
      destination_ids: [destination.id],
    });
    expect(subscription.sources).toEqual([
      { type: "ip_policy_created.v0", uri: `${subscription.uri}/sources/ip_policy_created.v0` },
    ]);
    expect(subscription.destinations).toEqual([{ id: destination.id, uri: destination.uri }]);
    await refused(call, "DELETE", `/event_destinations/${destination.id}`, undefined, 409, "in use");
    await call("PATCH", `/event_subscriptions/${subscription.id}`, { destination_ids: [] });
    expect((await call("DELETE", `/event_destinations/${destination.id}`)).status).toBe(204);
    await refused(
      call,
      "POST",
      "/event_subscriptions",
      { destination_ids: [destination.id] },
      400,
      "destination_ids",
    );
  });

  test("an event type is unique in a subscription and has a version", async () => {
    const { call } = await start();
    await refused(
      call,
      "POST",
      "/event_subscriptions",
      { sources: [{ type: "a.v0" }, { type: "a.v0" }] },
      400,
      "sources",
    );
    await refused(call, "POST", "/event_subscriptions", { sources: [{ type: "a" }] }, 400, "sources.0.type");
    await refused(
      call,
      "POST",
      "/event_subscriptions",
      { sources: [{ type: "a.v0", uri: "u" }] },
      400,
      "sources.0.uri",
    );
  });

  test("sources are added, read, updated with nothing, and removed one by one", async () => {
    const { call } = await start();
    const subscription = await make(call, "/event_subscriptions", { sources: [{ type: "a.v0" }] });
    const all = `/event_subscriptions/${subscription.id}/sources`;
    const source = await make(call, all, { type: "b.v0" });
    expect(source).toEqual({ type: "b.v0", uri: `${subscription.uri}/sources/b.v0` });
    await refused(call, "POST", all, { type: "b.v0" }, 409, "type");
    expect((await call("GET", all)).body).toEqual({
      sources: [{ type: "a.v0", uri: expect.any(String) }, source],
      uri: `${subscription.uri}/sources`,
    });
    expect((await call("GET", `${all}/b.v0`)).body).toEqual(source);
    expect(await call("PATCH", `${all}/b.v0`, {})).toMatchObject({ status: 200, body: source });
    await refused(call, "PATCH", `${all}/b.v0`, { type: "c.v0" }, 400, "type");
    expect((await call("DELETE", `${all}/a.v0`)).status).toBe(204);
    expect((await call("GET", `${all}/a.v0`)).status).toBe(404);
    expect((await call("GET", `/event_subscriptions/${subscription.id}`)).body.sources).toEqual([source]);
    expect((await call("GET", `${all}?limit=1`)).status).toBe(400);
    expect((await call("POST", "/event_subscriptions/esb_x/sources", { type: "a.v0" })).status).toBe(404);
  });

  test("a destination has exactly one target, with null for the others", async () => {
    const { call } = await start();
    const destination = await make(call, "/event_destinations", { target: { ...target, monitoring: null } });
    expect(destination).toMatchObject({
      format: "json",
      target: { stream: { auth: { role: { role_ref: "r" }, creds: null }, stream_ref: "s" } },
    });
    expect(Object.keys(destination.target).sort()).toEqual([
      "delivery_stream",
      "log_group",
      "logs_ingestion",
      "monitoring",
      "stream",
    ]);
    await refused(call, "POST", "/event_destinations", { target: {} }, 400, "target");
    await refused(
      call,
      "POST",
      "/event_destinations",
      { target: { ...target, monitoring: { api_key: "k" } } },
      400,
      "target",
    );
    await refused(
      call,
      "POST",
      "/event_destinations",
      { target: { stream: { auth: {}, stream_ref: "s" } } },
      400,
      "target.stream.auth",
    );
    await refused(call, "POST", "/event_destinations", { target, format: "xml" }, 400, "format");
  });

  test("secrets of destinations come back redacted or not at all, but reach the account", async () => {
    const { emulator, call } = await start();
    const creds = { access_key_id: "id", secret_access_key: "not-a-key" };
    const ingestion = {
      tenant_id: "t",
      client_id: "c",
      client_secret: "not-a-secret",
      logs_ingestion_uri: "u",
      data_collection_rule_id: "r",
      data_collection_stream_name: "n",
    };
    const log = await make(call, "/event_destinations", {
      target: { log_group: { auth: { creds }, log_group_ref: "g" } },
    });
    expect(log.target.log_group.auth).toEqual({ role: null, creds: { access_key_id: "id" } });
    const monitoring = await make(call, "/event_destinations", {
      target: { monitoring: { api_key: "not-a-key", ddsite: "x" } },
    });
    expect(monitoring.target.monitoring).toEqual({
      api_key: "**********",
      ddtags: null,
      service: null,
      ddsite: "x",
    });
    const logs = await make(call, "/event_destinations", { target: { logs_ingestion: ingestion } });
    expect(logs.target.logs_ingestion).toEqual({ ...ingestion, client_secret: null });
    expect(emulator.snapshot().event_destinations).toMatchObject([
      { target: { log_group: { auth: { creds } } } },
      { target: { monitoring: { api_key: "not-a-key" } } },
      { target: { logs_ingestion: ingestion } },
    ]);
  });

  test("the seed makes a destination whose target kind the specification does not show", async () => {
    const { emulator, call } = await start();
    await emulator.seed({ event_destinations: [{ id: "ed_s", target: {} }] });
    expect(Object.values((await call("GET", "/event_destinations/ed_s")).body.target)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("Updates that the specification does not show", () => {
  test("are not served by default", async () => {
    const { call } = await start();
    for (const path of [
      "ssh_user_certificates",
      "certificate_authorities",
      "tls_certificates",
      "event_destinations",
    ]) {
      expect((await call("PATCH", `/${path}/x`, {})).status).toBe(405);
    }
  });

  test("take description and metadata when asked for, and a destination's target of the same kind", async () => {
    const { call } = await start({ undocumentedUpdates: true });
    const destination = await make(call, "/event_destinations", {
      target: { monitoring: { api_key: "a" } },
      metadata: "m",
    });
    const path = `/event_destinations/${destination.id}`;
    const updated = await call("PATCH", path, {
      description: "d",
      format: "json",
      target: { monitoring: { api_key: "b", service: "s" } },
    });
    expect(updated.body).toMatchObject({
      description: "d",
      metadata: "m",
      target: { monitoring: { service: "s" } },
    });
    const other = { stream: { auth: { role: { role_ref: "r" } }, stream_ref: "s" } };
    await refused(call, "PATCH", path, { target: other }, 400, "target");
    expect((await call("PATCH", "/tls_certificates/cert_x", {})).status).toBe(404);
  });
});

describe("Unset description and metadata", () => {
  test("come back absent, null or empty, one way per collection, the same each time", async () => {
    const { call } = await start();
    const bodies: [string, object][] = [
      ["/ip_policies", {}],
      ["/api_keys", {}],
      ["/edges/tcp", {}],
      ["/backends/http_response", {}],
      ["/backends/failover", { backends: [] }],
      ["/kubernetes_operators", {}],
      ["/event_subscriptions", {}],
    ];
    const seen = new Set<unknown>();
    for (const [path, body] of bodies) {
      const first = await make(call, path, body);
      const second = await make(call, path, { ...body, description: "", metadata: "" });
      expect([second.description, second.metadata]).toEqual([first.description, first.metadata]);
      seen.add(first.description).add(first.metadata);
    }
    expect(seen).toEqual(new Set([undefined, null, ""]));
  });

  test("and all else come back as sent from a lenient emulator, which reads null as omitted", async () => {
    const { call } = await start({ lenient: true });
    const endpoint = await make(call, "/endpoints", { url: "https://x.example:443", description: null });
    expect(endpoint).toMatchObject({ url: "https://x.example:443", description: null, metadata: null });
    const backend = await make(call, "/backends/http_response", { headers: { "X-A": "b" } });
    expect(backend).toMatchObject({ headers: { "X-A": "b" }, status_code: null });
    const operator = await make(call, "/kubernetes_operators", { enabled_features: ["Ingress"] });
    expect(operator).toMatchObject({ enabled_features: ["Ingress"], binding: null });
    const destination = await make(call, "/event_destinations", { target: { monitoring: { api_key: "k" } } });
    expect(destination.target.monitoring.api_key).toBe("k");
    const kept = await call("PATCH", `/endpoints/${endpoint.id}`, { description: "d", metadata: null });
    expect(kept.body).toMatchObject({ description: "d", metadata: null });
  });
});
