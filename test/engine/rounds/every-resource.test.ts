import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { EmulatorProcess } from "../../support/emulator-process";
import { Program } from "../../support/engine";
import { makeCertificate } from "../../support/x509";
import { declarations } from "../../../src/resources/registry";
import { reviewOf } from "../../tools/review/support";
import { resources, transpileOnly } from "../support";
import { authority, request, sshKey } from "../../rounds/values";

const example = resolve(__dirname, "../../../examples/every-resource");

/** Whoever holds one of these may act, so each of them is a finding. */
const newActors = ["deploy-key", "tills", "cluster", "reports-key", "deploy-tunnels", "bastion", "on-call"];

/** What the program reads: keys and certificates as a team has them. */
function writeKeys(folder: string): void {
  const { pem, privateKeyPem } = makeCertificate({ dnsNames: ["shop.example.com"] });
  const files = {
    "site.pem": pem,
    "site.key": privateKeyPem,
    "tills.pem": authority(),
    "cluster.csr": request(),
    ...Object.fromEntries(["deployer", "bastion", "on-call"].map((name) => [`${name}.pub`, sshKey(name)])),
  };
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

describe("the example with every resource", () => {
  const routes = {
    staffRouteId: "route_staff",
    partnersRouteId: "route_partners",
    paymentsRouteId: "route_payments",
  };
  const emulator = EmulatorProcess.forTests();

  beforeAll(async () => {
    await emulator.seed({
      https_edges: [{ id: "edge_shop", routes: Object.values(routes).map((id) => ({ id })) }],
      tls_edges: [{ id: "edge_admin" }],
    });
  });

  it("raises the findings of its actors, of its events and of a policy that names new certificates, is deployed, stays as it is, and is taken down again", async () => {
    const names = ["index.ts", "Pulumi.yaml"];
    const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(example, name), "utf8")]));
    const program = new Program({ name: "tunnel-gateway-every-resource", files });
    writeKeys(join(program.dir, "keys"));
    const stack = await program.stack({
      env: transpileOnly,
      config: {
        ...emulator.config,
        ...routes,
        edgeId: "edge_shop",
        tlsEdgeId: "edge_admin",
        sshCertificateAuthorityId: "sshca_shop",
        oidcClientSecret: { secret: "SECRET-oidc" },
        paymentsWebhookSecret: { secret: "SECRET-payments" },
        monitoringApiKey: { secret: "SECRET-monitoring" },
      },
    });
    const before = JSON.stringify(await withoutAuthorities());
    const planned = await stack.previewJson({ args: ["--show-sames"] });
    const { changes, findings, existing } = await reviewOf(planned.result.stdout);
    expect(findings.map(({ severity, rule, name, field }) => [severity, rule, name, field])).toEqual([
      ["error", "access/unknown", "till", "trafficPolicy"],
      ...newActors.map((name) => ["warning", "access/new-actor", name, undefined]),
      ["warning", "flow/where-data-goes", "policy-changes", "destinationIds"],
    ]);
    expect(existing).toEqual([]);
    expect(changes.length).toBeGreaterThan(25);

    const { output } = await stack.up();
    const types = Object.values(resources(stack)).map(({ type }) => type.split(":").at(-1)!);
    expect([...new Set(types)].sort()).toEqual(declarations.map(({ type }) => type).sort());
    expect(output).not.toContain("SECRET-");
    expect(output).toMatch(/deployToken\s*: \[secret\]/);
    expect(output).toContain("BEGIN CERTIFICATE");

    await stack.previewNoChanges();
    await stack.refresh({ args: ["--expect-no-changes"] });
    await stack.destroy();
    expect(JSON.stringify(await withoutAuthorities())).toBe(before);
  });

  async function withoutAuthorities(): Promise<object> {
    const { ssh_certificate_authorities: _, ...rest } = await emulator.state();
    return rest;
  }
});
