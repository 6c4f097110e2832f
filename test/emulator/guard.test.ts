/** Who may reach the emulator: a web page, a rebound name and another machine may not. */
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { startEmulator } from "../../src/emulator";
import type { Emulator } from "../../src/emulator";
import { harness } from "./support";

const start = harness();

interface Sent {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** The status of a request with exactly these headers; `fetch` sets Host and Origin itself. */
function status({ baseUrl }: Emulator, { method = "GET", path, headers = {}, body }: Sent): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const sent = request({ host: hostname, port, method, path, headers }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const control = { "Emulator-Control": "1" };
const service = (emulator: Emulator) => ({
  Authorization: `Bearer ${emulator.apiKey}`,
  "Service-Version": "2",
});

describe("The control routes", () => {
  const routes = [
    ["POST", "seed"],
    ["GET", "state"],
    ["GET", "requests"],
    ["DELETE", "requests"],
    ["PUT", "faults"],
    ["GET", "clock"],
    ["PUT", "clock"],
    ["POST", "reset"],
    ["GET", "nothing"],
  ] as const;

  test.each(routes)("refuse %s %s without the header that a page cannot send", async (method, route) => {
    const { emulator } = await start();
    await emulator.seed({ ip_policies: [{ id: "ipp_1" }] });
    const path = `/_emulator/${route}`;
    expect(await status(emulator, { method, path })).toBe(403);
    expect(await status(emulator, { method, path, headers: { "Emulator-Control": "yes" } })).toBe(403);
    expect(await status(emulator, { method, path, headers: { ...control, Origin: "null" } })).toBe(403);
    const origin = { ...control, Origin: emulator.baseUrl };
    expect(await status(emulator, { method, path, headers: origin })).toBe(403);
    expect(emulator.snapshot().ip_policies).toHaveLength(1);
  });

  test("answer what has it", async () => {
    const { emulator } = await start();
    expect(await status(emulator, { path: "/_emulator/state", headers: control })).toBe(200);
  });

  test("permit no page to send the header", async () => {
    const { emulator } = await start();
    const preflight = await fetch(`${emulator.baseUrl}/_emulator/reset`, {
      method: "OPTIONS",
      headers: {
        Origin: "https://page.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "emulator-control",
      },
    });
    expect([...preflight.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
    expect(preflight.ok).toBe(false);
  });
});

describe("The header Host", () => {
  const hosts = (port: string): [string, boolean][] => [
    [`127.0.0.1:${port}`, true],
    [`localhost:${port}`, true],
    [`LOCALHOST:${port}`, true],
    [`[::1]:${port}`, true],
    [`rebound.example:${port}`, false],
    [`127.0.0.1.rebound.example:${port}`, false],
    [`localhost.rebound.example:${port}`, false],
    [`localhost@rebound.example:${port}`, false],
    [`127.0.0.1:${port}@rebound.example`, false],
    ["127.0.0.1:1", true], // the port of a proxy or of a container
    ["127.0.0.2", false],
    [`203.0.113.1:${port}`, false],
  ];

  test("must be the emulator's, for the API and for the control routes", async () => {
    const { emulator } = await start();
    const { port } = new URL(emulator.baseUrl);
    for (const [host, accepted] of hosts(port)) {
      const headers = { Host: host };
      const api = { path: "/ip_policies", headers: { ...service(emulator), ...headers } };
      const state = { path: "/_emulator/state", headers: { ...control, ...headers } };
      const statuses = [await status(emulator, api), await status(emulator, state)];
      // The server itself refuses what is no host at all.
      expect([host, ...statuses]).toEqual([
        host,
        ...statuses.map((each) => (accepted ? 200 : each === 400 ? 400 : 403)),
      ]);
    }
    expect(emulator.requests.every((each) => each.headers.host !== `rebound.example:${port}`)).toBe(true);
  });
});

describe("A body", () => {
  const huge = 9 * 1024 * 1024;

  test("that says it is too large is refused before it is sent", async () => {
    const { emulator } = await start();
    const answer = await refusedUpload(emulator, `Content-Length: ${huge}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(emulator.requests).toEqual([]);
  });

  test("that does not say its size is refused", async () => {
    const { emulator } = await start();
    const headers = {
      ...service(emulator),
      "Content-Type": "application/json",
      "Transfer-Encoding": "chunked",
    };
    const sent = status(emulator, {
      method: "POST",
      path: "/ip_policies",
      headers,
      body: JSON.stringify({ description: "x" }),
    });
    expect(await sent).toBe(411);
    expect(emulator.requests).toEqual([]);
  });

  test("of a seed may be larger than one of the service", async () => {
    const { emulator } = await start();
    const body = JSON.stringify({ ip_policies: [{ description: "x".repeat(huge) }] });
    const path = "/_emulator/seed";
    // The description is too long for the service, and the size is not.
    expect(await status(emulator, { method: "POST", path, headers: control, body })).toBe(400);
    expect(await refusedUpload(emulator, `Content-Length: ${300 * 1024 * 1024}`, path)).toMatch(/ 413 /);
  });

  /** What the emulator answers to a request whose body is never sent. */
  function refusedUpload({ baseUrl }: Emulator, length: string, path = "/ip_policies"): Promise<string> {
    const { host, hostname, port } = new URL(baseUrl);
    return new Promise((resolve, reject) => {
      let text = "";
      const socket = connect(Number(port), hostname, () => {
        socket.write(`POST ${path} HTTP/1.1\r\nHost: ${host}\r\nEmulator-Control: 1\r\n${length}\r\n\r\n`);
      });
      socket.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        socket.destroy();
      });
      socket.on("close", () => resolve(text)).on("error", reject);
    });
  }
});

describe("An address that other machines reach", () => {
  test.each(["0.0.0.0", "::"])("%s needs a key of its own", async (host) => {
    await expect(startEmulator({ host })).rejects.toThrow(
      /other machines can connect to .*set a key of your own/,
    );
    await expect(startEmulator({ host, apiKey: "" })).rejects.toThrow(/set a key of your own/);
  });

  test("serves the control routes to whoever has the key", async () => {
    const { emulator } = await start({ host: "0.0.0.0", apiKey: "a-key-of-its-own" });
    const path = "/_emulator/state";
    const key = { Authorization: "Bearer a-key-of-its-own" };
    expect(await status(emulator, { path, headers: control })).toBe(401);
    expect(await status(emulator, { path, headers: { ...control, ...key } })).toBe(200);
    expect(await status(emulator, { path, headers: { ...control, ...key, Origin: "http://a" } })).toBe(403);
  });

  test("is known by its addresses, not by a name that resolves to it", async () => {
    const { emulator } = await start({ host: "0.0.0.0", apiKey: "a-key-of-its-own" });
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const addresses = own.filter(({ family }) => family === "IPv4").map(({ address }) => address);
    for (const host of [...addresses, "localhost:9090"]) {
      const headers = { ...service(emulator), Host: host };
      expect([host, await status(emulator, { path: "/ip_policies", headers })]).toEqual([host, 200]);
    }
    const rebound = { ...service(emulator), Host: "rebound.example" };
    expect(await status(emulator, { path: "/ip_policies", headers: rebound })).toBe(403);
  });

  test.each(["127.0.0.1", "localhost", "127.0.0.2"])("is not %s", async (host) => {
    const { emulator, call } = await start({ host });
    expect((await call("GET", "/ip_policies")).status).toBe(200);
    expect(await status(emulator, { path: "/_emulator/state", headers: control })).toBe(200);
  });
});
