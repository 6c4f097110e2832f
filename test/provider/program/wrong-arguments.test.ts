/** Mistakes of settings, and of secrets that the program has as Outputs, are in the one list of wrong arguments. */
import * as pulumi from "@pulumi/pulumi";
import * as dynamic from "../../../src";
import * as native from "../../../src/native";
import { mocks } from "../../../src/testing";
import { failureOf } from "../../support/failure";
import { makeCertificate } from "../../support/x509";

// The package of the tests is in no folder of a program.
jest.mock("../../../src/program/plugin-package", () => ({ requirePackageOfPlugin: () => undefined }));

const [mine, theirs] = [makeCertificate(), makeCertificate()];
const gateway = mocks();
beforeEach(() => pulumi.runtime.setMocks(gateway, "shop", "dev"));
afterEach(() => pulumi.runtime.setAllConfig({}));

/** The message that ends the program, with the same line of the program in each heading. */
async function messageOf(program: () => void, config: Record<string, string> = {}): Promise<string[]> {
  pulumi.runtime.setAllConfig(config);
  const { message } = await failureOf(gateway.run(program));
  return message.replace(/\([^ ]*wrong-arguments\.test\.ts:\d+\)/g, "(line)").split("\n");
}

const title = "wrong arguments, which a preview finds before anything is changed:";
const settings = { apiKey: "a-key-for-tests", baseUrl: "https://api.example.com" };

describe.each([
  ["dynamic", dynamic],
  ["native", native],
] as const)(
  "a program of %s resources",
  (_door, { EventDestination, IpPolicy, IpPolicyRule, Provider, TlsCertificate }) => {
    it("names wrong settings of the stack and of a Provider, and wrong secrets, beside its other mistakes", async () => {
      const lines = await messageOf(
        () => {
          const partner = new Provider("partner", {
            apiKey: pulumi.secret("a k3y"),
            baseUrl: pulumi.output("ftp://api.example.com"),
            requestTimeout: 0,
            retryTimout: "s3cret",
            "tunnel-gateway:listObjects": 5,
          } as object);
          new IpPolicy("theirs", {}, { provider: partner });
          new TlsCertificate("site", {
            certificatePem: mine.pem,
            privateKeyPem: pulumi.secret(theirs.privateKeyPem),
          });
          new EventDestination("audit", { target: { monitoring: { apiKey: pulumi.secret(5) } } } as never);
          new IpPolicyRule("lan", { ipPolicyId: "ipp_1", cidr: "10.0.0.1/8", action: "allow" });
        },
        { "tunnel-gateway:baseUrl": "api.example.com", "tunnel-gateway:requestTimeout": "soon" },
      );
      // Outputs get their values in an order that is Pulumi's own.
      expect([...lines.slice(0, 4), ...lines.slice(4, 7).sort(), ...lines.slice(7)]).toEqual([
        title,
        '  Provider "partner" (line)',
        "    retryTimout: is not an argument here; did you mean retryTimeout?",
        "    tunnel-gateway:listObjects: is not an argument here; did you mean listObjects?",
        "    apiKey: must be a token of an API key, without white space",
        '    baseUrl: must be an https URL, not "ftp://api.example.com"',
        '    requestTimeout: must be at least 1, not "0"',
        '  Stack "dev"',
        "    tunnel-gateway:baseUrl: must begin with https://; the value has no scheme",
        '    tunnel-gateway:requestTimeout: must be a number of seconds, such as "60", not "soon"',
        '  IpPolicyRule "lan" (line)',
        expect.stringMatching(/^ {4}cidr: /),
        '  TlsCertificate "site" (line)',
        expect.stringMatching(/^ {4}privateKeyPem: must be the private key of the chain's first certificate/),
        '  EventDestination "audit" (line)',
        "    target.monitoring.apiKey: must be a string, not a number",
      ]);
      expect(lines.join()).not.toMatch(/a k3y|s3cret|BEGIN/);
    });

    it("is accepted with right settings and the right key, which stays a secret", async () => {
      pulumi.runtime.setAllConfig({ "tunnel-gateway:baseUrl": settings.baseUrl });
      const target = { monitoring: { apiKey: pulumi.secret("k3y"), service: "gateway" } };
      await gateway.run(() => {
        const partner = new Provider("partner", { ...settings, requestTimeout: 20 });
        const privateKeyPem = pulumi.secret(mine.privateKeyPem);
        new TlsCertificate("site", { certificatePem: mine.pem, privateKeyPem }, { provider: partner });
        new EventDestination("audit", { target });
      });
      expect(gateway.of(EventDestination).map(({ inputs }) => inputs)).toEqual([
        { target: { monitoring: { apiKey: "k3y", service: "gateway" } } },
      ]);
      expect(gateway.of(TlsCertificate).map(({ inputs }) => inputs)).toEqual([
        { certificatePem: mine.pem, privateKeyPem: mine.privateKeyPem },
      ]);
    });

    it.each([undefined, null])("names a setting that is an Output of %s", async (none) => {
      expect(
        await messageOf(() => new Provider("partner", { ...settings, apiKey: pulumi.output(none) as never })),
      ).toEqual([
        title,
        '  Provider "partner" (line)',
        "    apiKey: is an Output without a value; give it a value, or leave it out to use that of the environment",
      ]);
    });

    describe("that the Pulumi CLI has started", () => {
      const before = { ...process.env };
      afterEach(() => (process.env = { ...before }));

      it.each([
        [
          { TUNNEL_GATEWAY_BASE_URL: undefined },
          '    tunnel-gateway:baseUrl (or TUNNEL_GATEWAY_BASE_URL): is not set: run "pulumi config set',
        ],
        [
          { TUNNEL_GATEWAY_BASE_URL: "api.example.com" },
          "    TUNNEL_GATEWAY_BASE_URL: must begin with https://",
        ],
      ])("has the environment's settings %j, where they are set", async (environment, line) => {
        Object.assign(process.env, environment, { PULUMI_NODEJS_MONITOR: "127.0.0.1:1" });
        if (environment.TUNNEL_GATEWAY_BASE_URL === undefined) delete process.env.TUNNEL_GATEWAY_BASE_URL;
        const lines = await messageOf(() => new IpPolicy("office"));
        expect(lines).toEqual([title, '  Stack "dev"', expect.stringContaining(line)]);
      });

      const unset =
        "    baseUrl (or TUNNEL_GATEWAY_BASE_URL): is not set: pass a value, or leave the argument out and set the " +
        "environment variable";
      it.each([
        [{}, undefined, unset],
        [{ baseUrl: pulumi.output("") }, settings.baseUrl, unset],
        [
          {},
          "api.example.com",
          "    TUNNEL_GATEWAY_BASE_URL: must begin with https://; the value has no scheme",
        ],
      ])(
        "has an explicit Provider %#, and what is wrong with it is in the list",
        async (args, variable, line) => {
          process.env.PULUMI_NODEJS_MONITOR = "127.0.0.1:1";
          delete process.env.TUNNEL_GATEWAY_BASE_URL;
          if (variable !== undefined) process.env.TUNNEL_GATEWAY_BASE_URL = variable;
          const lines = await messageOf(
            () => {
              new Provider("partner", args);
              new IpPolicyRule("lan", { ipPolicyId: "ipp_1", cidr: "10.0.0.1/8", action: "allow" }, {});
            },
            { "tunnel-gateway:baseUrl": settings.baseUrl },
          );
          expect(lines).toEqual(
            expect.arrayContaining(['  Provider "partner" (line)', line, '  IpPolicyRule "lan" (line)']),
          );
        },
      );

      it("takes what the environment or an Output of another resource gives to an explicit Provider", async () => {
        process.env.PULUMI_NODEJS_MONITOR = "127.0.0.1:1";
        process.env.TUNNEL_GATEWAY_BASE_URL = settings.baseUrl;
        await gateway.run(() => new Provider("partner", {}));
        delete process.env.TUNNEL_GATEWAY_BASE_URL;
        await gateway.run(() => {
          const envVarMappings = { AMERICA_URL: "TUNNEL_GATEWAY_BASE_URL" };
          new Provider("mapped", {}, { envVarMappings });
          const { id } = new IpPolicy("office", {}, { provider: new Provider("other", settings) });
          new Provider("later", { baseUrl: id.apply((known) => `https://${known.length}.example.com`) });
        });
        expect(gateway.of(IpPolicy)).toHaveLength(1);
      });
    });
  },
);
