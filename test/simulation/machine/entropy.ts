/**
 * Puts what this process takes from chance and from the clock under a seed: ids, tokens, keys, serial numbers and the
 * time. Import it first: other modules make keys and note the time while they are loaded.
 */
import type { KeyObject } from "node:crypto";
import { Chance } from "../../worlds/chance";

// The module itself, whose functions all others call.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const crypto = require("node:crypto") as typeof import("node:crypto");

/** When every world begins, in milliseconds since 1970. */
export const beginning = Date.UTC(2030, 5, 1, 12);

const loading = 1;
let chance = new Chance(loading);
let time = (): number => beginning;

const originals = {
  createPrivateKey: crypto.createPrivateKey,
  createPublicKey: crypto.createPublicKey,
  X509Certificate: crypto.X509Certificate,
  randomBytes: crypto.randomBytes,
  randomUUID: crypto.randomUUID,
  generateKeyPairSync: crypto.generateKeyPairSync,
  sign: crypto.sign,
};
const real = { random: Math.random, now: Date.now };

/** Begins a world: chance is that of the seed, and the time is the world's. */
export function enter(seed: number, now: () => number): void {
  replace();
  chance = new Chance(seed);
  time = now;
}

/** Gives chance and clock back to the process. */
export function leave(): void {
  Object.assign(crypto, originals);
  Math.random = real.random;
  Date.now = real.now;
}

function randomUUID(): string {
  const hex = chance.bytes(16).toString("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20)].join("-");
}

const curve = "prime256v1";
/** The order of P-256 (FIPS 186). */
const order = BigInt("0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551");

/** P-256 and X25519 where they are asked for; else Ed25519, because RSA keys take too long to find. */
function generateKeyPairSync(type: string) {
  const seed = chance.bytes(32);
  const privateKey = type === "ec" ? ecKey(seed) : edwardsKey(seed, type === "x25519" ? "6e" : "70");
  return { privateKey, publicKey: crypto.createPublicKey(privateKey) };
}

/** An X25519 or Ed25519 key, by the last number of its kind (RFC 8410). */
function edwardsKey(seed: Buffer, kind: string): KeyObject {
  const header = Buffer.from(`302e020100300506032b65${kind}04220420`, "hex");
  return crypto.createPrivateKey({ key: Buffer.concat([header, seed]), format: "der", type: "pkcs8" });
}

function ecKey(scalar: Buffer): KeyObject {
  const point = publicPoint(scalar);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString("base64url"));
  const key = { kty: "EC", crv: "P-256", d: scalar.toString("base64url"), x: x!, y: y! };
  return crypto.createPrivateKey({ key, format: "jwk" });
}

function publicPoint(scalar: Buffer): Buffer {
  const exchange = crypto.createECDH(curve);
  exchange.setPrivateKey(scalar);
  return exchange.getPublicKey();
}

/** As Node's, but the random number in an ECDSA signature is from the seed (FIPS 186-5, section 6.4). */
function sign(hash: string | null, data: Buffer, key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== "ec") return originals.sign(hash, data, key);
  const d = number(Buffer.from(String(key.export({ format: "jwk" }).d), "base64url"));
  const z = number(crypto.createHash("sha256").update(data).digest());
  const nonce = chance.bytes(32);
  const r = number(publicPoint(nonce).subarray(1, 33)) % order;
  const s = (inverse(number(nonce)) * (z + r * d)) % order;
  const body = Buffer.concat([derInteger(r), derInteger(s)]);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

function number(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString("hex")}`);
}

/** Fermat: the order is a prime. */
function inverse(value: bigint): bigint {
  let [result, base] = [1n, value % order];
  for (let exponent = order - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % order;
    base = (base * base) % order;
  }
  return result;
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex");
  const positive = bytes[0]! & 0x80 ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
  return Buffer.concat([Buffer.of(2, positive.length), positive]);
}

/** Reads each key and certificate once: it takes long, and what is read never changes. */
function once<T>(read: (given: never) => T): (given: unknown) => T {
  const known = new Map<string, T>();
  return (given) => {
    const text = textOf(given);
    let found = known.get(text);
    if (found !== undefined) return found;
    if (known.size > mostKnown) known.clear();
    found = read(given as never);
    if (text !== "") known.set(text, found);
    return found;
  };
}

const mostKnown = 20_000;

/** What a key or certificate is read from; "" for an object of Node's. */
function textOf(given: unknown): string {
  if (typeof given === "string") return given;
  if (Buffer.isBuffer(given)) return given.toString("latin1");
  const { key, format, type } = given as { key?: unknown; format?: string; type?: string };
  if (key === undefined) return "";
  return `${format} ${type} ${format === "jwk" ? JSON.stringify(key) : textOf(key)}`;
}

const certificate = once((given: string) => new originals.X509Certificate(given));

const readers = {
  createPrivateKey: once(originals.createPrivateKey),
  createPublicKey: once(originals.createPublicKey),
  X509Certificate: function (given: unknown) {
    return certificate(given);
  },
};

function replace(): void {
  Object.assign(crypto, {
    ...readers,
    randomBytes: (length: number) => chance.bytes(length),
    randomUUID,
    generateKeyPairSync,
    sign,
  });
  Math.random = () => chance.next();
  Date.now = () => time();
}

replace();
