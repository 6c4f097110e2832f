/* eslint-disable @typescript-eslint/no-unsafe-argument, @typescript-eslint/no-unsafe-assignment, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-member-access -- answers are read member by member, as they come */
import { execFileSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { harness } from "./support";
import { openSshKey } from "../support/ssh";
import { certificate } from "./keys";
import { temporaryFolder } from "../support/folders";

const start = harness();

const subjects = {
  rsa: generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey,
  ed25519: generateKeyPairSync("ed25519").publicKey,
  nistp256: generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey,
  nistp384: generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey,
  nistp521: generateKeyPairSync("ec", { namedCurve: "P-521" }).publicKey,
};
const authority = { ssh_certificate_authority_id: "sshca_test" };

/** The output of ssh-keygen for a certificate; it fails if the signature is invalid. */
function inspect(text: string): string {
  const file = join(temporaryFolder("emulator"), "cert.pub");
  writeFileSync(file, `${text}\n`);
  return execFileSync("ssh-keygen", ["-L", "-f", file], { env: { ...process.env, TZ: "UTC" } }).toString();
}

function blobStrings(blob: Buffer): Buffer {
  const signature = blob.readUInt32BE(blob.length - 4 - 83);
  expect(signature).toBe(83);
  return blob.subarray(0, blob.length - 87);
}

describe("SSH certificates", () => {
  test.each(Object.entries(subjects))(
    "are signed for an %s key as ssh-keygen reads them",
    async (name, key) => {
      const { emulator, call } = await start();
      const user = await call("POST", "/ssh_user_certificates", {
        ...authority,
        public_key: `${openSshKey(key)} comment`,
        principals: ["alice", "bob"],
        critical_options: { "source-address": "192.0.2.0/24", "force-command": "uptime" },
      });
      expect(user.status).toBe(201);
      expect(user.body.key_type).toBe(name.startsWith("nist") ? "ecdsa" : name);
      const read = inspect(user.body.certificate);
      expect(read).toMatch(/user certificate/);
      expect(read).toMatch(/alice\s+bob/);
      expect(read).toMatch(/force-command uptime\s+source-address 192\.0\.2\.0\/24/);
      expect(read).toMatch(/permit-pty\s+permit-user-rc/);
      expect(read).toContain(`"${user.body.id}"`);

      const blob = Buffer.from(user.body.certificate.split(" ")[1], "base64");
      const authorityKey = emulator.snapshot().ssh_certificate_authorities?.[0]?.public_key as string;
      const raw = Buffer.from(authorityKey.split(" ")[1]!, "base64").subarray(-32);
      const publicKey = createPublicKey({
        key: { kty: "OKP", crv: "Ed25519", x: raw.toString("base64url") },
        format: "jwk",
      });
      const body = blobStrings(blob);
      expect(verify(null, body, publicKey, blob.subarray(-64))).toBe(true);
      expect(verify(null, Buffer.concat([body, Buffer.from([0])]), publicKey, blob.subarray(-64))).toBe(
        false,
      );
    },
  );

  test("have the stated defaults", async () => {
    const { emulator, call } = await start();
    emulator.setClock("2030-03-01T10:00:00Z");
    const body = { ...authority, public_key: openSshKey(subjects.ed25519) };
    const user = (await call("POST", "/ssh_user_certificates", body)).body;
    expect(user).toMatchObject({
      principals: [],
      critical_options: {},
      extensions: { "permit-pty": "", "permit-user-rc": "" },
      valid_after: expect.stringMatching(/^2030-03-01T10:00:0\dZ$/),
      valid_until: expect.stringMatching(/^2030-03-02T10:00:0\dZ$/),
    });
    expect(inspect(user.certificate)).toMatch(/Valid: from 2030-03-01T10:00:0\d to 2030-03-02T10:00:0\d/);
    const host = (await call("POST", "/ssh_host_certificates", body)).body;
    expect(host.valid_until).toMatch(/^2031-03-01T10:00:0\dZ$/);
    expect(host).not.toHaveProperty("extensions");
    expect(inspect(host.certificate)).toMatch(/host certificate/);
    expect(
      (await call("POST", "/ssh_user_certificates", { ...body, extensions: {} })).body.extensions,
    ).toEqual({});
    expect((await call("PATCH", `/ssh_host_certificates/${host.id}`, { metadata: "m" })).body.metadata).toBe(
      "m",
    );
  });

  test("take times in any zone and answer them in UTC", async () => {
    const { call } = await start();
    const body = {
      ...authority,
      public_key: openSshKey(subjects.ed25519),
      valid_after: "2030-01-01T02:00:00+02:00",
      valid_until: "2030-01-01T00:00:01Z",
    };
    const made = (await call("POST", "/ssh_host_certificates", body)).body;
    expect([made.valid_after, made.valid_until]).toEqual(["2030-01-01T00:00:00Z", "2030-01-01T00:00:01Z"]);
    const reversed = await call("POST", "/ssh_host_certificates", {
      ...body,
      valid_until: "2029-01-01T00:00:00Z",
    });
    expect(reversed.body.msg).toContain("valid_until");
    expect(
      (await call("POST", "/ssh_host_certificates", { ...body, valid_after: "2030-01-01" })).body.msg,
    ).toContain("valid_after");
  });

  test("reject other critical options, keys and authorities, and PEM", async () => {
    const { call } = await start({ sshAuthorities: ["sshca_test"] });
    const body = { ...authority, public_key: openSshKey(subjects.ed25519) };
    const cases: [object, string][] = [
      [{ critical_options: { "no-such": "x" } }, "critical_options.no-such"],
      [{ public_key: subjects.rsa.export({ type: "spki", format: "pem" }) }, "public_key"],
      [{ public_key: body.public_key.replace("ssh-ed25519", "ssh-rsa") }, "public_key"],
      [{ ssh_certificate_authority_id: "sshca_other" }, "ssh_certificate_authority_id"],
      [{ ssh_certificate_authority_id: "ca_x" }, "sshca_"],
    ];
    for (const [change, field] of cases) {
      const refused = await call("POST", "/ssh_user_certificates", { ...body, ...change });
      expect({ status: refused.status, msg: refused.body.msg }).toEqual({
        status: 400,
        msg: expect.stringContaining(field),
      });
    }
    expect((await call("POST", "/ssh_host_certificates", { ...body, extensions: {} })).body.msg).toContain(
      "extensions",
    );
  });
});

describe("Certificate authorities and TLS certificates", () => {
  const root = certificate(
    "/CN=Root one/O=Acme",
    ["keyUsage=critical,keyCertSign,cRLSign"],
    undefined,
    "rsa",
  );
  const leaf = certificate(
    "/C=DE/ST=Bayern/L=Ort/O=Acme/OU=Web/CN=*.app.example",
    [
      "basicConstraints=critical,CA:FALSE",
      "keyUsage=critical,digitalSignature,keyEncipherment",
      "extendedKeyUsage=serverAuth,clientAuth",
      "subjectAltName=DNS:*.app.example,DNS:app.example,IP:192.0.2.7,IP:2001:db8::7",
    ],
    root,
  );

  test("an authority's facts are read from its PEM, which gets a final newline", async () => {
    const { call } = await start();
    const made = await call("POST", "/certificate_authorities", { ca_pem: root.certificate.trim() });
    expect(made.body).toMatchObject({
      id: expect.stringMatching(/^ca_/),
      ca_pem: root.certificate,
      subject_common_name: "Root one",
      key_usages: ["keyCertSign", "cRLSign"],
      extended_key_usages: [],
      not_before: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    for (const ca_pem of [leaf.certificate, "x", root.key, `${root.certificate}${leaf.certificate}`]) {
      expect((await call("POST", "/certificate_authorities", { ca_pem })).body.msg).toMatch(/^ca_pem: /);
    }
  });

  test("a certificate's facts are read from its leaf, and the key never comes back", async () => {
    const { emulator, call } = await start();
    const chain = `${leaf.certificate}${root.certificate}`;
    const made = await call("POST", "/tls_certificates", {
      certificate_pem: chain,
      private_key_pem: leaf.key,
    });
    expect(made.body).toMatchObject({
      id: expect.stringMatching(/^cert_/),
      certificate_pem: chain,
      subject_common_name: "*.app.example",
      subject_alternative_names: {
        dns_names: ["*.app.example", "app.example"],
        ips: ["192.0.2.7", "2001:db8::7"],
      },
      issued_at: null,
      key_usages: ["digitalSignature", "keyEncipherment"],
      extended_key_usages: ["serverAuth", "clientAuth"],
      private_key_type: "ecdsa",
      issuer_common_name: "Root one",
      serial_number: expect.stringMatching(/^[0-9a-f]+$/),
      subject_organization: "Acme",
      subject_organizational_unit: "Web",
      subject_locality: "Ort",
      subject_province: "Bayern",
      subject_country: "DE",
    });
    expect(made.body).not.toHaveProperty("private_key_pem");
    expect(JSON.stringify(emulator.snapshot())).not.toContain("PRIVATE KEY");
  });

  test("a seed may hold a certificate that the service issued, which no create can request", async () => {
    const { emulator, call } = await start();
    const issued = { id: "cert_1", issued_at: "2026-01-01T00:00:00Z" };
    const body = { certificate_pem: leaf.certificate, private_key_pem: leaf.key };
    await emulator.seed({ tls_certificates: [{ ...issued, ...body }] });
    expect((await call("GET", "/tls_certificates/cert_1")).body).toMatchObject(issued);
    const refused = await call("POST", "/tls_certificates", { ...body, issued_at: issued.issued_at });
    expect(refused.status).toBe(400);
  });

  test("the private key type is that of the key, and missing names are empty", async () => {
    const { call } = await start();
    for (const [kind, type] of [
      ["rsa", "rsa"],
      ["ed25519", "ed25519"],
    ] as const) {
      const own = certificate("/CN=self", [], undefined, kind);
      const made = await call("POST", "/tls_certificates", {
        certificate_pem: own.certificate,
        private_key_pem: own.key,
      });
      expect(made.body).toMatchObject({
        private_key_type: type,
        subject_organization: "",
        subject_country: "",
        subject_alternative_names: { dns_names: [], ips: [] },
      });
    }
  });

  test("a key that does not match, a chain in the wrong order and no chain get an error that names the field", async () => {
    const { call } = await start();
    const other = certificate("/CN=other", []);
    const cases: [string, string, string][] = [
      [leaf.certificate, other.key, "private_key_pem"],
      [leaf.certificate, "x", "private_key_pem"],
      [`${root.certificate}${leaf.certificate}`, leaf.key, "certificate_pem: the leaf"],
      [leaf.key, leaf.key, "certificate_pem"],
    ];
    for (const [certificate_pem, private_key_pem, field] of cases) {
      const refused = await call("POST", "/tls_certificates", { certificate_pem, private_key_pem });
      expect({ status: refused.status, msg: refused.body.msg }).toEqual({
        status: 400,
        msg: expect.stringContaining(field),
      });
      expect(refused.body.msg).not.toContain("BEGIN");
    }
    expect((await call("POST", "/tls_certificates", { certificate_pem: leaf.certificate })).body.msg).toBe(
      "private_key_pem: is required",
    );
  });

  test("only the leaf's place in a chain is stated: what follows it may be in any order", async () => {
    const { call } = await start();
    const other = certificate("/CN=other", []);
    const certificate_pem = `${leaf.certificate}${other.certificate}${root.certificate}`;
    const made = await call("POST", "/tls_certificates", { certificate_pem, private_key_pem: leaf.key });
    expect(made.status).toBe(201);
  });
});
