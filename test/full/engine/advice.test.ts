import { generateKeyPairSync } from "node:crypto";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import type { Plan } from "../../support/engine";
import { sshLine } from "../../support/ssh";
import { makeCertificate, makeCertificateRequest } from "../../support/x509";

/** Values at the edges of what the specification allows: warnings on the real engine, and no difference afterwards. */

const emulator = EmulatorProcess.forTests();
afterEach(() => emulator.reset());

const root = makeCertificate({ ca: true });
const leaf = makeCertificate({ issuer: root });
const old = makeCertificate({ version: 1 });
const small = (type: "spki") =>
  generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey.export({ type, format: "pem" }).toString();

const values = {
  token: { publicKey: sshLine("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 5), Buffer.from("ssh:")) },
  dsa: { publicKey: sshLine("ssh-dss", ...[129, 21, 128, 127].map((size) => Buffer.alloc(size, 3))) },
  small: { publicKey: small("spki") },
  chain: { certificatePem: leaf.pem + root.pem, privateKeyPem: leaf.privateKeyPem },
  bundle: { caPem: root.pem + old.pem },
  operator: {
    region: "",
    binding: {
      endpointSelectors: ["br'x' == b'x'", "a > .5"],
      csr: `CN=x\n${makeCertificateRequest().pem.replace(/CERTIFICATE/g, "NEW CERTIFICATE")}`,
    },
  },
  issuer: {
    edgeId: "edge",
    routeId: "route",
    issuer: "http://login.example.com",
    clientId: "c",
    clientSecret: "s",
    cookiePrefix: "",
  },
  endpoint: { url: "https://a.example.com/b?c" },
  edge: { hostports: ["*.tcp.example.com:12345"] },
  response: { statusCode: 999, headers: { "X-A": " a" } },
};

const program = (more = "") => `
  const pulumi = require("@pulumi/pulumi");
  const gateway = require("pulumi-tunnel-gateway");
  const values = ${JSON.stringify(values)};
  for (const name of ["token", "dsa"]) new gateway.SshCredential(name, values[name]);
  new gateway.SshCredential("small", { publicKey: pulumi.output(values.small.publicKey) });
  new gateway.TlsCertificate("chain", values.chain);
  new gateway.CertificateAuthority("bundle", values.bundle);
  new gateway.KubernetesOperator("operator", values.operator);
  new gateway.HttpsEdgeRouteOidc("issuer", values.issuer);
  new gateway.CloudEndpoint("endpoint", values.endpoint);
  new gateway.TcpEdge("edge", values.edge);
  new gateway.HttpResponseBackend("response", values.response);
  const subscription = new gateway.EventSubscription("subscription");
  new gateway.EventSource("source", { subscriptionId: subscription.id, type: "IpPolicy/Created.v12" });
  const policy = new gateway.IpPolicy("policy");
  new gateway.IpPolicyRule("address", { ipPolicyId: policy.id, cidr: "198.51.100.7", action: "deny" });
  new gateway.IpPolicyRuleSet("set", {
    ipPolicyId: new gateway.IpPolicy("other").id,
    rules: { "198.51.100.7": "deny" },
  });
  new gateway.IpAccessList("list", { allow: ["2001:DB8::1"] });
  ${more}
`;

/** The warnings of a run, each as the resource's name and the path of its argument. */
function warnings({ diagnostics }: Plan): string[] {
  return diagnostics
    .filter(({ severity }) => severity === "warning")
    .map(
      ({ urn, message }) =>
        `${urn!.split("::").at(-1)!} ${/^(?:\w+ "\w+" \(\S+\): )?.*?(?=: )/.exec(message.replace(/^warning: /, ""))![0]}`,
    )
    .sort();
}

const expected = [
  'chain TlsCertificate "chain" (index.js:7): privateKeyPem',
  "chain certificatePem",
  "edge hostports[0]",
  'issuer HttpsEdgeRouteOidc "issuer" (index.js:10): clientSecret',
  "issuer issuer",
  'response headers["X-A"]',
  "response statusCode",
  "small publicKey",
];

it("warns once per run on each resource, stops nothing, and shows no difference afterwards", async () => {
  await emulator.seed({ https_edges: [{ id: "edge", routes: [{ id: "route" }] }] });
  const stack = await new Program({ kind: "cjs", files: program() }).stack({ config: emulator.config });
  expect(warnings(await stack.previewJson())).toEqual(expected);
  expect(warnings(await stack.upJson())).toEqual(expected);
  const after = await stack.previewJson();
  expect(after.changes).toEqual([]);
  expect(warnings(after)).toEqual(expected);
  await stack.refresh();
  await emulator.clearRequests();
  await stack.up();
  expect((await emulator.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  const { ip_policy_rules: rules } = await emulator.state();
  expect(rules!.map(({ cidr }) => cidr).sort()).toEqual([
    "198.51.100.7/32",
    "198.51.100.7/32",
    "2001:db8::1/128",
  ]);
});

it("prints the errors of other resources, also where a warning's resource waits for one of them", async () => {
  const more = `
    const wrong = new gateway.BotUser("wrong", { name: "" });
    new gateway.SshCredential("waiting", { ownerId: wrong.id, publicKey: values.small.publicKey });
  `;
  const stack = await new Program({ kind: "cjs", files: program(more) }).stack({ config: emulator.config });
  const { output, exitCode } = await stack.preview({ exitCode: "any" });
  expect(exitCode).not.toBe(0);
  expect(output).toContain('BotUser "wrong"');
  expect(output).toContain("name: must not be empty");
});
