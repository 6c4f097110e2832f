import { createPublicKey } from "node:crypto";
import { attempt, describeBlock, readBlocks } from "./pem";

interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  readonly whole: Buffer;
}

const [INTEGER, BIT_STRING, SEQUENCE] = [0x02, 0x03, 0x30];

/** A `csr`: a PEM-encoded certificate request (PKCS #10) with a subject, a public key and a signature. */
export function check(value: string): string | undefined {
  const reason = requestProblem(value);
  return reason && `must be a PEM-encoded certificate request; ${reason}`;
}

function requestProblem(value: string): string | undefined {
  const blocks = readBlocks(value, "strict");
  if (typeof blocks === "string") return blocks;
  if (blocks.length > 1) return `it holds ${blocks.length} blocks, and must hold one`;
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

/** The values that follow each other in a DER text; undefined when a length leaves it. */
function readDer(der: Buffer): DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < der.length;) {
    const first = der[at + 1];
    // 0x80 is the indefinite length, which DER has not.
    if (first === undefined || first === 0x80 || first > 0x84) return undefined;
    const start = at + 2 + (first < 0x80 ? 0 : first - 0x80);
    if (start > der.length) return undefined;
    const length = first < 0x80 ? first : der.readUIntBE(at + 2, first - 0x80);
    if (start + length > der.length) return undefined;
    values.push({
      tag: der[at]!,
      content: der.subarray(start, start + length),
      whole: der.subarray(at, start + length),
    });
    at = start + length;
  }
  return values;
}
