import { createPrivateKey, type KeyObject } from "node:crypto";
import { attempt, describeBlock, readBlocks } from "./pem";

const PRIVATE_KEY_FORMS = new Map<string, "pkcs8" | "pkcs1" | "sec1">([
  ["PRIVATE KEY", "pkcs8"],
  ["RSA PRIVATE KEY", "pkcs1"],
  ["EC PRIVATE KEY", "sec1"],
]);

export { canonical } from "./pem";

/** A `private_key_pem`: one unencrypted key of the types rsa, ecdsa or ed25519. */
export function check(value: string): string | undefined {
  const key = readPrivateKey(value);
  if (typeof key !== "string") return undefined;
  return `must be one unencrypted PEM-encoded private key of the type rsa, ecdsa or ed25519; ${key}`;
}

/** Reads a private key; a string says why that is not possible. */
export function readPrivateKey(value: string): KeyObject | string {
  const blocks = readBlocks(value, "strict");
  if (typeof blocks === "string") return blocks;
  // "openssl ecparam -genkey" writes the curve before the key, which holds it again.
  const [block, ...rest] = blocks.filter(({ label }) => label !== "EC PARAMETERS");
  if (block === undefined) return "it holds elliptic-curve parameters only";
  if (rest.length > 0) return `it holds ${rest.length + 1} blocks, and must hold one key alone`;
  if (block.label === "ENCRYPTED PRIVATE KEY" || block.headers.includes("ENCRYPTED")) {
    return "it is encrypted";
  }
  const type = PRIVATE_KEY_FORMS.get(block.label);
  if (type === undefined) return `it is ${describeBlock(block)}`;
  const key = attempt(() => createPrivateKey({ key: block.der, format: "der", type }));
  if (key === undefined) return "it does not parse";
  return hasKnownType(key) ? key : "it is of another type";
}

/**
 * Whether a key is of a type that the specification names. rsa-pss keys are a type of their own, which TLS servers and
 * the specification's names leave out.
 */
export function hasKnownType({ asymmetricKeyType }: KeyObject): boolean {
  return ["rsa", "ec", "ed25519"].includes(asymmetricKeyType ?? "");
}
