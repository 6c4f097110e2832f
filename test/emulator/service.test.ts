/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { Clock } from "../../src/emulator/clock";
import { RateLimit } from "../../src/emulator/http/rate-limit";
import { client, harness } from "./support";

const start = harness();

describe("Every request", () => {
  test("needs a bearer token that is an API key's", async () => {
    const { emulator } = await start();
    const bare = await fetch(`${emulator.baseUrl}/ip_policies`, { headers: { "Service-Version": "2" } });
    expect(bare.status).toBe(401);
    const wrong = await client(emulator, "wrong")("GET", "/ip_policies");
    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual({
      error_code: "ERR_AUTHENTICATION",
      status_code: 401,
      msg: expect.any(String),
      details: { operation_id: expect.stringMatching(/^op_/) },
    });
    expect(JSON.stringify(wrong.body)).not.toContain('"wrong"');
  });

  test("needs Service-Version 2", async () => {
    const { emulator, call } = await start();
    expect((await call("GET", "/ip_policies", undefined, { "Service-Version": "1" })).body.error_code).toBe(
      "ERR_VERSION",
    );
    const without = await fetch(`${emulator.baseUrl}/ip_policies`, {
      headers: { Authorization: `Bearer ${emulator.apiKey}` },
    });
    expect(without.status).toBe(400);
  });

  test("with a body needs Content-Type application/json and a JSON object", async () => {
    const { call } = await start();
    expect((await call("POST", "/ip_policies", "{}", { "Content-Type": "text/plain" })).status).toBe(415);
    expect((await call("POST", "/ip_policies", "{", {})).body.error_code).toBe("ERR_BODY");
    expect((await call("POST", "/ip_policies", "[]")).body.error_code).toBe("ERR_BODY");
    expect((await call("POST", "/ip_policies")).status).toBe(415);
    expect(
      (await call("POST", "/ip_policies", {}, { "Content-Type": "application/json; charset=utf-8" })).status,
    ).toBe(201);
  });

  test("with an unknown field or query parameter is rejected, and the message names it", async () => {
    const { call } = await start();
    const field = await call("POST", "/ip_policies", { colour: "secret-value" });
    expect(field.status).toBe(400);
    expect(field.body.msg).toBe("colour: unknown field");
    const nested = await call("POST", "/edges/tcp", { backend: { weight: 1 } });
    expect(nested.body.msg).toContain("backend.weight");
    const query = await call("GET", "/ip_policies?offset=3");
    expect(query.body).toMatchObject({
      error_code: "ERR_UNKNOWN_QUERY",
      msg: "offset: unknown query parameter",
    });
    expect((await call("POST", "/ip_policies?limit=3", {})).status).toBe(400);
  });

  test("to an unknown path is not found, with a method outside the table not allowed", async () => {
    const { call } = await start();
    for (const path of ["/", "/nothing", "/ip_policies/", "/ip_policies/ipp_x", "/ip_policies/x/y"]) {
      expect((await call("GET", path)).status).toBe(404);
    }
    const put = await call("PUT", "/ip_policies/ipp_x", {});
    expect(put.status).toBe(405);
    expect(put.headers.get("allow")).toBe("GET, DELETE, PATCH");
    expect((await call("DELETE", "/ip_policies")).status).toBe(405);
    expect((await call("HEAD", "/ip_policies")).status).toBe(405);
  });

  test("never gets a value echoed that it sent in a wrong place", async () => {
    const { call } = await start();
    const secret = "do-not-echo-me";
    const answers = await Promise.all([
      call("POST", "/event_destinations", { target: { monitoring: { api_key: 7, ddtags: secret } } }),
      call("POST", "/ip_policy_rules", { cidr: secret, ip_policy_id: secret, action: secret }),
      call("POST", "/tls_certificates", { certificate_pem: secret, private_key_pem: secret }),
      call("POST", "/ssh_credentials", { public_key: secret, acl: [secret] }),
      call("POST", "/endpoints", { url: secret }),
      call("GET", `/ip_policies?limit=${secret}`),
      call("GET", `/ip_policies/${secret}`),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(JSON.stringify(body)).not.toContain(secret);
    }
  });

  test("is recorded as received, without its bearer token", async () => {
    const { emulator, call } = await start({ basePath: "/api/v1/" });
    expect(emulator.baseUrl).toMatch(/\/api\/v1$/);
    await call("POST", "/ip_policies", { description: "d" });
    await call("GET", "/ip_policies?limit=2");
    expect(emulator.requests).toMatchObject([
      { method: "POST", path: "/ip_policies", query: {}, body: { description: "d" }, status: 201 },
      { method: "GET", path: "/ip_policies", query: { limit: "2" }, status: 200 },
    ]);
    expect(emulator.requests[0]?.headers["service-version"]).toBe("2");
    expect(JSON.stringify(emulator.requests)).not.toContain(emulator.apiKey);
    emulator.clearRequests();
    expect(emulator.requests).toEqual([]);
    const outside = await call("GET", emulator.baseUrl.replace("/api/v1", "/ip_policies"));
    expect(outside.status).toBe(404);
    expect(emulator.requests).toHaveLength(1);
  });
});

describe("Limits", () => {
  test("description and metadata are limited in bytes", async () => {
    const { call } = await start();
    expect(
      (await call("POST", "/ip_policies", { description: "d".repeat(255), metadata: "m".repeat(4096) }))
        .status,
    ).toBe(201);
    const long = await call("POST", "/ip_policies", { description: "\u{1F600}".repeat(64) });
    expect(long.body.msg).toBe("description: must be at most 255 bytes");
    expect((await call("POST", "/ip_policies", { metadata: "m".repeat(4097) })).body.msg).toContain(
      "4096 bytes",
    );
  });

  test("those of event subscriptions are limited in characters", async () => {
    const { call } = await start();
    expect(
      (await call("POST", "/event_subscriptions", { description: "\u{1F600}".repeat(255) })).status,
    ).toBe(201);
    expect((await call("POST", "/event_subscriptions", { description: "d".repeat(256) })).body.msg).toContain(
      "255 characters",
    );
    expect((await call("POST", "/event_subscriptions", { metadata: "d".repeat(4097) })).body.msg).toContain(
      "4096 characters",
    );
  });
});

describe("Lists", () => {
  test("are newest first, in pages whose absolute link keeps the base path", async () => {
    const { emulator, call } = await start({ basePath: "/v1", pageSize: 2 });
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await call("POST", "/bot_users", { name: `b${i}` })).body.id);
    const seen: string[] = [];
    let next: string | null = "/bot_users";
    const links: string[] = [];
    while (next !== null) {
      const { body }: { body: any } = await call("GET", next);
      expect(body.uri).toBe(`${emulator.baseUrl}/bot_users`);
      seen.push(...body.bot_users.map((bot: { id: string }) => bot.id));
      next = body.next_page_uri;
      if (next !== null) links.push(next);
    }
    expect(seen).toEqual(ids);
    expect(links[0]).toBe(`${emulator.baseUrl}/bot_users?before_id=${ids[1]}&limit=2`);
    expect(links).toHaveLength(2);
  });

  test("take a limit up to the page size, and go on behind an object that was deleted since", async () => {
    const { call } = await start({ pageSize: 3 });
    const ids: string[] = [];
    for (let i = 0; i < 4; i++) ids.unshift((await call("POST", "/ip_policies", {})).body.id);
    expect((await call("GET", "/ip_policies?limit=1")).body.ip_policies).toHaveLength(1);
    expect((await call("GET", "/ip_policies?limit=1000")).body.ip_policies).toHaveLength(3);
    for (const limit of ["0", "-1", "x", "1.5", ""])
      expect((await call("GET", `/ip_policies?limit=${limit}`)).status).toBe(400);
    await call("DELETE", `/ip_policies/${ids[1]}`);
    const rest = await call("GET", `/ip_policies?before_id=${ids[1]}`);
    expect(rest.body.ip_policies.map((each: { id: string }) => each.id)).toEqual(ids.slice(2));
    expect(rest.body.next_page_uri).toBeNull();
    expect((await call("GET", "/ip_policies?before_id=ipp_never")).body.msg).toContain("before_id");
  });

  test("can put the next page on another host name", async () => {
    const { call } = await start({ pageSize: 1, basePath: "/v1", nextPageOrigin: "https://other.example" });
    await call("POST", "/ip_policies", {});
    await call("POST", "/ip_policies", {});
    expect((await call("GET", "/ip_policies")).body.next_page_uri).toMatch(
      /^https:\/\/other\.example\/v1\/ip_policies\?before_id=/,
    );
  });

  test("of all collections answer their key, uri and next_page_uri", async () => {
    const { call } = await start();
    const keys: Record<string, string> = {
      api_keys: "keys",
      ssh_credentials: "ssh_credentials",
      ip_policies: "ip_policies",
      ip_policy_rules: "ip_policy_rules",
      ssh_host_certificates: "ssh_host_certificates",
      ssh_user_certificates: "ssh_user_certificates",
      "backends/tunnel_group": "backends",
      "backends/http_response": "backends",
      "backends/weighted": "backends",
      "backends/failover": "backends",
      bot_users: "bot_users",
      "edges/tcp": "tcp_edges",
      certificate_authorities: "certificate_authorities",
      tls_certificates: "tls_certificates",
      kubernetes_operators: "operators",
      endpoints: "endpoints",
      event_subscriptions: "event_subscriptions",
      event_destinations: "event_destinations",
      tunnel_sessions: "tunnel_sessions",
    };
    for (const [path, key] of Object.entries(keys)) {
      const { body } = await call("GET", `/${path}`);
      expect(body).toEqual({
        [key]: [],
        uri: expect.stringMatching(new RegExp(`/${path}$`)),
        next_page_uri: null,
      });
    }
  });
});

test("answers with the time of its clock as Date, refusals too", async () => {
  const { emulator, call } = await start();
  emulator.setClock("2030-01-01T00:00:00Z");
  for (const path of ["/ip_policies", "/ip_policies/ipp_none"]) {
    const date = Date.parse((await call("GET", path)).headers.get("date")!);
    expect(date - Date.parse("2030-01-01T00:00:00Z")).toBeLessThan(60_000);
    expect(date).toBeGreaterThanOrEqual(Date.parse("2030-01-01T00:00:00Z"));
  }
});

describe("The rate limit", () => {
  test("responds 429 to more requests in 60 seconds than the account is allowed", async () => {
    const { emulator, call } = await start({ requestsPerMinute: 2 });
    emulator.setClock("2030-01-01T00:00:00Z");
    expect((await call("GET", "/ip_policies")).status).toBe(200);
    emulator.setClock("2030-01-01T00:00:30Z");
    expect((await call("GET", "/ip_policies")).status).toBe(200);
    const refused = await call("GET", "/ip_policies");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(29);
    emulator.setClock("2030-01-01T00:01:01Z");
    expect((await call("GET", "/ip_policies")).status).toBe(200);
    expect((await call("GET", "/ip_policies")).status).toBe(429);
  });

  test("sends Retry-After as a date or not at all, as the options say", async () => {
    for (const [retryAfter, form] of [
      ["date", /^Tue, 01 Jan 2030 00:01:00 GMT$/],
      ["none", /^absent$/],
    ] as const) {
      const { call, emulator } = await start({ requestsPerMinute: 0, retryAfter });
      emulator.setClock("2030-01-01T00:00:00Z");
      expect((await call("GET", "/ip_policies")).headers.get("retry-after") ?? "absent").toMatch(form);
    }
  });
});

it("admits a request as soon as 60 seconds have passed, and says in whole seconds when that is", () => {
  let milliseconds = 0;
  const limit = new RateLimit(new Clock(() => new Date(milliseconds)), 1);
  const refused = (at: number) => {
    milliseconds = at;
    return expect(() => limit.admit());
  };
  limit.admit();
  refused(58_500).toThrow(expect.objectContaining({ headers: { "Retry-After": "2" } }));
  refused(59_999).toThrow(expect.objectContaining({ headers: { "Retry-After": "1" } }));
  refused(60_000).not.toThrow();
});
