import { execFileSync } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Test keys and certificates, made when a test runs, by other code than the emulator's. */

const sized = (bytes: Buffer) => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
};

/** A public key in OpenSSH authorized-keys form. */
export function openSshKey(key: KeyObject): string {
  const jwk = key.export({ format: "jwk" });
  const bytes = (value?: string) => Buffer.from(value ?? "", "base64url");
  const mpint = (value: Buffer) =>
    (value[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), value]) : value;
  const [algorithm, ...parts] = (
    {
      RSA: () => ["ssh-rsa", mpint(bytes(jwk.e)), mpint(bytes(jwk.n))],
      OKP: () => ["ssh-ed25519", bytes(jwk.x)],
      EC: () => {
        const curve = `nistp${jwk.crv?.slice(2)}`;
        return [
          `ecdsa-sha2-${curve}`,
          Buffer.from(curve),
          Buffer.concat([Buffer.from([4]), bytes(jwk.x), bytes(jwk.y)]),
        ];
      },
    } as Record<string, () => [string, ...Buffer[]]>
  )[jwk.kty!]!();
  return `${algorithm} ${Buffer.concat([algorithm, ...parts].map((part) => sized(Buffer.from(part as Buffer)))).toString("base64")}`;
}

const folders: string[] = [];

/** A folder of its own, which goes with the tests of the file. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "emulator-test-"));
  folders.push(path);
  return path;
}

afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

export interface Issued {
  certificate: string;
  key: string;
}

/** A certificate made by openssl: self-signed, or issued by another. */
export function certificate(
  subject: string,
  extensions: string[],
  issuer?: Issued,
  kind: "rsa" | "ec" | "ed25519" = "ec",
): Issued {
  const pair =
    kind === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : kind === "ec"
        ? generateKeyPairSync("ec", { namedCurve: "P-256" })
        : generateKeyPairSync("ed25519");
  const key = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const at = folder();
  writeFileSync(join(at, "key.pem"), key);
  const args = [
    "req",
    "-new",
    "-x509",
    "-key",
    join(at, "key.pem"),
    "-subj",
    subject,
    "-days",
    "30",
    "-out",
    join(at, "cert.pem"),
  ];
  for (const extension of extensions) args.push("-addext", extension);
  if (issuer !== undefined) {
    writeFileSync(join(at, "ca.pem"), issuer.certificate);
    writeFileSync(join(at, "ca.key"), issuer.key);
    args.push("-CA", join(at, "ca.pem"), "-CAkey", join(at, "ca.key"));
  }
  execFileSync("openssl", args, { stdio: "pipe" });
  return { certificate: readFileSync(join(at, "cert.pem"), "utf8"), key };
}

export function signingRequest(subject: string): { csr: string; publicKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const file = join(folder(), "key.pem");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  const csr = execFileSync("openssl", ["req", "-new", "-key", file, "-subj", subject], {
    stdio: "pipe",
  }).toString();
  return { csr, publicKey };
}
