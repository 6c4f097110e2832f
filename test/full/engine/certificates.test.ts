import { execFileSync } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { openSshKey } from "../../support/ssh";
import { EmulatorProcess } from "../../support/emulator-process";
import { readSshCertificate } from "../../engine/rounds/ssh-certificate";
import { World, operations, type WorldResource } from "../../engine/rounds/world";
import { resources } from "../../engine/support";
import { daysAhead } from "./support";
import { temporaryFolder } from "../../support/folders";

const hour = 3_600_000;
const publicKey = `${openSshKey(generateKeyPairSync("ed25519").publicKey)} ada@example.com`;
const signed = { sshCertificateAuthorityId: "sshca_people", publicKey };

/** test/rounds/certificates.test.ts has more times of their lives. */
describe("certificates", () => {
  const emulator = EmulatorProcess.forTests();
  let world: World;

  beforeAll(async () => {
    world = await World.start(emulator);
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
    const after = async (hours: number) => ({
      env: await daysAhead(hours / 24, world.stack.program, emulator),
    });

    it("are replaced when their end is near, and the preview says why", async () => {
      world.declare(certificates);
      await world.stack.up();
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
