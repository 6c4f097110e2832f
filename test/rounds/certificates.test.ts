/** More times of a certificate's life than test/full/engine/certificates.test.ts takes the engine through. */
import { generateKeyPairSync } from "node:crypto";
import { openSshKey } from "../support/ssh";
import { makeCertificate } from "../support/x509";
import { writesTo } from "./requests";
import { idsIn, type WorldResource } from "./world";
import { InProcessWorld } from "./in-process-world";
import { EmulatorClient } from "../support/emulator-process";
import { emulatorForTests } from "../support/emulators";

const hour = 3_600_000;
const publicKey = `${openSshKey(generateKeyPairSync("ed25519").publicKey)} ada@example.com`;
const signed = { sshCertificateAuthorityId: "sshca_people", publicKey };

describe("certificates", () => {
  const realNow = Date.now;
  const emulator = emulatorForTests();
  let world: InProcessWorld;
  let lines: string[];

  beforeEach(() => {
    world = new InProcessWorld(new EmulatorClient(emulator));
    lines = [];
    jest.spyOn(process.stdout, "write").mockImplementation((line) => lines.push(String(line)) > 0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Lets the clocks of service and plugin say that so many hours have passed since now. */
  function goTo(hours: number): void {
    jest.spyOn(Date, "now").mockImplementation(() => realNow() + hours * hour);
    emulator.setClock(new Date(realNow() + hours * hour).toISOString());
  }

  it("are left alone, quietly, until their end is near, and replaced after it too, each by its own time", async () => {
    world.declare([
      {
        name: "user",
        type: "SshUserCertificate",
        args: { ...signed, principals: ["ada"], earlyRenewalHours: 6 },
      },
      { name: "host", type: "SshHostCertificate", args: { ...signed, earlyRenewalHours: 720 } },
      { name: "never", type: "SshUserCertificate", args: signed },
    ]);
    await world.up();
    for (const hours of [0, 17]) {
      goTo(hours);
      expect((await world.preview()).ops).toEqual({});
    }
    expect(lines).toEqual([]);

    goTo(19);
    const near = await world.preview();
    expect(near).toMatchObject({ ops: { user: "replace" }, reasons: { user: ["validUntil"] } });
    goTo(24 * 340);
    expect((await world.preview()).ops).toEqual({ user: "replace", host: "replace" });
    const text = lines.join("");
    expect(text).toMatch(
      /SSH host certificate \w+: due for renewal, because it ends at .* earlyRenewalHours is 720/,
    );
    expect(text).toMatch(
      /SSH user certificate \w+: due for renewal, because it expired at .* earlyRenewalHours is 6/,
    );
  });

  it("of 30 days renew themselves in weekly deployments, without a gap in between", async () => {
    const args = { ...signed, validForHours: 720, earlyRenewalHours: 200 };
    world.declare([{ name: "monthly", type: "SshUserCertificate", args }]);
    await world.up();
    const renewed: number[] = [];
    for (let week = 1; week <= 12; week += 1) {
      goTo(week * 7 * 24);
      if ((await world.preview()).ops.monthly === "replace") renewed.push(week);
      await world.up();
      expect((await world.preview()).ops).toEqual({});
    }
    expect(renewed).toEqual([4, 8, 12]);
  });

  it("keep a valid_until that has passed meanwhile, without an error in previews", async () => {
    const until = new Date(realNow() + hour).toISOString().replace(/\.\d+/, "");
    world.declare([{ name: "short", type: "SshHostCertificate", args: { ...signed, validUntil: until } }]);
    await world.up();
    goTo(2);
    expect((await world.preview()).ops).toEqual({});
  });

  it("for TLS are replaced without a gap: what uses them moves over before the old one goes", async () => {
    const root = makeCertificate({ ca: true });
    const using = (caPem: string): WorldResource[] => {
      const { pem, privateKeyPem } = makeCertificate({ issuer: root, dnsNames: ["www.example.com"] });
      const endpoint = (host: string, used: string) => ({
        ...{ name: host, type: "CloudEndpoint" },
        args: { url: `tls://${host}.example.com`, trafficPolicy: `@${used}` },
      });
      return [
        { name: "site", type: "TlsCertificate", args: { certificatePem: pem + root.pem, privateKeyPem } },
        { name: "devices", type: "CertificateAuthority", args: { caPem } },
        // Whatever names a certificate: here an endpoint whose policy does.
        endpoint("www", "site"),
        endpoint("inner", "devices"),
      ];
    };
    world.declare(using(root.pem));
    await world.up();
    const old = idsIn(world);
    emulator.clearRequests();
    world.declare(using(makeCertificate({ ca: true }).pem));
    const ops = { site: "replace", devices: "replace", www: "update", inner: "update" };
    expect((await world.preview()).ops).toEqual(ops);
    await world.up();
    const log = (await writesTo(world.emulator)).map(({ line }) => line);
    for (const [path, user, name] of [
      ["/tls_certificates", "www", "site"],
      ["/certificate_authorities", "inner", "devices"],
    ] as const) {
      const order = [`POST ${path}`, `PATCH /endpoints/${old[user]}`, `DELETE ${path}/${old[name]}`];
      expect(log.filter((line) => order.includes(line))).toEqual(order);
    }
    expect(log).toHaveLength(6);
    expect((await world.preview()).ops).toEqual({});
  });
});
