import type { KeyObject } from "node:crypto";
import { createPrivateKey, createPublicKey, randomBytes, sign } from "node:crypto";

/** OpenSSH's formats: authorized keys and PROTOCOL.certkeys. */

type SshKeyType = "rsa" | "ecdsa" | "ed25519";

export interface SshKey {
  keyType: SshKeyType;
  algorithm: string;
  /** The key's own fields, which follow the nonce in a certificate. */
  fields: Buffer;
  key: KeyObject;
}

const CURVES: Record<string, { name: string; crv: string; size: number }> = {
  "ecdsa-sha2-nistp256": { name: "nistp256", crv: "P-256", size: 32 },
  "ecdsa-sha2-nistp384": { name: "nistp384", crv: "P-384", size: 48 },
  "ecdsa-sha2-nistp521": { name: "nistp521", crv: "P-521", size: 66 },
};

/** Reads a public key in authorized-keys format, with or without a comment; undefined if the text is not one. */
export function readAuthorizedKey(text: string): SshKey | undefined {
  try {
    const { algorithm, parts } = readLine(text) ?? { algorithm: "", parts: [] };
    const found = keyOf(algorithm, parts);
    return found === undefined
      ? undefined
      : { ...found, algorithm, fields: Buffer.concat(parts.map(string)) };
  } catch {
    return undefined;
  }
}

/** The types that OpenSSH writes beside those of the specification's key_type, with the number of their fields. */
const OTHER_TYPES: Record<string, number> = {
  "ssh-dss": 4,
  "sk-ssh-ed25519@openssh.com": 2,
  "sk-ecdsa-sha2-nistp256@openssh.com": 3,
};

/** One text for a key of such a type in authorized-keys format; undefined for any other text. */
export function canonicalOtherKey(text: string): string | undefined {
  try {
    const { algorithm, parts } = readLine(text) ?? { algorithm: "", parts: [] };
    if (parts.length === 0 || parts.length !== OTHER_TYPES[algorithm]) return undefined;
    return `${algorithm} ${Buffer.concat(parts.map(string)).toString("base64")}`;
  } catch {
    return undefined;
  }
}

/** The type of a key in authorized-keys format and the fields that follow its name. Throws for incomplete ones. */
function readLine(text: string): { algorithm: string; parts: Buffer[] } | undefined {
  const line = /^\s*(\S+)[ \t]+([A-Za-z0-9+/]+={0,2})([ \t][^\r\n]*)?\s*$/.exec(text);
  const [algorithm, encoded] = [line?.[1], line?.[2]];
  if (algorithm === undefined || encoded === undefined) return undefined;
  const [name, ...parts] = readStrings(Buffer.from(encoded, "base64"));
  return name?.toString("latin1") === algorithm ? { algorithm, parts } : undefined;
}

function keyOf(algorithm: string, parts: Buffer[]): { keyType: SshKeyType; key: KeyObject } | undefined {
  const [first, second, ...more] = parts;
  if (first === undefined || more.length > 0) return undefined;
  if (algorithm === "ssh-ed25519" && second === undefined && first.length === 32) {
    return { keyType: "ed25519", key: jwk({ kty: "OKP", crv: "Ed25519", x: base64url(first) }) };
  }
  if (second === undefined) return undefined;
  if (algorithm === "ssh-rsa") {
    const [e, n] = [positive(first), positive(second)];
    return { keyType: "rsa", key: jwk({ kty: "RSA", e: base64url(e), n: base64url(n) }) };
  }
  const curve = CURVES[algorithm];
  if (first.toString() !== curve?.name) return undefined;
  // OpenSSH uses only uncompressed points.
  if (second[0] !== 4 || second.length !== 1 + 2 * curve.size) return undefined;
  const [x, y] = [second.subarray(1, 1 + curve.size), second.subarray(1 + curve.size)];
  return { keyType: "ecdsa", key: jwk({ kty: "EC", crv: curve.crv, x: base64url(x), y: base64url(y) }) };
}

const jwk = (key: Record<string, string>) => createPublicKey({ key, format: "jwk" });
const base64url = (bytes: Buffer) => bytes.toString("base64url");

/** Drops an mpint's leading zero, which marks it as not negative. */
function positive(mpint: Buffer): Buffer {
  const bytes = mpint[0] === 0 ? mpint.subarray(1) : mpint;
  if (bytes.length === 0) throw new RangeError("an empty number");
  return bytes;
}

function readStrings(blob: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    const length = blob.readUInt32BE(at);
    if (at + 4 + length > blob.length) throw new RangeError("a string beyond the end");
    parts.push(blob.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return parts;
}

const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const uint64 = (value: bigint) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(value);
  return bytes;
};
const string = (value: Buffer | string) => {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
};

/** Options are sorted by name; a value is a string within a string. */
function options(map: Record<string, string>): Buffer {
  const names = Object.keys(map).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return Buffer.concat(
    names.map((name) => {
      const value = map[name] ?? "";
      return Buffer.concat([string(name), string(value === "" ? "" : string(value))]);
    }),
  );
}

export interface CertificateRequest {
  kind: "user" | "host";
  key: SshKey;
  keyId: string;
  serial: bigint;
  principals: string[];
  /** Seconds since 1970. */
  validAfter: number;
  validBefore: number;
  criticalOptions: Record<string, string>;
  extensions: Record<string, string>;
}

/** A certificate in authorized-keys format, signed by an authority's ed25519 key. */
export function signCertificate(request: CertificateRequest, authorityKey: string): string {
  const authority = createPrivateKey(authorityKey);
  const type = `${request.key.algorithm}-cert-v01@openssh.com`;
  const body = Buffer.concat([
    string(type),
    string(randomBytes(32)),
    request.key.fields,
    uint64(request.serial),
    uint32(request.kind === "user" ? 1 : 2),
    string(request.keyId),
    string(Buffer.concat(request.principals.map(string))),
    uint64(BigInt(request.validAfter)),
    uint64(BigInt(request.validBefore)),
    string(options(request.criticalOptions)),
    string(options(request.extensions)),
    string(""),
    string(authorityBlob(authority)),
  ]);
  const signature = Buffer.concat([string("ssh-ed25519"), string(sign(null, body, authority))]);
  return `${type} ${Buffer.concat([body, string(signature)]).toString("base64")}`;
}

function authorityBlob(authority: KeyObject): Buffer {
  const { x } = createPublicKey(authority).export({ format: "jwk" });
  return Buffer.concat([string("ssh-ed25519"), string(Buffer.from(x ?? "", "base64url"))]);
}

/** The authority's public key in authorized-keys format. */
export const authorityPublicKey = (authorityKey: string) =>
  `ssh-ed25519 ${authorityBlob(createPrivateKey(authorityKey)).toString("base64")}`;

/** The same text for a public key in any encoding. */
export const canonicalKey = (key: KeyObject) =>
  key.export({ type: "spki", format: "der" }).toString("base64");
