import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSshKey } from "../../support/ssh";
import { EmulatorProcess } from "../../support/emulator-process";
import { baseEnv } from "../../support/pulumi-command";
import { makeCertificate } from "../../support/x509";
import { readSshCertificate } from "../../engine/rounds/ssh-certificate";
import { World, operations, type WorldResource } from "../../engine/rounds/world";
import { idOf, resources } from "../../engine/support";
import { temporaryFolder } from "../../support/folders";

const hour = 3_600_000;
const publicKey = `${openSshKey(generateKeyPairSync("ed25519").publicKey)} ada@example.com`;
const signed = { sshCertificateAuthorityId: "sshca_people", publicKey };

/** What a node of the engine loads before all else: its clock goes ahead by what the environment says. */
const clock = `
const real = Date.now;
Date.now = () => real() + Number(process.env.TEST_CLOCK_AHEAD ?? 0);
`;

/** test/rounds/certificates.test.ts has more times of their lives. */
describe("certificates", () => {
  const emulator = EmulatorProcess.forTests();
  let world: World;

  beforeAll(async () => {
    world = await World.start(emulator);
    world.stack.program.write({ "clock.js": clock });
  });
  beforeEach(() => emulator.clearRequests());

  const lines = async () => (await world.writes()).map(({ line }) => line);

  describe("that ask for early renewal", () => {
    const certificates: WorldResource[] = [
      {
        name: "user",
        type: "SshUserCertificate",
        args: { ...signed, principals: ["ada"], earlyRenewalHours: 6 },
      },
      { name: "host", type: "SshHostCertificate", args: { ...signed, earlyRenewalHours: 720 } },
      { name: "never", type: "SshUserCertificate", args: signed },
    ];

    /** The options of a call that happens so many hours after now, at the service and at the engine. */
    async function after(hours: number) {
      await emulator.setClock(new Date(Date.now() + hours * hour).toISOString());
      const env = {
        NODE_OPTIONS: `${baseEnv().NODE_OPTIONS ?? ""} --require ${join(world.stack.program.dir, "clock.js")}`,
        TEST_CLOCK_AHEAD: String(hours * hour),
      };
      return { env };
    }

    it("are left alone, quietly, while there is time", async () => {
      world.declare(certificates);
      await world.stack.up();
      const { output } = await world.stack.previewNoChanges(await after(17));
      expect(output).not.toMatch(/renew/i);
    });

    it("are replaced when their end is near, and the preview says why", async () => {
      const old = resources(world.stack);
      const later = await after(19);
      const plan = await world.stack.previewJson(later);
      expect(operations(plan)).toEqual({ user: "replace" });
      expect(plan.changes[0]!.replaceReasons).toEqual(["validUntil"]);
      const end = String(old.user!.outputs!.validUntil);
      const reason = `SSH user certificate ${old.user!.id}: due for renewal, because it ends at ${end} and earlyRenewalHours is 6`;
      expect(plan.diagnostics.filter(({ message }) => message.includes(reason))).toHaveLength(1);

      await emulator.clearRequests();
      await world.stack.up(later);
      expect(await lines()).toEqual([
        "POST /ssh_user_certificates",
        `DELETE /ssh_user_certificates/${old.user!.id}`,
      ]);
      const { user, never } = resources(world.stack);
      expect(Date.parse(String(user!.outputs!.validUntil))).toBeGreaterThan(Date.now() + 42 * hour);
      expect(never!.id).toBe(old.never!.id);
      const { output } = await world.stack.previewNoChanges(later);
      expect(output).not.toMatch(/renew/i);
    });
  });

  it("for SSH log in, as far as ssh-keygen and a check of the signature can tell", async () => {
    const args = {
      ...signed,
      principals: ["ada", "deploy"],
      criticalOptions: { "force-command": "uptime", "source-address": "203.0.113.0/24" },
      extensions: { "permit-pty": "" },
    };
    world.declare([
      { name: "login", type: "SshUserCertificate", args },
      {
        name: "bastion",
        type: "SshHostCertificate",
        args: { ...signed, principals: ["bastion.example.com"] },
      },
    ]);
    await world.stack.up();
    const { login, bastion } = resources(world.stack);
    const [authority] = (await emulator.state()).ssh_certificate_authorities!;
    const seconds = (time: unknown) => Date.parse(String(time)) / 1000;

    const user = readSshCertificate(String(login!.outputs!.certificate));
    expect(user).toMatchObject({
      kind: "user",
      keyType: "ssh-ed25519",
      publicKey: publicKey.split(" ")[1],
      principals: ["ada", "deploy"],
      criticalOptions: { "force-command": "uptime", "source-address": "203.0.113.0/24" },
      extensions: { "permit-pty": "" },
      validAfter: seconds(login!.outputs!.validAfter),
      validBefore: seconds(login!.outputs!.validUntil),
      signedBy: String(authority!.public_key).split(" ")[1],
    });
    expect(user.isSigned()).toBe(true);
    expect(user.isSigned(Buffer.from("x"))).toBe(false);
    const host = readSshCertificate(String(bastion!.outputs!.certificate));
    expect(host).toMatchObject({ kind: "host", principals: ["bastion.example.com"], extensions: {} });
    expect(host.isSigned()).toBe(true);

    const listing = sshKeygen(String(login!.outputs!.certificate));
    if (listing !== undefined) {
      expect(listing).toMatch(/Type: ssh-ed25519-cert-v01@openssh.com user certificate/);
      expect(listing).toMatch(/Principals:\s+ada\s+deploy/);
      expect(listing).toMatch(/force-command uptime/);
      expect(sshKeygen(String(bastion!.outputs!.certificate))).toMatch(/host certificate/);
    }
  });

  describe("for TLS", () => {
    const root = makeCertificate({ ca: true });
    const pair = () => {
      const { pem, privateKeyPem } = makeCertificate({ issuer: root, dnsNames: ["www.example.com"] });
      return { certificatePem: pem + root.pem, privateKeyPem };
    };
    const [first, second, imported] = [pair(), pair(), pair()];
    const using = (args: object, caPem: string): WorldResource[] => [
      { name: "site", type: "TlsCertificate", args: { ...args } },
      { name: "devices", type: "CertificateAuthority", args: { caPem } },
      // Whatever names a certificate: here an endpoint whose policy does.
      { name: "www", type: "CloudEndpoint", args: { url: "tls://www.example.com", trafficPolicy: "@site" } },
      {
        name: "inner",
        type: "CloudEndpoint",
        args: { url: "tls://in.example.com", trafficPolicy: "@devices" },
      },
    ];

    it("are replaced without a gap: what uses them moves over before the old one goes", async () => {
      world.declare(using(first, root.pem));
      await world.stack.up();
      const old = world.ids();
      await emulator.clearRequests();
      world.declare(using(second, makeCertificate({ ca: true }).pem));
      const plan = await world.stack.previewJson();
      expect(operations(plan)).toEqual({
        site: "replace",
        devices: "replace",
        www: "update",
        inner: "update",
      });
      await world.stack.up();
      const log = await lines();
      const ordered = (path: string, user: string, name: string) => [
        `POST ${path}`,
        `PATCH /endpoints/${old[user]}`,
        `DELETE ${path}/${old[name]}`,
      ];
      for (const order of [
        ordered("/tls_certificates", "www", "site"),
        ordered("/certificate_authorities", "inner", "devices"),
      ]) {
        expect(log.filter((line) => order.includes(line))).toEqual(order);
      }
      expect(log).toHaveLength(6);
      expect((await emulator.state()).endpoints!.map(({ traffic_policy }) => traffic_policy).sort()).toEqual(
        [idOf(world.stack, "site"), idOf(world.stack, "devices")].sort(),
      );
      await world.stack.previewNoChanges();
    });

    it("that were imported without their keys may get them later, without a request", async () => {
      const made = await emulator.api("POST", "/tls_certificates", {
        certificate_pem: imported.certificatePem,
        private_key_pem: imported.privateKeyPem,
      });
      const { __provider } = resources(world.stack).site!.inputs!;
      const values = { __provider, certificatePem: imported.certificatePem };
      await world.stack.importFile({
        resources: [
          {
            type: "pulumi-nodejs:dynamic/tunnel-gateway:TlsCertificate",
            name: "imported",
            id: made.id,
            inputs: values,
            outputs: { ...values, __args: ["certificatePem"] },
          },
        ],
      });
      const rest = using(second, root.pem).filter(({ name }) => name === "site" || name === "www");
      const certificate = (args: object): WorldResource => ({
        name: "imported",
        type: "TlsCertificate",
        args: { certificatePem: imported.certificatePem, ...args },
      });
      world.declare([...rest, certificate({})]);
      await world.stack.up();
      await world.stack.refresh({ args: ["--expect-no-changes"] });
      await emulator.clearRequests();

      const { privateKeyPem } = imported;
      world.declare([...rest, certificate({ privateKeyPem: first.privateKeyPem })]);
      const { output } = await world.stack.preview({ exitCode: 1 });
      expect(output).toMatch(/privateKeyPem: /);
      expect(output).not.toContain(first.privateKeyPem.split("\n")[1]);

      world.declare([...rest, certificate({ privateKeyPem })]);
      expect(operations(await world.stack.previewJson())).toEqual({ imported: "update" });
      await world.stack.up();
      expect(await emulator.requestLines()).toEqual([]);
      expect(idOf(world.stack, "imported")).toBe(made.id);
      expect(resources(world.stack).imported!.outputs!.privateKeyPem).toHaveProperty("ciphertext");
      await world.stack.previewNoChanges();
    });
  });
});

/** What ssh-keygen says of a certificate; undefined where there is none on PATH. */
function sshKeygen(certificate: string): string | undefined {
  const file = join(temporaryFolder("certificate"), "id-cert.pub");
  writeFileSync(file, `${certificate}\n`);
  try {
    return execFileSync("ssh-keygen", ["-L", "-f", file], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
