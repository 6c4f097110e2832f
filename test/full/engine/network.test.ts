import { writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { withoutProxy } from "../../support/network-settings";
import { makeCertificate } from "../../support/x509";
import { cjs, doors, resources, rewrite, stackTrace } from "../../engine/support";

const body = (description: string): string => `
  for (let i = 0; i < 12; i++) new IpPolicy("office" + i, { description: ${JSON.stringify(description)} + i });
`;

describe("a stack whose service is behind a proxy and a certificate of a company's own", () => {
  const open: Server[] = [];
  const sockets = new Set<Socket>();
  const emulator = EmulatorProcess.forTests({ nextPageOrigin: "https://elsewhere.example", pageSize: 5 });
  beforeEach(() => emulator.reset());

  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    for (const server of open) {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    }
  });

  async function listening(server: Server): Promise<number> {
    open.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return (server.address() as AddressInfo).port;
  }

  /** The emulator with TLS in front, as a certificate for service.test alone. */
  function secure(key: string, cert: string): Promise<number> {
    const { port } = new URL(emulator.baseUrl);
    const server = createSecureServer({ key, cert }, (incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const own = { ...headers, host: `127.0.0.1:${port}` };
      const onward = request({ host: "127.0.0.1", port, method, path, headers: own }, (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on("error", () => outgoing.destroy());
      incoming.pipe(onward);
    });
    return listening(server);
  }

  async function proxy(): Promise<{ port: number; asked: Set<string> }> {
    const asked = new Set<string>();
    const server = createServer((_request, response) => response.writeHead(400).end());
    server.on("connect", (incoming: IncomingMessage, socket: Socket) => {
      asked.add(incoming.url!);
      const port = Number(incoming.url!.split(":")[1]);
      const upstream = connect(port, "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      for (const each of [socket, upstream]) {
        sockets.add(each);
        each.on("error", () => (socket.destroy(), upstream.destroy()));
      }
    });
    return { port: await listening(server), asked };
  }

  it.each(doors)(
    "goes through the proxy alone, follows no foreign link and no redirect, and keeps its key to itself: %s",
    async (door) => {
      const authority = makeCertificate({ ca: true });
      const certificate = makeCertificate({ issuer: authority, dnsNames: ["service.test"] });
      const port = await secure(certificate.privateKeyPem, certificate.pem);
      const through = await proxy();
      const main = cjs(body("before "), { door });
      const ca = join(main.dir, "ca.pem");
      writeFileSync(ca, authority.pem);
      const stack = await main.stack({
        env: {
          ...withoutProxy,
          TUNNEL_GATEWAY_API_KEY: emulator.apiKey,
          TUNNEL_GATEWAY_BASE_URL: `https://service.test:${port}`,
          HTTPS_PROXY: `http://127.0.0.1:${through.port}`,
          NODE_EXTRA_CA_CERTS: ca,
        },
      });

      await stack.up();
      expect((await emulator.state()).ip_policies).toHaveLength(12);
      await emulator.clearRequests();
      await stack.refresh({ args: ["--expect-no-changes"] });
      const pages = (await emulator.requests()).filter(({ path }) => path === "/ip_policies");
      expect(pages.filter(({ query }) => query.before_id !== undefined).length).toBeGreaterThan(0);
      expect([...through.asked]).toEqual([`service.test:${port}`]);

      const seen: IncomingHttpHeaders[] = [];
      const other = await listening(
        createServer(({ headers }, response) => {
          seen.push(headers);
          response.end("{}");
        }),
      );
      const location = `http://127.0.0.1:${other}/ip_policies`;
      await emulator.setFaults({ rules: [{ kind: "redirect", method: "PATCH", location }] });
      rewrite(main, body("after "));
      const { output } = await stack.up({ exitCode: "any" });
      expect(output).toContain(`a redirect (307) to ${location}; set the base URL to where the API is`);
      expect(output).not.toContain(emulator.apiKey);
      expect(output).not.toMatch(stackTrace);
      expect(seen).toEqual([]);
      expect(Object.keys(resources(stack))).toHaveLength(12);
    },
  );
});
