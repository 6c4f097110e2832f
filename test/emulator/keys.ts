import { execFileSync } from "node:child_process";
import type { KeyObject } from "node:crypto";
import { generateKeyPairSync } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/folders";

/** Test keys and certificates, made when a test runs, by other code than the emulator's. */

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
  const at = temporaryFolder("keys");
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
  const file = join(temporaryFolder("keys"), "key.pem");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }));
  const csr = execFileSync("openssl", ["req", "-new", "-key", file, "-subj", subject], {
    stdio: "pipe",
  }).toString();
  return { csr, publicKey };
}
