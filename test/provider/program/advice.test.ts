import { generateKeyPairSync } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";
import {
  CertificateAuthority,
  HttpsEdgeRouteOauth,
  HttpsEdgeRouteOidc,
  HttpsEdgeRouteWebhookVerification,
  IpPolicyRule,
  IpPolicyRuleSet,
  KubernetesOperator,
  SshCredential,
  TcpEdge,
  TlsCertificate,
  notReturned,
} from "../../../src";
import { makeCertificate, makeCertificateRequest } from "../../support/x509";

let warnings: string[] = [];

beforeEach(async () => {
  warnings = [];
  jest.spyOn(pulumi.log, "warn").mockImplementation(async (text, resource) => {
    const urn = await (resource!.urn as unknown as { promise(): Promise<string> }).promise();
    const shown = text.replace(/\(\S*advice\.test\.ts:\d+\)/, "(line)");
    warnings.push(`${urn.split("::").at(-1)} ${shown}`);
  });
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `id of ${name}`, state: inputs as object }),
    call: () => ({}),
  });
});
afterEach(() => jest.restoreAllMocks());

async function run(program: () => unknown): Promise<string[]> {
  await pulumi.runtime.runInPulumiStack(() => {
    program();
    return Promise.resolve(undefined);
  });
  await pulumi.runtime.disconnect(); // waits for the registrations
  await setImmediate(); // the spy waits for URNs
  return warnings.sort();
}

const small = generateKeyPairSync("rsa", { modulusLength: 1024 })
  .publicKey.export({ type: "spki", format: "pem" })
  .toString();
const usualKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl";
const oidc = { edgeId: "e", routeId: "r", clientId: "c", clientSecret: pulumi.secret("s") };

describe("a secret in plaintext", () => {
  const plaintext =
    "is a secret in plaintext: take it from secret configuration (config.requireSecret), or mark it with pulumi.secret";

  it("is a warning on its resource, with the line of the program and without the value", async () => {
    const issuer = "https://login.example.com";
    const social = { clientId: "c", clientSecret: "hush" };
    const warned = await run(() => {
      new HttpsEdgeRouteOidc("literal", { ...oidc, issuer, clientSecret: "hush" });
      new HttpsEdgeRouteOidc("output", {
        ...oidc,
        routeId: "q",
        issuer,
        clientSecret: pulumi.output("hush"),
      });
      new HttpsEdgeRouteOauth("nested", { edgeId: "e", routeId: "r", provider: pulumi.output({ social }) });
    });
    expect(warned).toEqual([
      `literal HttpsEdgeRouteOidc "literal" (line): clientSecret: ${plaintext}`,
      `nested HttpsEdgeRouteOauth "nested" (line): provider.social.clientSecret: ${plaintext}`,
      `output HttpsEdgeRouteOidc "output" (line): clientSecret: ${plaintext}`,
    ]);
  });

  it("is none where it is marked, unknown, not returned or no secret to others", async () => {
    pulumi.runtime.setAllConfig({ "project:hook": "hush" }, ["project:hook"]);
    const certificate = makeCertificate({});
    const warned = await run(() => {
      const module = { edgeId: "e", provider: "GITHUB" as const };
      const config = new pulumi.Config("project");
      new HttpsEdgeRouteWebhookVerification("configured", {
        ...{ ...module, routeId: "1" },
        secret: config.requireSecret("hook"),
      });
      new HttpsEdgeRouteWebhookVerification("derived", {
        ...{ ...module, routeId: "2" },
        secret: pulumi.interpolate`${pulumi.secret("hush")}!`,
      });
      new HttpsEdgeRouteWebhookVerification("imported", { ...module, routeId: "3", secret: notReturned });
      new TlsCertificate("file", {
        certificatePem: certificate.pem,
        privateKeyPem: pulumi.secret(certificate.privateKeyPem),
      });
      new KubernetesOperator("request", { binding: { csr: makeCertificateRequest().pem } });
    });
    expect(warned.filter((text) => text.includes("plaintext"))).toEqual([]);
  });
});

describe("a value that decides access and is a secret", () => {
  const rule = { ipPolicyId: "ipp_1", action: "allow" as const };
  const hidden = "is a secret, so nobody can review who gets in; pass it in plaintext";

  it("is a warning on its resource, wherever in the arguments it is, without the value", async () => {
    const warned = await run(() => {
      new IpPolicyRule("one", { ...rule, cidr: pulumi.secret("198.51.100.0/24") });
      new IpPolicyRule("marked", { ...rule, cidr: "::1/128" }, { additionalSecretOutputs: ["cidr"] });
      new TcpEdge("unset", {}, { additionalSecretOutputs: ["ipRestriction"] });
      new IpPolicyRuleSet("set", {
        ipPolicyId: "ipp_2",
        rules: { "::1/128": pulumi.secret("allow" as const) },
      });
      new IpPolicyRuleSet("whole", {
        ipPolicyId: "ipp_3",
        rules: pulumi.secret({ "::1/128": "allow" as const }),
      });
      new TcpEdge("edge", { ipRestriction: { enabled: pulumi.secret(false), ipPolicyIds: ["ipp_1"] } });
      new SshCredential("derived", {
        publicKey: small,
        acl: [pulumi.interpolate`bind:${pulumi.secret("a")}`],
      });
    });
    expect(warned.filter((text) => text.includes("secret"))).toEqual([
      `derived acl[0]: ${hidden}`,
      `edge ipRestriction.enabled: ${hidden}`,
      `marked cidr: ${hidden}`,
      `one cidr: ${hidden}`,
      `set rules["::1/128"]: ${hidden}`,
      `whole rules: ${hidden}`,
    ]);
    expect(warned.join()).not.toContain("198.51.100.0");
  });

  it("is no warning for open Outputs, descriptions and the client secret beside it", async () => {
    const warned = await run(() => {
      new IpPolicyRule("open", {
        ...rule,
        cidr: pulumi.output("198.51.100.0/24"),
        description: pulumi.secret("hush"),
      });
      new HttpsEdgeRouteOauth("app", {
        ...{ edgeId: "e", routeId: "r" },
        provider: { social: { clientId: "c", clientSecret: pulumi.secret("hush") } },
      });
    });
    expect(warned).toEqual([]);
  });
});

describe("advice on arguments", () => {
  it("is given on an empty ACL, which services treat as none", async () => {
    const warned = await run(() => {
      new SshCredential("closed", { publicKey: usualKey, acl: [] });
      new SshCredential("open", { publicKey: usualKey, acl: ["*"] });
    });
    expect(warned).toEqual([
      'closed acl: is empty, which services treat as no restriction: list what the credential may bind, or write ["*"]',
    ]);
  });

  it("is one warning on the resource, for each path", async () => {
    const warned = await run(() => {
      new SshCredential("agent", { publicKey: small, acl: ["bind:a.example.com", "bind:https://a"] });
      new KubernetesOperator("cluster", { binding: { csr: "in another form" } });
    });
    expect(warned).toEqual([
      'agent acl[1]: has a target that is neither a domain, an address nor a label: "bind:https://a", a target has no scheme',
      "agent publicKey: is an RSA key of 1024 bits; services may refuse fewer than 2048 and more than 16384 bits",
      "cluster binding.csr: is not a readable PEM-encoded certificate request, and the service may refuse it: " +
        "it holds no -----BEGIN line",
    ]);
  });

  it("is given on arguments that do not fit together, once all of them are known", async () => {
    const warned = await run(() => {
      new KubernetesOperator("idle", {
        enabledFeatures: [pulumi.output("ingress" as const)],
        binding: { endpointSelectors: ["true"] },
      });
      new HttpsEdgeRouteOauth("app", {
        edgeId: "e",
        routeId: "r",
        provider: pulumi.output({ professional: {} }),
      });
    });
    expect(warned).toEqual([
      "app provider.professional.clientId: is not set, and services may have no app of their own for this provider",
      'idle binding: has no effect, because enabledFeatures does not hold "bindings"',
    ]);
  });

  it("is given on values of Outputs, secrets and promises once they are known", async () => {
    const warned = await run(() => {
      new SshCredential("output", { publicKey: pulumi.output(small) });
      new HttpsEdgeRouteOidc("promise", { ...oidc, issuer: Promise.resolve("http://login.example.com") });
      new KubernetesOperator("secret", { binding: { csr: pulumi.secret("hush") } });
    });
    expect(warned).toEqual([
      expect.stringMatching(/^output publicKey: is an RSA key of 1024 bits; /),
      expect.stringMatching(/^promise issuer: is not https/),
      expect.stringMatching(/^secret binding\.csr: is not a readable /),
    ]);
    expect(warned.join()).not.toContain("hush");
  });

  it("is none about unknown values, usual ones, and objects that the program looks up", async () => {
    const unknown = pulumi.output(pulumi.unknown) as pulumi.Output<string>;
    const warned = await run(() => {
      new SshCredential("unknown", { publicKey: unknown });
      new CertificateAuthority("usual", { caPem: makeCertificate({ ca: true }).pem });
      SshCredential.get("looked-up", "sshcr_1");
    });
    expect(warned).toEqual([]);
  });
});
