import { createPublicKey } from "node:crypto";
import { readDer, attempt, describeBlock, readBlocks } from "./pem";

const [INTEGER, BIT_STRING, SEQUENCE] = [0x02, 0x03, 0x30];

export { canonical } from "./pem";

/** A request holds a public key and a name. */
export const isPublic = true;

/**
 * A `csr`. The specification states no form ("internal detail subject to change"), so only what cannot be a request is
 * refused: a private key in its place.
 */
export function check(value: string): string | undefined {
  return value.includes("PRIVATE KEY-----")
    ? "must be a certificate request; it is a private key"
    : undefined;
}

/** What is not a PEM-encoded certificate request (PKCS #10) with a subject, a public key and a signature. */
export function advise(value: string): string | undefined {
  const reason = requestProblem(value);
  return (
    reason && `is not a readable PEM-encoded certificate request, and the service may refuse it: ${reason}`
  );
}

function requestProblem(value: string): string | undefined {
  const blocks = readBlocks(value);
  if (typeof blocks === "string") return blocks;
  if (blocks.length > 1) return `it holds ${blocks.length} blocks`;
  const block = blocks[0]!;
  if (block.label !== "CERTIFICATE REQUEST" && block.label !== "NEW CERTIFICATE REQUEST") {
    return `it is ${describeBlock(block)}`;
  }
  return isRequest(block.der) ? undefined : "it does not parse";
}

/** RFC 2986: SEQUENCE { SEQUENCE { version 0, subject, public key, [0] attributes }, algorithm, BIT STRING }. */
function isRequest(der: Buffer): boolean {
  const [outer, ...beyond] = readDer(der) ?? [];
  if (outer?.tag !== SEQUENCE || beyond.length > 0) return false;
  const [info, algorithm, signature, ...more] = readDer(outer.content) ?? [];
  if (
    info?.tag !== SEQUENCE ||
    algorithm?.tag !== SEQUENCE ||
    signature?.tag !== BIT_STRING ||
    more.length > 0
  ) {
    return false;
  }
  const [version, subject, key] = readDer(info.content) ?? [];
  if (version?.tag !== INTEGER || subject?.tag !== SEQUENCE || key === undefined) return false;
  return attempt(() => createPublicKey({ key: key.whole, format: "der", type: "spki" })) !== undefined;
}
