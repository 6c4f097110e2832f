import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { networkSettings } from "./network-settings";
import { baseEnv } from "./pulumi-command";
import { makeCertificate } from "./x509";
import { temporaryFolder } from "./folders";

const here = "127.0.0.1,localhost,::1";

describe("the network settings of an environment", () => {
  it("contain proxies, certificate authorities and registries, and nothing else", () => {
    const settings = {
      HTTPS_PROXY: "http://proxy.example.com:3128",
      http_proxy: "http://proxy.example.com:3128",
      NODE_EXTRA_CA_CERTS: "/etc/ssl/company.pem",
      SSL_CERT_FILE: "/etc/ssl/all.pem",
      npm_config_registry: "https://npm.example.com/",
      NPM_CONFIG_CAFILE: "/etc/ssl/company.pem",
      "npm_config_@scope:registry": "https://scope.example.com/",
      YARN_NPM_REGISTRY_SERVER: "https://npm.example.com/",
    };
    const others = { PULUMI_ACCESS_TOKEN: "token", TUNNEL_GATEWAY_API_KEY: "key", NODE_OPTIONS: "-r x" };
    const ofNpm = { npm_config_omit_lockfile_registry_resolved: "true", npm_config_userconfig: "/etc/npmrc" };
    const all = { ...settings, NO_PROXY: here, no_proxy: here };
    expect(networkSettings({ ...settings, ...others, ...ofNpm })).toEqual(all);
  });

  it.each(["NO_PROXY", "no_proxy"])("keep the hosts of %s and add this machine", (name) => {
    const hosts = `.example.com,${here}`;
    expect(networkSettings({ [name]: ".example.com" })).toEqual({ NO_PROXY: hosts, no_proxy: hosts });
  });
});

describe("npm in the environment of a test's commands", () => {
  const before = process.env;
  const servers: Server[] = [];
  const connected: string[] = [];
  let folder: string;

  const listening = async (server: Server): Promise<number> => {
    servers.push(server);
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    return (server.address() as AddressInfo).port;
  };

  beforeAll(async () => {
    folder = temporaryFolder("npm");
    const [setup, ca] = [join(folder, "setup.json"), join(folder, "ca.pem")];
    writeFileSync(
      setup,
      JSON.stringify({ folder, path: [dirname(process.execPath), before.PATH].join(":") }),
    );

    const authority = makeCertificate({ ca: true });
    writeFileSync(ca, authority.pem);
    const { pem, privateKeyPem } = makeCertificate({ issuer: authority, dnsNames: ["npm.example.com"] });
    const registry = createSecureServer({ cert: pem, key: privateKeyPem }, (_, response) => {
      const versions = { "1.2.3": { name: "some-package", version: "1.2.3" } };
      response.end(JSON.stringify({ name: "some-package", "dist-tags": { latest: "1.2.3" }, versions }));
    });
    const registryPort = await listening(registry);
    const proxy = createServer().on("connect", ({ url }, client) => {
      connected.push(url!);
      const server = connect(registryPort, "127.0.0.1", () => {
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        client.pipe(server).pipe(client);
      });
      for (const socket of [client, server]) socket.on("error", () => client.destroy());
    });
    // The machine's own settings of npm, such as a cafile, go before those of the test.
    const ofNpm = Object.keys(before).filter((name) => /^npm_config_/i.test(name));
    process.env = {
      ...before,
      ...Object.fromEntries(ofNpm.map((name) => [name, undefined])),
      TUNNEL_GATEWAY_TEST_ENGINE: setup,
      HTTPS_PROXY: `http://127.0.0.1:${await listening(proxy)}`,
      NODE_EXTRA_CA_CERTS: ca,
      npm_config_registry: "https://npm.example.com/",
      npm_config_cache: join(folder, "cache"),
      npm_config_update_notifier: "false", // it would ask for npm itself
      npm_config_userconfig: join(folder, "user-npmrc"),
      npm_config_globalconfig: join(folder, "global-npmrc"),
    };
    delete process.env.https_proxy; // it goes before the name in capitals
  });
  afterAll(() => {
    process.env = before;
    for (const server of servers) server.close();
  });

  it("reaches the machine's registry through its proxy, with its certificate authority", async () => {
    const args = ["view", "some-package", "version", "--fetch-retries=0", "--loglevel=error"];
    const { stdout } = await promisify(execFile)("npm", args, { cwd: folder, env: baseEnv() });
    expect(stdout).toBe("1.2.3\n");
    expect(connected).toEqual(["npm.example.com:443"]);
  });
});
