import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EmulatorProcess } from "../support/emulator-process";
import { baseEnv } from "../support/pulumi-command";
import { Program, type Result, type Stack } from "../support/engine";
import { engineSetup } from "../support/engine-setup";
import { makeCertificate } from "../support/x509";
import { programOf, quickstartFinds, worlds, type Scenario } from "../fixtures/previews/scenarios";
import { slimmed } from "../fixtures/previews/slim";
import { findingsOf, reviewOf } from "../unit/review/support";
import { authority, request, sshKey } from "./rounds/values";
import { cjs, idOf } from "./support";

// With TUNNEL_GATEWAY_WRITE_PREVIEWS=1 the previews are kept as the fixtures of the unit tests.
const folder = join(__dirname, "../fixtures/previews");
const write = process.env.TUNNEL_GATEWAY_WRITE_PREVIEWS === "1";

const until2049 = { notBefore: new Date("2026-01-01T00:00:00Z"), notAfter: new Date("2049-01-01T00:00:00Z") };

describe.each(worlds)("the review of a real preview of the program $name", (world) => {
  let emulator: EmulatorProcess;
  let program: Program;
  let stack: Stack;

  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    await emulator.seed({
      https_edges: [{ id: "edghts_1", routes: [1, 2, 3, 4].map((n) => ({ id: `edghtsrt_${n}` })) }],
      tls_edges: [{ id: "edgtls_1" }],
    });
    const [first, second] = [makeCertificate(until2049), makeCertificate(until2049)];
    program = new Program({ kind: "cjs", name: "review", files: programOf(world) });
    stack = await program.stack({
      env: emulator.env,
      config: {
        pem: JSON.stringify({ first: first.pem, second: second.pem }),
        firstKey: { secret: first.privateKeyPem },
        secondKey: { secret: second.privateKeyPem },
        oidc: { secret: "SECRET-oidc" },
        hook: { secret: "SECRET-hook" },
        monitoring: { secret: "SECRET-monitoring" },
      },
    });
    await stack.up();
    await stack.previewNoChanges();
  });
  afterAll(() => emulator.stop());

  const filled = (text: string): string =>
    text
      .replace(/<id:([^>]+)>/g, (_, name: string) => idOf(stack, name))
      .replace(/<urn:([^:]+):([^>]+)>/g, (_, type: string, name: string) => stack.urn(type, name));

  async function previewed(scenario: Scenario): Promise<Result> {
    for (const [line, body] of scenario.behind ?? []) {
      const [method, path] = filled(line).split(" ") as [string, string];
      await emulator.api(method, path, body);
    }
    program.write(filled(programOf(world, scenario.change)));
    const args = ["--show-sames", ...(scenario.args ?? []).map(filled)];
    if (scenario.command === undefined) return (await stack.previewJson({ args })).result;
    const all = [scenario.command, "--stack", stack.name, "--preview-only", "--json", "--show-sames"];
    return stack.pulumi(all);
  }

  it.each(world.scenarios)("$name finds what it must", async (scenario) => {
    const { stdout } = await previewed(scenario);
    if (write) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${scenario.name}.json`), slimmed(stdout));
    }
    expect(findingsOf(stdout, scenario)).toEqual(scenario.finds);
    expect(findingsOf(slimmed(stdout), scenario)).toEqual(scenario.finds);
  });
});

describe("the review of the quickstart", () => {
  let emulator: EmulatorProcess;
  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
  });
  afterAll(() => emulator.stop());

  it("finds no danger, and two notes that are true", async () => {
    const example = readFileSync(join(__dirname, "../../examples/quickstart/index.ts"), "utf8");
    const stack = await new Program({ name: "quickstart", files: example }).stack({ env: emulator.env });
    const { stdout } = (await stack.previewJson({ args: ["--show-sames"] })).result;
    if (write) writeFileSync(join(folder, "example-quickstart.json"), slimmed(stdout));
    expect(findingsOf(stdout)).toEqual(quickstartFinds);
  });
});

describe("the review of the example with every resource", () => {
  let emulator: EmulatorProcess;
  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
  });
  afterAll(() => emulator.stop());

  it("finds nothing", async () => {
    const { pem, privateKeyPem } = makeCertificate({ dnsNames: ["shop.example.com"] });
    const program = new Program({
      name: "tunnel-gateway-every-resource",
      files: {
        "index.ts": readFileSync(join(__dirname, "../../examples/every-resource/index.ts"), "utf8"),
        "keys/site.pem": pem,
        "keys/site.key": privateKeyPem,
        "keys/tills.pem": authority(),
        "keys/cluster.csr": request(),
        ...Object.fromEntries(
          ["deployer", "bastion", "on-call"].map((key) => [`keys/${key}.pub`, sshKey(key)]),
        ),
      },
    });
    const plain = ["edgeId", "tlsEdgeId", "staffRouteId", "partnersRouteId", "paymentsRouteId"];
    const secrets = ["oidcClientSecret", "paymentsWebhookSecret", "monitoringApiKey"];
    const stack = await program.stack({
      env: emulator.env,
      config: {
        sshCertificateAuthorityId: "sshca_shop",
        ...Object.fromEntries(plain.map((name) => [name, name])),
        ...Object.fromEntries(secrets.map((name) => [name, { secret: "SECRET" }])),
      },
    });
    const { stdout } = (await stack.previewJson({ args: ["--show-sames"] })).result;
    const { changes, findings, existing } = reviewOf(stdout);
    expect([findings, existing]).toEqual([[], []]);
    expect(changes.length).toBeGreaterThan(25);
  });
});

describe("tunnel-gateway review", () => {
  let emulator: EmulatorProcess;
  let stack: Stack;
  beforeAll(async () => {
    emulator = await EmulatorProcess.start();
    const open = `new IpPolicyRule("all", { ipPolicyId: new IpPolicy("p").id, cidr: "0.0.0.0/0", action: "allow" });`;
    stack = await cjs(open, { name: "command" }).stack({ env: emulator.env });
  });
  afterAll(() => emulator.stop());

  const environment = () => ({
    ...baseEnv(),
    ...emulator.env,
    PULUMI_BACKEND_URL: `file://${stack.backend}`,
    PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
  });
  const run = (...args: string[]) => {
    const bin = join(engineSetup().template, "node_modules/.bin/tunnel-gateway");
    const command = [bin, "review", ...args];
    return spawnSync(process.execPath, command, {
      cwd: stack.program.dir,
      env: environment(),
      encoding: "utf8",
    });
  };

  it("previews a stack, and ends by the worst finding", () => {
    const failed = run("--stack", stack.name);
    expect(failed.stderr).toBe("");
    expect(failed.stdout).toContain("error   access/open-cidr  IpPolicyRule all: it allows 0.0.0.0/0");
    expect(failed.stdout).toContain("2 to create; 2 requests to the service");
    expect(failed.status).toBe(3);
  });

  it("reads a file, silences with a reason, and writes several forms", async () => {
    const { stdout } = (await stack.previewJson({ args: ["--show-sames"] })).result;
    const file = join(stack.program.dir, "preview.json");
    writeFileSync(file, stdout);
    const silenced = run(
      file,
      "--silence",
      "access/open-cidr@all=a test",
      "--output",
      "annotations",
      "--output",
      "markdown=comment.md",
      "--output",
      "sarif=review.sarif",
    );
    expect([silenced.status, silenced.stderr, silenced.stdout]).toEqual([
      0,
      "",
      expect.not.stringContaining("open-cidr"),
    ]);
    expect(readFileSync(join(stack.program.dir, "comment.md"), "utf8")).toContain("Silenced: a test");
    expect(readFileSync(join(stack.program.dir, "review.sarif"), "utf8")).toContain('"suppressions"');
    expect(run(file, "--fail-on", "never").status).toBe(0);
    expect(run(file, "--silence", "access/nothing=x").status).toBe(2);
    expect(run(join(stack.program.dir, "Pulumi.yaml")).status).toBe(1);
  });
});
