import { execFile, execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import type { AddressInfo, LookupFunction, Socket } from "node:net";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { Agent } from "undici";
import type { Dispatcher } from "undici";
import { makeCertificate } from "../../support/x509";
import { Plugin, hasty } from "../../support/plugin";
import { emulatorForTests } from "../../support/emulators";
import { temporaryFolder } from "../../support/folders";
import { failureOf } from "../../support/failure";
import { bodyFrom } from "../../../src/schema/values";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const emulator = emulatorForTests();
const open: Server[] = [];
const folder = temporaryFolder("network");
afterEach(async () => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function listening(server: Server, host = "127.0.0.1"): Promise<number> {
  open.push(server);
  await new Promise<void>((done) => server.listen(0, host, done));
  return (server.address() as AddressInfo).port;
}

const serve = (handler: Handler): Promise<number> => listening(createServer(handler));
const policy: Handler = (_request, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"id":"ipp_1"}');
};
const read = (plugin: Plugin) =>
  plugin.http.send({ method: "GET", path: "/ip_policies/ipp_1", operation: "reading" });
const at = (port: number, changes: object = {}) =>
  new Plugin({ baseUrl: `http://127.0.0.1:${port}`, requestTimeout: 1, retryTimeout: 1, ...changes });

/** Connections that find every host name on this machine, so that a test has a host that is not loopback. */
const elsewhere = (): Agent =>
  new Agent({
    keepAliveTimeout: 500,
    connect: {
      lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }] as never),
    },
  });

describe("a service that misbehaves", () => {
  test("a redirect is an error, and the token goes nowhere else", async () => {
    const seen: unknown[] = [];
    const other = await serve((request, response) => (seen.push(request.headers), policy(request, response)));
    const port = await serve((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${other}/` }).end();
    });
    await expect(read(at(port))).rejects.toThrow(
      /a redirect \(307\) to http.*; set the base URL to where the API is/,
    );
    expect(seen).toEqual([]);
  });

  test("one that never answers is given up after the time of a request, and then of the operation", async () => {
    let requests = 0;
    const port = await serve(() => void (requests += 1));
    await expect(read(at(port))).rejects.toThrow(/no answer within 1 second\b/);
    expect(requests).toBe(1);
  });

  test("one that answers drop by drop is given up as well", async () => {
    let requests = 0;
    const port = await serve((_request, response) => {
      requests += 1;
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    });
    await expect(read(at(port))).rejects.toThrow(/no answer within 1 second\b/);
    expect(requests).toBe(1);
  });

  test("an answer without end is cut off before it fills the memory", async () => {
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const port = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = (): void => {
        while (!response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", more);
        }
      };
      more();
    });
    const plugin = at(port, { requestTimeout: 20, retryTimeout: 1 });
    await expect(read(plugin)).rejects.toThrow(/it is longer than 32 MiB/);
    expect(sent).toBeLessThan(5 * 64 * 1024 * 1024);
  });

  test("an error without end is an error of its status", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const port = await serve((_request, response) => {
      response.writeHead(500);
      const more = (): void => {
        while (!response.destroyed) if (!response.write(chunk)) return void response.once("drain", more);
      };
      more();
    });
    await expect(read(at(port))).rejects.toThrow(/reading failed: 500: not the service's own error: xxx/);
  });

  test("one that answers 429 forever is given up in the end", async () => {
    const port = await serve((_request, response) =>
      response.writeHead(429, { "retry-after": "7200" }).end(),
    );
    await expect(read(at(port))).rejects.toThrow(/429.*It accepts no request for 2 hours; try again later/);
  });

  describe.each(["EHOSTUNREACH", "ENETUNREACH", "ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT"])(
    "a connection that ends with %s",
    (code) => {
      const policies = () => emulator.snapshot().ip_policies!.map((each) => each.id);
      const end = Object.assign(new Error(`read ${code}`), { code, syscall: "read" });
      /** Connections whose first create ends with the error, after or before the service has received it. */
      const ending = (isSent: boolean): { dispatcher: Dispatcher; posts: () => number } => {
        const agent = new Agent({ keepAliveTimeout: 500 });
        let posts = 0;
        const dispatcher = agent.compose((dispatch): Dispatcher["dispatch"] => (options, handler) => {
          if (options.method !== "POST" || ++posts > 1) return dispatch(options, handler);
          if (!isSent) {
            handler.onResponseError!(undefined as never, end);
            return true;
          }
          return dispatch(options, {
            onRequestStart: (controller, context) => handler.onRequestStart!(controller, context),
            onResponseStart: () => undefined,
            onResponseData: () => undefined,
            onResponseEnd: (controller) => handler.onResponseError!(controller, end),
            onResponseError: (controller, error) => handler.onResponseError!(controller, error),
          });
        });
        return { dispatcher, posts: () => posts };
      };

      test("after the request was sent may have created the object, which is searched for", async () => {
        const { dispatcher, posts } = ending(true);
        const plugin = Plugin.for(emulator, {}, { dispatcher });
        const { id } = await plugin.create("IpPolicy", { description: "office" });
        expect([posts(), policies()]).toEqual([1, [id]]);
      });

      test("before a connection has taken the request has created nothing", async () => {
        const { dispatcher, posts } = ending(false);
        const plugin = Plugin.for(emulator, {}, { dispatcher });
        const { id } = await plugin.create("IpPolicy", { description: "office" });
        expect([posts(), policies()]).toEqual([2, [id]]);
        expect(emulator.requests.filter(({ method }) => method === "GET")).toEqual([]);
      });
    },
  );

  test.each<[string, Error]>([
    ["TypeError", new TypeError("connect is not a function")],
    ["RangeError", new RangeError("Maximum call stack size exceeded")],
    ["AssertionError", Object.assign(new Error("false == true"), { code: "ERR_ASSERTION" })],
    ["TypeError of Node.js", Object.assign(new TypeError("wrong"), { code: "ERR_INVALID_ARG_TYPE" })],
  ])("a defect of a program, a %s, is never tried again, and stays what it is", async (_, defect) => {
    let requests = 0;
    const dispatch: Dispatcher["dispatch"] = (_options, handler) => {
      requests += 1;
      handler.onResponseError!(undefined as never, defect);
      return true;
    };
    const plugin = new Plugin({ retryTimeout: 300 }, { dispatcher: { dispatch } as unknown as Dispatcher });
    expect(await failureOf<unknown>(read(plugin))).toBe(defect);
    expect([requests, plugin.lines]).toEqual([1, []]);
  });

  test("a connection that is refused is tried again until the service is there", async () => {
    const server = createServer(policy);
    const port = await listening(server);
    await new Promise((done) => server.close(done));
    const dispatcher = elsewhere();
    const plugin = new Plugin({ baseUrl: `http://api.test:${port}`, retryTimeout: 300 }, { dispatcher });
    const reading = read(plugin);
    while (plugin.lines.length === 0) await new Promise(setImmediate); // virtual time may be far ahead of real time
    await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
    expect((await reading).body).toEqual({ id: "ipp_1" });
    expect(plugin.lines[0]).toMatch(/ECONNREFUSED.*; retrying for up to 300 seconds$/);
    await dispatcher.close();
  });

  test("a connection that another machine refuses is explained after ten seconds: for what it waits, and how to stop", async () => {
    const dispatcher = elsewhere();
    const plugin = new Plugin({ baseUrl: "http://api.test:9", retryTimeout: 300 }, { dispatcher });
    await expect(read(plugin)).rejects.toThrow(/ECONNREFUSED 127.0.0.1:9; given up after/);
    const [first, second] = plugin.lines;
    expect(first).toMatch(
      /^reading failed: no answer from http:\/\/api.test:9: .*; retrying for up to 300 seconds$/,
    );
    expect(second).toMatch(
      /^reading failed: no answer from http:\/\/api.test:9: .*; retrying for another 2\d\d seconds. To stop, press Ctrl\+C \(twice where pulumi runs\)$/,
    );
    expect(plugin.lines.length).toBeLessThan(12);
    expect(new Set(plugin.lines).size).toBe(plugin.lines.length);
    await dispatcher.close();
  });

  test("a connection that this machine refuses fails within seconds, and asks whether the service runs", async () => {
    const plugin = new Plugin({ retryTimeout: 300 });
    const start = hasty.elapsed();
    await expect(read(plugin)).rejects.toThrow(
      /^reading failed: no answer from http:\/\/127.0.0.1:9: .*ECONNREFUSED.*\. Is the service running there, such as the emulator\? Check the setting tunnel-gateway:baseUrl \(or TUNNEL_GATEWAY_BASE_URL\); given up after \d attempts in \d seconds? \(sooner than the setting retryTimeout, because waiting seldom helps here\)$/,
    );
    expect(hasty.elapsed() - start).toBeLessThanOrEqual(5_500);
  });

  test("a service without TLS at an https address is an error with the setting to check", async () => {
    const port = await serve(policy);
    await expect(read(at(port, { baseUrl: `https://127.0.0.1:${port}` }))).rejects.toThrow(
      /^reading failed: no answer from https:\/\/127.0.0.1:\d+: it does not use TLS\. Does it serve http, as the emulator does\? Check the setting tunnel-gateway:baseUrl \(or TUNNEL_GATEWAY_BASE_URL\)$/,
    );
  });

  test("headers that are too long are a broken answer, and soon given up", async () => {
    let requests = 0;
    const port = await serve((request, response) => {
      requests += 1;
      response.setHeader("x-long", "x".repeat(100_000));
      policy(request, response);
    });
    await expect(read(at(port, { retryTimeout: 300 }))).rejects.toThrow(
      /the answer is not as specified: its headers are too long; given up after 5 attempts/,
    );
    expect(requests).toBe(5);
  });

  test("an address that no URL can hold is an error with the operation, and no TypeError", async () => {
    const failure = await failureOf<unknown>(
      read(new Plugin({ baseUrl: "https://api.test ", retryTimeout: 1 })),
    );
    expect(failure).toMatchObject({
      name: "TransportError",
      message: expect.stringMatching(/^reading failed: /) as string,
    });
  });

  test.each(["ENOTFOUND", "EAI_AGAIN"])(
    "a host name that does not resolve (%s) ends after 15 seconds, with the setting to check",
    async (code) => {
      const lookup: LookupFunction = (host, _options, done) =>
        done(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code }), "", 4);
      const dispatcher = new Agent({ connect: { lookup } });
      const plugin = new Plugin({ baseUrl: "https://api.invalid" }, { dispatcher });
      const start = hasty.elapsed();
      await expect(read(plugin)).rejects.toThrow(
        new RegExp(
          `^reading failed: no answer from https://api.invalid: getaddrinfo ${code} api.invalid. ` +
            "Check the host name in the setting tunnel-gateway:baseUrl \\(or TUNNEL_GATEWAY_BASE_URL\\); given up after \\d+ attempts in 1?\\d seconds \\(sooner than the setting retryTimeout, because waiting seldom helps here\\)$",
        ),
      );
      expect(hasty.elapsed() - start).toBeLessThanOrEqual(15_000);
      expect(plugin.lines[0]).toMatch(/; retrying for up to 15 seconds$/);
      await dispatcher.close();
    },
  );

  test("connections are kept and reused", async () => {
    let connections = 0;
    const server = createServer(policy);
    server.on("connection", () => (connections += 1));
    const port = await listening(server);
    const dispatcher = new Agent({ connections: 32 });
    const plugin = new Plugin({ baseUrl: `http://127.0.0.1:${port}` }, { dispatcher });
    const hook = async (): Promise<void> => {
      for (let i = 0; i < 30; i++) await read(plugin);
    };
    await Promise.all(Array.from({ length: 8 }, hook));
    expect(connections).toBeLessThanOrEqual(16);
    await dispatcher.close();
  });
});

test.each([200, 201, 299])(
  "the broken body of a success (%s) is not quoted: it may hold a token",
  async (status) => {
    const port = await serve((_request, response) => {
      response.writeHead(status).end('{"id":"ak_1","token":"the-only-copy-of-a-token');
    });
    const plugin = at(port);
    const creating = plugin.http.send({
      method: "POST",
      path: "/api_keys",
      body: bodyFrom({}),
      operation: "creating the API key",
    });
    const error: unknown = await failureOf<unknown>(creating);
    expect(String(error)).toMatch(
      new RegExp(
        `^AnswerError: creating the API key: .*status ${status} with a body of 46 characters that is not JSON`,
      ),
    );
    expect(JSON.stringify([String(error), error, plugin.lines])).not.toContain("only-copy");
  },
);

test("a service that compresses its answers unless it is asked not to, as HTTP allows, is read", async () => {
  const port = await serve(({ headers }, response) => {
    const isPlain = headers["accept-encoding"] === "identity";
    response.setHeader("content-encoding", isPlain ? "identity" : "gzip");
    response.end(isPlain ? '{"id":"ipp_1"}' : gzipSync('{"id":"ipp_1"}'));
  });
  expect((await read(at(port))).body).toEqual({ id: "ipp_1" });
});

test("a redirect is shown without the user, the query and the fragment of its address", async () => {
  const port = await serve((_request, response) => {
    response.writeHead(302, { location: "https://ann:pass@login.example/in?token=hidden-1#hidden-2" }).end();
  });
  await expect(read(at(port))).rejects.toThrow(/a redirect \(302\) to https:\/\/login\.example\/in; set/);
});

/** A file that reads one policy, from the sources or as the native provider is built: of undici and SDK only parts. */
const reader = join(__dirname, "one-read.ts");
const sources = ["-r", resolve(__dirname, "../../support/typescript.cjs"), reader];
function bundled(): string[] {
  const builder = JSON.stringify(resolve(__dirname, "../../../scripts/lib/native-provider.mjs"));
  const options = {
    entryPoints: [reader],
    outdir: folder,
    target: "node22",
    external: ["./opentelemetry.js"],
  };
  const script = `import { bundle } from ${builder}; await bundle("one-read", ${JSON.stringify(options)});`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script], { stdio: "pipe" });
  return [join(folder, "one-read.js")];
}

const authority = makeCertificate({ ca: true });
const certificate = makeCertificate({ issuer: authority, ips: ["127.0.0.1"], dnsNames: ["service.test"] });
const ca = join(folder, "ca.pem");
writeFileSync(ca, authority.pem);

describe.each([
  ["of dynamic resources", () => sources],
  ["of the native provider", bundled],
])("a process %s in its network", (_, build) => {
  let program: string[];
  beforeAll(() => {
    program = build();
  });
  /** A host that only the proxy finds. */
  const behind = (port: number): string => `https://service.test:${port}`;

  const secure = (): Promise<number> =>
    listening(createSecureServer({ key: certificate.privateKeyPem, cert: certificate.pem }, policy));

  /** A process that reads one policy. */
  function reading(
    port: number,
    environment: Record<string, string>,
  ): Promise<{ result: string; warnings: string }> {
    const env = {
      PATH: process.env.PATH,
      TUNNEL_GATEWAY_API_KEY: "a-key-for-tests",
      TUNNEL_GATEWAY_BASE_URL: `https://127.0.0.1:${port}`,
      TUNNEL_GATEWAY_RETRY_TIMEOUT: "2",
      ...environment,
    };
    return new Promise((done) => {
      execFile(process.execPath, program, { env, timeout: 60_000 }, (_error, result, warnings) =>
        done({ result, warnings }),
      );
    });
  }

  /** A proxy that connects, or refuses to. */
  async function proxy(status = 200): Promise<{ port: number; asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url!);
      response.writeHead(502).end();
    });
    server.on("connect", (request: IncomingMessage, socket: Socket) => {
      asked.push(request.url!);
      if (status !== 200) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      const [, port] = request.url!.split(":") as [string, string];
      const upstream = connect(Number(port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    return { port: await listening(server), asked };
  }

  test("a certificate of an unknown authority is an error at once", async () => {
    const { result } = await reading(await secure(), { TUNNEL_GATEWAY_RETRY_TIMEOUT: "300" });
    expect(result).toMatch(/"error":"reading failed: no answer from https:.*(certificate|issuer)/);
  });

  test("NODE_EXTRA_CA_CERTS makes the authority known, and Node warns of nothing", async () => {
    const { result, warnings } = await reading(await secure(), { NODE_EXTRA_CA_CERTS: ca });
    expect(result).toBe('{"body":{"id":"ipp_1"}}');
    expect(warnings).toBe("");
  });

  test("HTTPS_PROXY is gone through, and NO_PROXY around", async () => {
    const port = await secure();
    const through = await proxy();
    const environment = {
      NODE_EXTRA_CA_CERTS: ca,
      HTTPS_PROXY: `http://127.0.0.1:${through.port}`,
      TUNNEL_GATEWAY_BASE_URL: behind(port),
    };
    const first = await reading(port, environment);
    expect(first).toEqual({ result: '{"body":{"id":"ipp_1"}}', warnings: "" });
    expect(through.asked).toEqual([`service.test:${port}`]);
    const second = await reading(port, { ...environment, NO_PROXY: "service.test" });
    expect(second.result).toMatch(/no answer from https:\/\/service\.test/);
    expect(through.asked).toHaveLength(1);
  });

  test.each(["127.0.0.1", "localhost", "[::1]"])(
    "a service on this machine, %s, is never requested through a proxy, which would read the key",
    async (host) => {
      const port = await listening(createServer(policy), host.replace(/[[\]]/g, ""));
      const through = await proxy();
      const address = `http://127.0.0.1:${through.port}`;
      const { result } = await reading(port, {
        TUNNEL_GATEWAY_BASE_URL: `http://${host}:${port}`,
        HTTP_PROXY: address,
        HTTPS_PROXY: address,
        http_proxy: address,
        NO_PROXY: "other.example",
      });
      expect(result).toBe('{"body":{"id":"ipp_1"}}');
      expect(through.asked).toEqual([]);
    },
  );

  test("a proxy that refuses is an error at once", async () => {
    const port = await secure();
    const refusing = await proxy(407);
    const { result } = await reading(port, {
      NODE_EXTRA_CA_CERTS: ca,
      HTTPS_PROXY: `http://127.0.0.1:${refusing.port}`,
      TUNNEL_GATEWAY_BASE_URL: behind(port),
      TUNNEL_GATEWAY_RETRY_TIMEOUT: "300",
    });
    expect(result).toMatch(/Proxy response \(407\)/);
  });

  test("TUNNEL_GATEWAY_LOG=debug shows requests on stderr, without the key", async () => {
    const { warnings } = await reading(await secure(), {
      NODE_EXTRA_CA_CERTS: ca,
      TUNNEL_GATEWAY_LOG: "debug",
    });
    expect(warnings).toMatch(
      /^tunnel-gateway: GET \/ip_policies\/ipp_1 200 in \d+ ms, attempt 1: -> {"id":"ipp_1"}$/m,
    );
    expect(warnings).not.toContain("a-key-for-tests");
  });
});
