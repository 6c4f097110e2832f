import { request } from "node:http";
import { createServer as createSecureServer, request as requestSecurely } from "node:https";
import type { AddressInfo } from "node:net";
import { Broker } from "../../../src/tools/broker/broker";
import { accountsWith } from "../../../src/tools/broker/keys";
import { listeningAt } from "../../../src/tools/cli/commands/deploy/run";
import { everyWrite } from "../../../src/tools/broker/permits";
import { runCommandLine } from "../../support/command-line";
import { serverForTests } from "../../support/servers";
import { makeCertificate } from "../../support/x509";
import { brokersForTests } from "./brokers";

const { emulator, log, logFile } = brokersForTests();
const other = serverForTests((_, response) => void response.end());

describe("--listen", () => {
  it.each<[string, string | undefined, ReturnType<typeof listeningAt>]>([
    ["127.0.0.1:8443", undefined, { host: "127.0.0.1", port: 8443, url: "http://127.0.0.1:8443" }],
    ["[::1]:8443", undefined, { host: "::1", port: 8443, url: "http://[::1]:8443" }],
    ["0.0.0.0:8443", "https://a.example/", { host: "0.0.0.0", port: 8443, url: "https://a.example" }],
    ["broker:443", "https://a.example:444", { host: "broker", port: 443, url: "https://a.example:444" }],
  ])("takes the address %s with the URL %s", (address, url, listening) => {
    expect(listeningAt(address, url)).toEqual(listening);
  });

  it.each<[string, string | undefined, string]>([
    ["8443", undefined, "--listen needs an address and a port, such as 0.0.0.0:8443, not 8443"],
    ["127.0.0.1:0", undefined, "--listen needs an address and a port, such as 0.0.0.0:8443, not 127.0.0.1:0"],
    ["127.0.0.1:65536", undefined, "not 127.0.0.1:65536"],
    ["::1:8443", undefined, "not ::1:8443"],
    [
      "0.0.0.0:8443",
      undefined,
      'the URL of the broker must be an https URL: http is only for loopback hosts, not for "http://0.0.0.0:8443": name the ' +
        "one by which the command reaches it, with TLS in front, as --url https://broker.example.com",
    ],
    ["127.0.0.1:8443", "http://a.example", "must be an https URL"],
    ["127.0.0.1:8443", "https://a.example/broker", "the URL of the broker must have no path"],
    ["127.0.0.1:8443", "https://a:b@a.example", "must not contain a user name or password"],
  ])("refuses the address %s with the URL %s", (address, url, message) => {
    expect(() => listeningAt(address, url)).toThrow(message);
  });

  const deployed = (...options: string[]) =>
    runCommandLine(["deploy", "--unapproved", "--reason", "x", "--log", logFile, ...options, "--", "true"], {
      TUNNEL_GATEWAY_BASE_URL: emulator.baseUrl,
      TUNNEL_GATEWAY_API_KEY: "key",
    });

  it("names an address that something else uses", async () => {
    const { host } = new URL(other.baseUrl);
    const { code, stderr } = await deployed("--listen", host);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`listen EADDRINUSE: address already in use ${host}`),
    ]);
  });
});

describe("a broker behind TLS", () => {
  const { pem: cert, privateKeyPem: key } = makeCertificate({ dnsNames: ["broker.test"] });

  /** The statuses of the answers, each by the name that the header Host has. */
  async function statuses(broker: Broker, address: string): Promise<Record<string, number | undefined>> {
    const proxy = createSecureServer({ key, cert }, ({ method, url, headers }, response) => {
      const [host, port] = address.split(":");
      request({ host, port, method, path: url, headers }, (answer) => {
        response.writeHead(answer.statusCode!);
        answer.pipe(response);
      }).end();
    });
    await new Promise<void>((started) => proxy.listen(0, "127.0.0.1", started));
    const { port } = proxy.address() as AddressInfo;
    const { pathname } = new URL(`${emulator.baseUrl}/ip_policies`);
    const statusOf = (host: string): Promise<number | undefined> =>
      new Promise((ended, failed) => {
        const authorization = `Bearer ${broker.settings.token}`;
        const headers = { host, authorization, "tunnel-gateway-base-url": emulator.baseUrl };
        const where = { host: "127.0.0.1", port, path: pathname, ca: cert, servername: "broker.test" };
        requestSecurely({ ...where, headers }, (answer) => ended(answer.resume().statusCode))
          .on("error", failed)
          .end();
      });
    try {
      const found: Record<string, number | undefined> = {};
      for (const name of ["broker.test", address, "attacker.test"]) found[name] = await statusOf(name);
      return found;
    } finally {
      proxy.closeAllConnections();
      await new Promise((closed) => proxy.close(closed));
    }
  }

  it("answers requests for its URL and its address alone, and tells the command its URL", async () => {
    log.begin({ reason: "a test" });
    const accounts = accountsWith([emulator.baseUrl], { default: emulator.apiKey, own: new Map() });
    const listening = { host: "127.0.0.1", port: 0, url: "https://broker.test" };
    const broker = await Broker.start({ accounts, permits: everyWrite, log, listening });
    try {
      expect(broker.settings.url).toBe("https://broker.test");
      const address = broker.address;
      expect(await statuses(broker, address)).toEqual({
        "broker.test": 200,
        [address]: 200,
        "attacker.test": 401,
      });
    } finally {
      await broker.close();
    }
  });
});
