/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { join } from "node:path";
import { startEmulator, InvalidOptionError, type Snapshot } from "../../src/emulator";
import { emulatorInProcess } from "../../src/emulator/in-process";
import { COLLECTIONS } from "../../src/emulator/collections";
import { temporaryFolder } from "../support/folders";
import { oddAccount } from "../support/odd-account";
import { harness, type Call } from "./support";

const start = harness();

/** All that lists of the service answer, page by page, oldest first. */
async function listed(call: Call): Promise<Snapshot> {
  const account: Snapshot = {};
  for (const { path, listKey } of COLLECTIONS) {
    const objects = [];
    for (let next = path; next;) {
      const { body } = await call("GET", next);
      objects.push(...body[listKey]);
      next = body.next_page_uri;
    }
    account[path.slice(1)] = objects.reverse();
  }
  return account;
}

const copyOf = (account: Snapshot) => start({ account });

describe("A copied account", () => {
  test("is the account, object by object, in every list and in a snapshot", async () => {
    const { emulator, call } = await start({ seed: oddAccount() });
    const account = await listed(call);
    expect(Object.values(account).every((objects) => objects.length > 0)).toBe(true);
    const copy = await copyOf(account);
    expect(copy.emulator.leftOut).toEqual([]);
    expect(await listed(copy.call)).toEqual(account);
    // A snapshot shows more, such as secrets and the modules of edges.
    const whole = await copyOf(emulator.snapshot());
    expect(whole.emulator.leftOut).toEqual([]);
    expect(whole.emulator.snapshot()).toEqual(emulator.snapshot());
  });

  test("keeps what no specification shows, and each form of an absent value", async () => {
    const account = {
      ip_policies: [
        {
          id: "ipp_1",
          uri: "https://api.example.com/v2/ip_policies/ipp_1",
          created_at: "2020-02-02T02:02:02Z",
        },
        {
          id: "ipp_2",
          uri: "x",
          created_at: "2020-02-02T02:02:02.123Z",
          description: null,
          color: { red: 1 },
        },
        { id: "ipp_3", uri: "x", created_at: "2020-02-02T02:02:02+02:00", description: "", metadata: "m" },
      ],
    };
    const { call } = await copyOf(account);
    expect((await call("GET", "/ip_policies")).body.ip_policies).toEqual([...account.ip_policies].reverse());
    await call("PATCH", "/ip_policies/ipp_2", { metadata: "new" });
    expect((await call("GET", "/ip_policies/ipp_2")).body).toEqual({
      ...account.ip_policies[1],
      metadata: "new",
    });
  });

  test("refuses nothing that it holds: duplicates, broken texts and ids of what is gone", async () => {
    const ref = (id: string) => ({ id, uri: "x" });
    const rule = (id: string, cidr: string) => ({
      id,
      uri: "x",
      created_at: "x",
      cidr,
      ip_policy: ref("ipp_gone"),
      action: "x",
    });
    const { emulator, call } = await copyOf({
      ip_policy_rules: [
        rule("ipr_1", "10.0.0.0/8"),
        rule("ipr_2", "10.0.0.0/8"),
        rule("ipr_3", "10.0.0.1/8"),
      ],
      bot_users: [
        { id: "bot_1", uri: "x", created_at: "x", name: "", active: true },
        { id: "bot_2", uri: "x", created_at: "x", name: "", active: true },
      ],
      "backends/weighted": [{ id: "bkdwd_1", uri: "x", created_at: "x", backends: { bkdwd_2: 20_000 } }],
      "edges/tcp": [
        {
          id: "edgtcp_1",
          uri: "x",
          created_at: "x",
          hostports: ["nowhere"],
          ip_restriction: { enabled: null, ip_policies: [ref("ipp_gone")] },
        },
      ],
      event_destinations: [{ id: "ed_1", uri: "x", created_at: "x", format: "json", target: {} }],
      ssh_credentials: [
        { id: "sshcr_1", uri: "x", created_at: "x", public_key: "no key", acl: ["?"], owner_id: "usr_1" },
      ],
      https_edges: [
        {
          id: "edghts_1",
          routes: [{ id: "edghtsrt_1", oidc: { enabled: true }, oauth: { enabled: true, provider: null } }],
        },
      ],
    });
    expect(emulator.leftOut).toEqual([]);
    // What does not change is not refused either.
    expect((await call("PATCH", "/bot_users/bot_1", { active: false })).status).toBe(200);
    expect((await call("PATCH", "/ip_policy_rules/ipr_2", { description: "d" })).status).toBe(200);
    // One of two equal ones is left.
    expect((await call("DELETE", "/bot_users/bot_1")).status).toBe(204);
    expect((await call("POST", "/bot_users", { name: "" })).status).toBe(400);
    expect((await call("PATCH", "/ip_policy_rules/ipr_3", { cidr: "10.0.0.0/8" })).status).toBe(409);
    expect((await call("DELETE", "/ip_policy_rules/ipr_1")).status).toBe(204);
    expect((await call("PATCH", "/ip_policy_rules/ipr_3", { cidr: "10.0.0.0/8" })).status).toBe(409);
  });

  test("leaves out only what cannot be read, and names it", async () => {
    const policy = { id: "ipp_1", uri: "x", created_at: "x" };
    const { emulator } = await copyOf({
      ip_policies: [policy, { uri: "x" }, "text" as never, policy],
      ip_policy_rules: [{ id: "ipr_1", cidr: "10.0.0.0/8", action: "allow" }],
      "backends/weighted": [{ id: "bkdwd_1", backends: null }],
    });
    expect(emulator.leftOut).toEqual([
      "ip_policies[1] is left out: it has no id",
      "ip_policies[2] is left out: it is no object",
      "ip_policies[3] is left out: it is not as the specification shows (another object has its id)",
      "ip_policy_rules[0] is left out: it is not as the specification shows (a Ref has no id)",
      expect.stringMatching(/^backends\/weighted\[0\] is left out: it is not as the specification shows/),
    ]);
    expect(emulator.snapshot().ip_policies).toEqual([policy]);
  });

  test("works on with its objects as with its own", async () => {
    const { emulator, call } = await start({ seed: oddAccount() });
    const copy = await copyOf(emulator.snapshot());
    const [policy] = emulator.snapshot().ip_policies!;
    const path = `/ip_policies/${String(policy!.id)}`;
    for (const each of [call, copy.call]) {
      expect((await each("PATCH", path, { description: "changed" })).body.description).toBe("changed");
      expect((await each("DELETE", path)).status).toBe(204);
    }
    // Its rules are gone with it, and others keep their reference.
    expect(copy.emulator.snapshot()).toEqual(emulator.snapshot());
  });

  test("has the users, edges and routes that a request names, because no list shows them", async () => {
    const { call, emulator } = await copyOf({});
    const module = { provider: "SLACK", secret: "s" };
    const path = "/edges/https/edghts_1/routes/edghtsrt_1/webhook_verification";
    expect((await call("GET", path)).status).toBe(404);
    expect((await call("PUT", path, module)).status).toBe(200);
    expect((await call("GET", path)).body).toEqual({ enabled: true, ...module });
    expect((await call("PUT", path.replace("edghtsrt_1", "edghtsrt_2"), module)).status).toBe(200);
    expect(emulator.snapshot().https_edges).toMatchObject([{ routes: [{}, {}] }]);
    expect((await call("PUT", "/edges/tls/edgtls_1/ip_restriction", {})).status).toBe(200);
    expect((await call("POST", "/api_keys", { owner_id: "usr_other" })).status).toBe(201);
    expect((await call("POST", "/api_keys", { owner_id: "bot_other" })).status).toBe(400);
  });

  test("of another form is an InvalidOptionError", async () => {
    const error = await startEmulator({ account: { policies: [] } }).catch((each: unknown) => each);
    expect(error).toBeInstanceOf(InvalidOptionError);
    expect((error as Error).message).toMatch(/^policies: unknown key; the keys are api_keys, /);
    await expect(startEmulator({ account: { ip_policies: {} as never } })).rejects.toThrow("must be a list");
  });

  test("stays a copy in the data file", async () => {
    const dataFile = join(temporaryFolder("emulator"), "account.json");
    const account = { ip_policies: [{ id: "ipp_1", uri: "x", created_at: "x", color: "red" }] };
    await (await startEmulator({ dataFile, account })).close();
    const { call } = await start({ dataFile });
    expect((await call("GET", "/ip_policies/ipp_1")).body).toEqual(account.ip_policies[0]);
    expect((await call("PATCH", "/ip_policies/ipp_1", { metadata: "m" })).body).toEqual({
      ...account.ip_policies[0],
      metadata: "m",
    });
  });
});

describe("The service in the process of its client", () => {
  const headers = { authorization: "Bearer emulator-key-not-a-secret", "service-version": "2" };
  const sent = { ...headers, "content-type": "application/json" };

  test("answers requests without a socket, under the address of another service", async () => {
    const service = await emulatorInProcess("https://api.example.com/v2");
    const made = await service.answer({
      ...{ method: "POST", path: "/v2/ip_policies", headers: sent },
      body: JSON.stringify({ description: "d" }),
    });
    expect(made.status).toBe(201);
    const { id, uri } = JSON.parse(made.text);
    expect(uri).toBe(`https://api.example.com/v2/ip_policies/${id}`);
    const path = `/v2/ip_policies/${id}`;
    const gone = await service.answer({ method: "DELETE", path, headers, body: undefined });
    expect(gone).toEqual({
      status: 204,
      headers: { date: expect.stringMatching(/ GMT$/) as string },
      text: "",
    });
    expect((await service.answer({ method: "GET", path, headers, body: undefined })).status).toBe(404);
    expect(service.requests.map(({ method, path: at, status }) => `${method} ${at} ${status}`)).toEqual([
      "POST /ip_policies 201",
      `DELETE /ip_policies/${id} 204`,
      `GET /ip_policies/${id} 404`,
    ]);
  });

  test("says what was changed, an object with its modules", async () => {
    const service = await emulatorInProcess("http://localhost", { account: {} });
    expect(service.takeChanges()).toEqual([]);
    const path = "/edges/https/edghts_1/routes/edghtsrt_1/oauth";
    const body = JSON.stringify({ enabled: false });
    await service.answer({ method: "PUT", path, headers: sent, body });
    const [change, ...others] = service.takeChanges();
    expect(others).toEqual([]);
    expect(change).toMatchObject({
      list: "https_edges",
      id: "edghts_1",
      object: { routes: [{ id: "edghtsrt_1", oauth: { enabled: false } }] },
    });
    await service.answer({ method: "DELETE", path, headers, body: undefined });
    expect(service.takeChanges()).toEqual([
      { list: "https_edges", id: "edghts_1", object: { id: "edghts_1", routes: [{ id: "edghtsrt_1" }] } },
    ]);
  });

  test("lets what nobody knows pass every check, and no equal one of it is refused", async () => {
    const isOpaque = (text: string) => text === "[secret]";
    const service = await emulatorInProcess("http://localhost", {}, isOpaque);
    const send = async (method: string, path: string, body: object) => {
      const answer = await service.answer({ method, path, headers: sent, body: JSON.stringify(body) });
      return { status: answer.status, body: JSON.parse(answer.text) };
    };
    const s = "[secret]";
    const bodies: [string, object][] = [
      ["/tls_certificates", { certificate_pem: s, private_key_pem: s }],
      ["/certificate_authorities", { ca_pem: s }],
      [
        "/ssh_user_certificates",
        { ssh_certificate_authority_id: s, public_key: s, principals: [s], valid_until: s },
      ],
      ["/ssh_host_certificates", { ssh_certificate_authority_id: "sshca_1", public_key: s }],
      ["/ssh_credentials", { public_key: s, acl: [s], owner_id: s }],
      ["/api_keys", { owner_id: s }],
      ["/bot_users", { name: s, active: s }],
      ["/ip_policy_rules", { ip_policy_id: s, cidr: s, action: s }],
      [
        "/edges/tcp",
        { hostports: [s], backend: { enabled: s, backend_id: s }, ip_restriction: { ip_policy_ids: [s] } },
      ],
      ["/backends/weighted", { backends: { [s]: s } }],
      ["/backends/failover", { backends: [s] }],
      ["/endpoints", { url: s, pooling_enabled: s }],
      ["/kubernetes_operators", { enabled_features: [s], binding: { csr: s } }],
      ["/event_subscriptions", { sources: [{ type: s }], destination_ids: [s] }],
      ["/event_destinations", { target: { monitoring: { api_key: s } } }],
      ["/backends/http_response", { status_code: s, headers: { [s]: s } }],
    ];
    for (const [path, body] of bodies) {
      for (const status of [201, 201])
        expect([path, await send("POST", path, body)]).toMatchObject([path, { status }]);
    }
    // Its neighbours are checked.
    expect((await send("POST", "/bot_users", { name: s, active: "yes" })).body.msg).toBe(
      "active: must be of type boolean",
    );
    const mixed = { ip_policy_id: "ipp_none", cidr: s, action: "allow" };
    expect((await send("POST", "/ip_policy_rules", mixed)).body.msg).toBe(
      "ip_policy_id: no IP policy has this id",
    );
  });
});
