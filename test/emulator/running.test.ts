/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { mkdirSync, readFileSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../src/emulator";
import { Store } from "../../src/emulator/store";
import { cpuMilliseconds } from "../support/cpu-time";
import { client, harness } from "./support";
import { temporaryFolder } from "../support/folders";

const start = harness();

describe("The data file", () => {
  test("keeps the account, its keys and its authorities over a restart", async () => {
    const dataFile = join(temporaryFolder("emulator"), "deep", "account.json");
    const first = await startEmulator({ dataFile });
    const call = client(first);
    const key = (await call("POST", "/api_keys", {})).body;
    const policy = (await call("POST", "/ip_policies", { description: "d" })).body;
    await call("POST", "/ip_policy_rules", { cidr: "10.0.0.0/8", ip_policy_id: policy.id, action: "deny" });
    const before = first.snapshot();
    await first.close();
    expect(readFileSync(dataFile, "utf8")).not.toContain(key.token);

    const { emulator } = await start({ dataFile });
    expect(emulator.snapshot()).toEqual(
      JSON.parse(JSON.stringify(before).replaceAll(first.baseUrl, emulator.baseUrl)),
    );
    const again = client(emulator, key.token);
    expect((await again("GET", `/ip_policies/${policy.id}`)).body.description).toBe("d");
    const twin = await again("POST", "/ip_policy_rules", {
      cidr: "10.0.0.0/8",
      ip_policy_id: policy.id,
      action: "allow",
    });
    expect(twin.status).toBe(409);
    await again("DELETE", `/ip_policies/${(await again("POST", "/ip_policies", {})).body.id}`);
    expect((await again("GET", "/ip_policies")).body.ip_policies).toMatchObject([{ id: policy.id }]);
  });

  test("has every change before its response, with many at once, and no temporary file is left", async () => {
    const at = temporaryFolder("emulator");
    const dataFile = join(at, "account.json");
    const { call } = await start({ dataFile });
    await Promise.all(
      Array.from({ length: 100 }, async (_, i) => {
        const { body } = await call("POST", "/ip_policies", { description: String(i) });
        expect(readFileSync(dataFile, "utf8")).toContain(body.id);
      }),
    );
    expect(readdirSync(at)).toEqual(["account.json"]);
  });

  test("has what was changed while an earlier change was written", async () => {
    const dataFile = join(temporaryFolder("emulator"), "account.json");
    const store = new Store(new Map(), dataFile);
    store.create("/ip_policies", "ipp_1", "", {});
    const first = store.saved();
    await new Promise(setImmediate);
    store.create("/ip_policies", "ipp_2", "", {});
    await first;
    await store.saved();
    expect(readFileSync(dataFile, "utf8")).toContain("ipp_2");
  });

  test("has what could not be written at first", async () => {
    const dataFile = join(temporaryFolder("emulator"), "account.json");
    const emulator = await startEmulator({ dataFile });
    const inTheWay = `${dataFile}.${process.pid}.tmp`;
    mkdirSync(inTheWay);
    const log = jest.spyOn(console, "error").mockImplementation();
    const { status } = await client(emulator)("POST", "/ip_policies", { description: "kept" });
    log.mockRestore();
    expect(status).toBe(500);
    rmdirSync(inTheWay);
    await emulator.close();
    expect(readFileSync(dataFile, "utf8")).toContain("kept");
  });

  test("that is invalid is rejected and not changed", async () => {
    const dataFile = join(temporaryFolder("emulator"), "notes.txt");
    writeFileSync(dataFile, "my notes");
    await expect(startEmulator({ dataFile })).rejects.toThrow(/not a data file/);
    expect(readFileSync(dataFile, "utf8")).toBe("my notes");
  });
});

describe("The seed of a new account", () => {
  const seed = { ip_policies: [{ id: "ipp_1" }] };

  test("is there before the first request, and in the data file", async () => {
    const dataFile = join(temporaryFolder("emulator"), "account.json");
    const { call } = await start({ dataFile, seed });
    expect(readFileSync(dataFile, "utf8")).toContain("ipp_1");
    expect((await call("GET", "/ip_policies/ipp_1")).status).toBe(200);
  });

  test.each([
    [{ tcp_edges: [] }, /^tcp_edges: unknown key; the keys are users, .*edges\/tcp.*, tunnel_sessions$/],
    [[{}], /^must be an object with lists of objects$/],
    [{ ip_policies: {} }, /^ip_policies: must be a list of objects$/],
    [{ ip_policies: [[]] }, /^ip_policies\[0\]: must be an object$/],
    [
      { ip_policies: [{}, { foo: 1 }] },
      /^ip_policies\[1\]: foo: unknown field; the fields are id, created_at, description, metadata$/,
    ],
    [{ users: [{ name: "x" }] }, /^users\[0\]: name: unknown field; the fields are id, admin$/],
    [{ ip_policies: [{ id: "ipp_1" }, { id: "ipp_1" }] }, /^ip_policies\[1\]: id: already exists$/],
  ])(
    "is refused as a whole with its key and what is allowed, and nothing is saved: %j",
    async (refused, message) => {
      const at = temporaryFolder("emulator");
      const starting = startEmulator({ dataFile: join(at, "account.json"), seed: refused as never });
      await expect(starting).rejects.toMatchObject({
        option: "seed",
        message: expect.stringMatching(message),
      });
      expect(readdirSync(at)).toEqual([]);
    },
  );
});

describe("The control routes", () => {
  const steer = (base: string) => async (method: string, route: string, body?: unknown) => {
    const response = await fetch(`${new URL(base).origin}/_emulator/${route}`, {
      method,
      headers: { "Emulator-Control": "1" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  };

  test("do over HTTP what the object does, without being recorded", async () => {
    const { emulator, call } = await start({ basePath: "/v1" });
    const control = steer(emulator.baseUrl);
    const seeded = await control("POST", "seed", {
      ip_policies: [{ id: "ipp_seeded", description: "d", created_at: "2020-01-01T00:00:00Z" }],
    });
    expect(seeded).toMatchObject({
      status: 201,
      body: { ip_policies: [{ id: "ipp_seeded", created_at: "2020-01-01T00:00:00Z" }] },
    });
    expect((await call("GET", "/ip_policies/ipp_seeded")).body.description).toBe("d");
    expect((await control("GET", "requests")).body.requests).toMatchObject([
      { method: "GET", path: "/ip_policies/ipp_seeded", status: 200 },
    ]);
    expect((await control("DELETE", "requests")).status).toBe(204);
    expect((await control("GET", "state")).body).toEqual(emulator.snapshot());
    expect((await control("PUT", "faults", { rules: [{ kind: "status", status: 500 }] })).status).toBe(204);
    expect((await call("GET", "/ip_policies")).status).toBe(500);
    expect((await control("PUT", "faults", {})).status).toBe(204);
    expect((await control("PUT", "clock", { now: "2031-01-01T00:00:00Z" })).body.now).toMatch(
      /^2031-01-01T00:00:0/,
    );
    expect((await control("PUT", "clock", { advanceMs: 3_600_000 })).body.now).toMatch(/^2031-01-01T01:00:0/);
    expect((await control("POST", "reset")).status).toBe(204);
    expect(emulator.requests).toEqual([]);
    expect((await call("GET", "/ip_policies")).body.ip_policies).toEqual([]);
    expect((await control("GET", "clock")).body.now).not.toMatch(/^2031/);
  });

  test("reject invalid bodies with a message", async () => {
    const { emulator } = await start();
    const control = steer(emulator.baseUrl);
    expect(await control("POST", "seed", { nothing: [{}] })).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining("nothing") },
    });
    expect(await control("POST", "seed", { ip_policies: [{ colour: 1 }] })).toMatchObject({ status: 400 });
    expect(await control("PUT", "faults", { rules: [{}] })).toMatchObject({
      status: 400,
      body: { msg: expect.stringContaining("kind") },
    });
    expect(await control("PUT", "clock", { now: "soon" })).toMatchObject({ status: 400 });
    expect(await control("GET", "nothing")).toMatchObject({ status: 404 });
  });

  test("seed every kind of object, in an order that lets later ones refer to earlier ones", async () => {
    const { emulator } = await start();
    const made = await emulator.seed({
      tunnel_sessions: [{ credential_id: "cr_1" }],
      api_keys: [{ owner_id: "bot_1" }],
      event_subscriptions: [{ destination_ids: ["ed_1"] }],
      event_destinations: [{ id: "ed_1", target: { monitoring: { api_key: "k" } } }],
      bot_users: [{ id: "bot_1", name: "bot" }],
      tunnel_credentials: [{ id: "cr_1" }],
      "backends/http_response": [{ id: "bkdhr_1" }],
      "backends/weighted": [{ backends: { bkdhr_1: 5 } }],
      "edges/tcp": [{ backend: { backend_id: "bkdhr_1" } }],
      tls_edges: [{ ip_restriction: { ip_policy_ids: ["ipp_1"] } }],
      ip_policies: [{ id: "ipp_1" }],
    });
    expect(made.api_keys?.[0]).toMatchObject({ owner_id: "bot_1", token: expect.any(String) });
    expect((await client(emulator, String(made.api_keys?.[0]?.token))("GET", "/ip_policies")).status).toBe(
      200,
    );
    await expect(emulator.seed({ ip_policies: [{ id: "ipp_1" }] })).rejects.toThrow(/id/);
  });
});

describe("The emulator", () => {
  test("reports that its port is in use", async () => {
    const { emulator } = await start();
    await expect(startEmulator({ port: Number(new URL(emulator.baseUrl).port) })).rejects.toThrow(
      /^port \d+ of 127\.0\.0\.1 is in use: /,
    );
  });

  test("leaves the process's own fetch classes alone", async () => {
    const before = [globalThis.Request, globalThis.Response];
    await start();
    expect([globalThis.Request, globalThis.Response]).toEqual(before);
  });

  test("delays every response by its latency", async () => {
    const { call } = await start({ latencyMs: 60 });
    const before = Date.now();
    await call("GET", "/ip_policies");
    expect(Date.now() - before).toBeGreaterThanOrEqual(55);
  });

  test("creates thousands of objects in linear time", async () => {
    const { emulator } = await start();
    const rules = Array.from({ length: 5000 }, (_, i) => ({
      cidr: `10.${i >> 8}.${i & 255}.0/24`,
      ip_policy_id: "ipp_1",
      action: "deny",
    }));
    const seed = () => emulator.seed({ ip_policies: [{ id: "ipp_1" }], ip_policy_rules: rules });
    expect(await cpuMilliseconds(seed)).toBeLessThan(2000);
  });
});
