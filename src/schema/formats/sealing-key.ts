import { createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { attempt } from "./pem";

// No message shows a part of the value: people paste private keys into the wrong field.

const keyBytes = 32;

/** What comes before the bytes of a private key in PKCS #8 (RFC 8410). */
const privateKeyHeader = Buffer.from("302e020100300506032b656e04220420", "hex");

/** A public key for libsodium's sealed boxes, in base64: X25519, as GitHub gives it for the secrets of a repository. */
export function check(value: string): string | undefined {
  const key = Buffer.from(value, "base64");
  const problem =
    key.toString("base64") !== value
      ? `the value of ${value.length} characters is not base64 text`
      : key.length !== keyBytes
        ? `it has ${key.length} bytes`
        : isWeak(key)
          ? "it is a point of small order, so anybody could open what is sealed to it"
          : undefined;
  return (
    problem &&
    `must be an X25519 public key of ${keyBytes} bytes in base64, as GitHub gives it for secrets; ${problem}`
  );
}

/** Whether every private key has the same secret in common with it. OpenSSL refuses such a key, whatever the private key is. */
function isWeak(bytes: Uint8Array): boolean {
  const key = Buffer.concat([privateKeyHeader, Buffer.alloc(keyBytes, 1)]);
  const privateKey = createPrivateKey({ key, format: "der", type: "pkcs8" });
  const publicKey = publicKeyOf(bytes);
  return attempt(() => diffieHellman({ privateKey, publicKey })) === undefined;
}

/** The public key with these 32 bytes. */
export function publicKeyOf(bytes: Uint8Array): KeyObject {
  const key = { kty: "OKP", crv: "X25519", x: Buffer.from(bytes).toString("base64url") };
  return createPublicKey({ key, format: "jwk" });
}

/** The 32 bytes of a public key. */
export function bytesOf(publicKey: KeyObject): Uint8Array {
  return Buffer.from(publicKey.export({ format: "jwk" }).x!, "base64url");
}

/** Any 32 bytes but those of small order are a key. */
export function example(label: string): string {
  return Buffer.alloc(keyBytes, label).toString("base64");
}
