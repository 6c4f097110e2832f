import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { readDer, attempt, canonical as canonicalPem, decodeBase64, describeBlock, readBlocks } from "./pem";
import { hasKnownType } from "./private-key";

// No message of this file shows any part of a value, but for the known name of a type: people paste private
// keys into the wrong field.

interface PublicKey {
  /** It is of a type that the specification names. */
  readonly isNamed: boolean;
  /** Type and material as in an authorized_keys line, without comment; in PEM for a key that has no such line. */
  readonly spelling: string;
  /** The key, where Node can read it. */
  readonly key?: KeyObject;
}

interface Form {
  /** The type in a JSON web key: the curve, or the type of keys without one. */
  readonly jwk: string;
  /** Builds a JSON web key of the fields behind the type's name; undefined when they are not right. */
  readonly read: (fields: readonly Buffer[]) => JsonWebKey | undefined;
  /** The fields behind the type's name. */
  readonly write: (key: JsonWebKey) => readonly Buffer[];
}

/** The bits of an RSA key that OpenSSH, services and their authorities accept without further settings. */
const [RSA_BITS_MIN, RSA_BITS_MAX] = [2048, 16384];

const FORMS: ReadonlyMap<string, Form> = new Map([
  ["ssh-rsa", { jwk: "RSA", read: readRsa, write: ({ e, n }) => [toMpint(e!), toMpint(n!)] }],
  ["ecdsa-sha2-nistp256", ecdsa("nistp256", "P-256", 32)],
  ["ecdsa-sha2-nistp384", ecdsa("nistp384", "P-384", 48)],
  ["ecdsa-sha2-nistp521", ecdsa("nistp521", "P-521", 66)],
  [
    "ssh-ed25519",
    {
      jwk: "Ed25519",
      read: ([x, ...rest]) =>
        x?.length === 32 && rest.length === 0 ? { kty: "OKP", crv: "Ed25519", x: toUrl(x) } : undefined,
      write: ({ x }) => [fromUrl(x!)],
    },
  ],
]);

/** Names of types as OpenSSH writes them, so that a message may name them. */
const TYPE_NAME = /^(sk-)?(ssh|ecdsa-sha2)-[a-z0-9-]{1,40}(@openssh\.com)?$/;
const CERTIFICATE_NAME = /-cert-v0[01]@openssh\.com$/;

/** The number of fields behind the name, for the types of OpenSSH that the specification's `key_type` does not name. */
const OTHER_TYPES = new Map([
  ["ssh-dss", 4],
  ["sk-ssh-ed25519@openssh.com", 2],
  ["sk-ecdsa-sha2-nistp256@openssh.com", 3],
]);

/**
 * The `public_key` of an SSH certificate: "OpenSSH Authorized Keys format", of the type rsa, ecdsa or ed25519. Keys on a
 * security token are ecdsa and ed25519 too.
 */
export function check(value: string): string | undefined {
  const key = readLine(value);
  const isRight = typeof key !== "string" && (key.isNamed || isOnToken(key));
  const reason = isRight ? undefined : typeof key === "string" ? key : "it is of another type";
  return (
    reason &&
    `must be a public key of the type rsa, ecdsa or ed25519 in OpenSSH form ("ssh-ed25519 AAAA… comment"); ${reason}`
  );
}

/**
 * The `public_key` of an SSH credential: PEM as the specification says, or the OpenSSH form, which services
 * of this kind accept too; of any type.
 */
export function checkWithPem(value: string): string | undefined {
  const key = read(value);
  return typeof key === "string"
    ? `must be a public key in OpenSSH form ("ssh-ed25519 AAAA… comment") or in PEM form; ${key}`
    : undefined;
}

function isOnToken({ spelling }: PublicKey): boolean {
  return spelling.startsWith("sk-");
}

/** The key of an SSH certificate that the service may not sign. */
export function adviseSigned(value: string): string | undefined {
  const key = readLine(value);
  return typeof key !== "string" && isOnToken(key)
    ? "is a key on a security token, which the specification does not name; services may refuse it"
    : advise(value);
}

/** A key of a size or type that OpenSSH or the service may not accept. */
export function advise(value: string): string | undefined {
  const key = read(value);
  if (typeof key === "string") return undefined;
  if (key.spelling.includes(PEM_BEGIN)) return "is a key of a type that OpenSSH does not know";
  const bits = key.key?.asymmetricKeyType === "rsa" ? key.key.asymmetricKeyDetails?.modulusLength : undefined;
  if (bits === undefined || (bits >= RSA_BITS_MIN && bits <= RSA_BITS_MAX)) return undefined;
  return `is an RSA key of ${bits} bits; services may refuse fewer than ${RSA_BITS_MIN} and more than ${RSA_BITS_MAX} bits`;
}

/**
 * The one spelling of a key, its OpenSSH form: comment, white space and form (OpenSSH or PEM) do not count. Other text
 * is returned as it is.
 */
export function canonical(value: string): string {
  const key = read(value);
  return typeof key === "string" ? value : key.spelling;
}

function read(value: string): PublicKey | string {
  return value.includes(PEM_BEGIN) ? readPem(value) : readLine(value);
}

const PEM_BEGIN = "-----BEGIN ";

function readLine(value: string): PublicKey | string {
  const text = value.trim();
  if (text.includes("PRIVATE KEY-----")) return "it is a private key";
  if (text.includes(PEM_BEGIN)) return "it is in PEM form";
  if (text.startsWith("---- BEGIN")) return "it is in SSH2 form, which ssh-keygen -i converts";
  if (/[\r\n]/.test(text)) return "it has more than one line";
  // The comment is what follows the second word, and may hold anything.
  const [, name, base64] = /^(\S+)[ \t]+(\S+)/.exec(text) ?? [];
  if (name === undefined || base64 === undefined) return "it lacks a type or the key behind it";
  if (CERTIFICATE_NAME.test(name)) return "it is a certificate, and must be the key that it signs";
  if (!TYPE_NAME.test(name)) return "it does not begin with the name of a type";
  const blob = decodeBase64(base64);
  const [inner, ...fields] = (blob && readFields(blob)) ?? [];
  if (blob === undefined || inner === undefined) return "the key behind the type is not complete";
  if (inner.toString("latin1") !== name) return "the key is of another type than the word before it";
  const spelling = `${name} ${blob.toString("base64")}`;
  const form = FORMS.get(name);
  if (form === undefined) {
    const isComplete = fields.length > 0 && fields.length === (OTHER_TYPES.get(name) ?? fields.length);
    return isComplete ? { isNamed: false, spelling } : "the key behind the type is not valid";
  }
  const jwk = form.read(fields);
  const key = jwk && attempt(() => createPublicKey({ key: jwk, format: "jwk" }));
  return key ? { isNamed: true, spelling, key } : "the key behind the type is not valid";
}

function readPem(value: string): PublicKey | string {
  const blocks = readBlocks(value, "strict");
  if (typeof blocks === "string") return blocks;
  const block = blocks[0]!;
  if (blocks.length > 1) return `it holds ${blocks.length} blocks, and must hold one`;
  if (block.label !== "PUBLIC KEY" && block.label !== "RSA PUBLIC KEY") {
    return `it is ${describeBlock(block)}`;
  }
  const type = block.label === "PUBLIC KEY" ? "spki" : "pkcs1";
  const key = attempt(() => createPublicKey({ key: block.der, format: "der", type }));
  if (key === undefined) return "it does not parse";
  const line = lineOf(key);
  return line === undefined ? { isNamed: false, spelling: canonicalPem(value), key } : readLine(line);
}

/** The OpenSSH line of a key; undefined when it has none, such as for a curve that SSH does not know. */
function lineOf(key: KeyObject): string | undefined {
  if (key.asymmetricKeyType === "dsa") return written("ssh-dss", dsaNumbers(key));
  if (!hasKnownType(key)) return undefined;
  const jwk = attempt(() => key.export({ format: "jwk" }));
  if (jwk === undefined) return undefined;
  const found = [...FORMS].find(([, form]) => form.jwk === (jwk.crv ?? jwk.kty));
  return found && written(found[0], found[1].write(jwk));
}

function written(name: string, fields: readonly Buffer[]): string {
  const parts = [Buffer.from(name), ...fields].flatMap((field) => [uint32(field.length), field]);
  return `${name} ${Buffer.concat(parts).toString("base64")}`;
}

/** p, q, g and y of a DSA key (RFC 3279, section 2.3.2). DER writes integers as SSH does. */
function dsaNumbers(key: KeyObject): readonly Buffer[] {
  const der = (bytes: Buffer | undefined) => readDer(bytes ?? Buffer.alloc(0)) ?? [];
  const [algorithm, bits] = der(der(key.export({ type: "spki", format: "der" }))[0]?.content);
  const parameters = der(der(algorithm?.content)[1]?.content);
  return [...parameters, ...der(bits?.content.subarray(1))].map(({ content }) => content);
}

function readRsa([e, n, ...rest]: readonly Buffer[]): JsonWebKey | undefined {
  if (!e || !n || rest.length > 0 || !isPositive(e) || !isPositive(n)) return undefined;
  const modulus = n[0] === 0 ? n.subarray(1) : n;
  const odd = e[e.length - 1]! % 2 === 1 && n[n.length - 1]! % 2 === 1;
  const atLeastThree = e.length > 1 || e[0]! >= 3;
  if (!odd || !atLeastThree) return undefined;
  return { kty: "RSA", e: toUrl(e[0] === 0 ? e.subarray(1) : e), n: toUrl(modulus) };
}

function ecdsa(curve: string, crv: string, size: number): Form {
  return {
    jwk: crv,
    read: ([name, point, ...rest]) => {
      // RFC 5656 allows compressed points, OpenSSH reads 04 || x || y only.
      const right = name?.toString("latin1") === curve && point?.length === 1 + 2 * size && point[0] === 4;
      if (!right || rest.length > 0) return undefined;
      return { kty: "EC", crv, x: toUrl(point.subarray(1, 1 + size)), y: toUrl(point.subarray(1 + size)) };
    },
    write: ({ x, y }) => [Buffer.from(curve), Buffer.concat([Buffer.of(4), fromUrl(x!), fromUrl(y!)])],
  };
}

/** The fields of an SSH wire text, each behind its length; undefined when a length leaves it. */
function readFields(blob: Buffer): Buffer[] | undefined {
  const fields: Buffer[] = [];
  for (let at = 0; at < blob.length;) {
    if (at + 4 > blob.length) return undefined;
    const end = at + 4 + blob.readUInt32BE(at);
    if (end > blob.length || fields.length > 8) return undefined;
    fields.push(blob.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

/** Whether an SSH mpint (RFC 4251, section 5) is positive and has no needless zero before it. */
function isPositive(mpint: Buffer): boolean {
  if (mpint.length === 0 || mpint[0]! >= 0x80) return false;
  return mpint[0] !== 0 || (mpint.length > 1 && mpint[1]! >= 0x80);
}

function toMpint(base64url: string): Buffer {
  const bytes = fromUrl(base64url);
  return bytes[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function toUrl(bytes: Buffer): string {
  return bytes.toString("base64url");
}

function fromUrl(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}
