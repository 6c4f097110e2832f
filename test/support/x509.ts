import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { isIPv4, isIPv6 } from "node:net";

// A small writer of X.509 (RFC 5280) and PKCS #10 (RFC 2986), so that tests need neither openssl nor fixtures that
// expire. It imports nothing from src, so that an error there is found. @peculiar/x509 is no replacement: it brings 20
// packages, and it is asynchronous, but the tests make certificates while they list their cases.

/** What a certificate's key pair can be. `rsa` has 2048 bits, `ecdsa` is on P-256. */
export type CertificateKeyType = "rsa" | "ecdsa" | "ed25519";

/** A certificate's subject; members that are absent are left out. */
interface DistinguishedName {
  commonName?: string;
  organization?: string;
  organizationalUnit?: string;
  locality?: string;
  province?: string;
  country?: string;
}

type KeyUsage =
  | "digitalSignature"
  | "nonRepudiation"
  | "keyEncipherment"
  | "dataEncipherment"
  | "keyAgreement"
  | "keyCertSign"
  | "cRLSign"
  | "encipherOnly"
  | "decipherOnly";

type ExtendedKeyUsage = keyof typeof EXTENDED_KEY_USAGES;

export interface CertificateOptions {
  /** A text is the common name. Default: "leaf.example.com", or "Test CA" for an authority. */
  subject?: string | DistinguishedName;
  /** The certificate that signs; default: self-signed. */
  issuer?: MadeCertificate;
  /** Default: ecdsa, whose keys are the quickest to make. */
  keyType?: CertificateKeyType;
  /** A key pair to use in place of a new one. */
  privateKey?: KeyObject;
  /** Default: 3; certificates of version 1 have no extensions. */
  version?: 1 | 3;
  /** Whether basic constraints say that this is an authority. Default: false; `null` leaves them out. */
  ca?: boolean | null;
  /** The path length constraint of an authority. */
  pathLength?: number;
  /** Default: those of an authority, or those of a server; an empty list leaves the extension out. */
  keyUsage?: readonly KeyUsage[];
  /** Default: none for an authority, serverAuth otherwise; an empty list leaves the extension out. */
  extendedKeyUsage?: readonly ExtendedKeyUsage[];
  dnsNames?: readonly string[];
  /** IPv4 and IPv6 addresses. */
  ips?: readonly string[];
  /** Default: an hour ago. */
  notBefore?: Date;
  /** Default: 90 days from now. */
  notAfter?: Date;
  /** In hexadecimal, positive. Default: random. */
  serialNumber?: string;
}

export interface MadeCertificate {
  /** One CERTIFICATE block with a line end behind it. */
  pem: string;
  /** PKCS #8, unencrypted. */
  privateKeyPem: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
  subject: DistinguishedName;
  serialNumber: string;
  notBefore: Date;
  notAfter: Date;
}

/** Makes a certificate and its key: `makeCertificate({ ca: true })`, then `makeCertificate({ issuer })`. */
export function makeCertificate(options: CertificateOptions = {}): MadeCertificate {
  const ca = options.ca ?? false;
  const { privateKey, publicKey } = keyPair(options);
  const subject = nameOf(options.subject ?? (ca ? "Test CA" : "leaf.example.com"));
  const signer = options.issuer ?? { subject, privateKey, publicKey };
  const notBefore = options.notBefore ?? new Date(Math.floor(Date.now() / 1000 - 3600) * 1000);
  const notAfter = options.notAfter ?? new Date(notBefore.getTime() + 90 * 24 * 3600 * 1000);
  const serialNumber = options.serialNumber ?? `4${randomBytes(15).toString("hex").slice(1)}`;
  const spki = publicKey.export({ type: "spki", format: "der" });
  const keyUsage = options.keyUsage ?? (ca ? ["keyCertSign", "cRLSign"] : ["digitalSignature"]);
  const extendedKeyUsage = options.extendedKeyUsage ?? (ca ? [] : ["serverAuth"]);
  const names = [
    ...(options.dnsNames ?? []).map((dns) => tagged(0x82, Buffer.from(dns, "latin1"))),
    ...(options.ips ?? []).map((ip) => tagged(0x87, addressBytes(ip))),
  ];
  const extensions = [
    ...(options.ca === null ? [] : [extension("2.5.29.19", basicConstraints(ca, options.pathLength), true)]),
    ...(keyUsage.length > 0 ? [extension("2.5.29.15", keyUsageBits(keyUsage), true)] : []),
    ...(extendedKeyUsage.length > 0
      ? [
          extension(
            "2.5.29.37",
            sequence(...extendedKeyUsage.map((usage) => oid(EXTENDED_KEY_USAGES[usage]))),
          ),
        ]
      : []),
    ...(names.length > 0 ? [extension("2.5.29.17", sequence(...names), subjectIsEmpty(subject))] : []),
    extension("2.5.29.14", tagged(0x04, keyIdentifier(publicKey))),
    extension("2.5.29.35", sequence(tagged(0x80, keyIdentifier(signer.publicKey)))),
  ];
  const isOld = options.version === 1;
  const body = sequence(
    ...(isOld ? [] : [tagged(0xa0, integer(Buffer.of(2)))]),
    integer(Buffer.from(serialNumber.padStart(serialNumber.length + (serialNumber.length % 2), "0"), "hex")),
    algorithm(signer.privateKey),
    distinguishedName(signer.subject),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(subject),
    spki,
    ...(isOld ? [] : [tagged(0xa3, sequence(...extensions))]),
  );
  return {
    pem: pem("CERTIFICATE", signed(body, signer.privateKey)),
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    publicKey,
    privateKey,
    subject,
    serialNumber,
    notBefore,
    notAfter,
  };
}

/** Makes a PKCS #10 certificate request and its key. */
export function makeCertificateRequest(
  options: Pick<CertificateOptions, "subject" | "keyType" | "privateKey"> = {},
): { pem: string; der: Buffer; privateKeyPem: string } {
  const { privateKey, publicKey } = keyPair(options);
  const subject = nameOf(options.subject ?? "operator");
  const spki = publicKey.export({ type: "spki", format: "der" });
  const body = sequence(integer(Buffer.of(0)), distinguishedName(subject), spki, tagged(0xa0));
  const der = signed(body, privateKey);
  return {
    der,
    pem: pem("CERTIFICATE REQUEST", der),
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

/** Makes a key pair without a certificate. */
export function makeKeyPair(keyType: CertificateKeyType): { privateKey: KeyObject; publicKey: KeyObject } {
  if (keyType === "rsa") return generateKeyPairSync("rsa", { modulusLength: 2048 });
  if (keyType === "ecdsa") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  return generateKeyPairSync("ed25519");
}

/** Writes one PEM block with lines of 64 characters. */
export function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

const EXTENDED_KEY_USAGES = {
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
  codeSigning: "1.3.6.1.5.5.7.3.3",
  emailProtection: "1.3.6.1.5.5.7.3.4",
  timeStamping: "1.3.6.1.5.5.7.3.8",
  ocspSigning: "1.3.6.1.5.5.7.3.9",
} as const;

/** In the order of their bits (RFC 5280, section 4.2.1.3). */
const KEY_USAGES: readonly KeyUsage[] = [
  "digitalSignature",
  "nonRepudiation",
  "keyEncipherment",
  "dataEncipherment",
  "keyAgreement",
  "keyCertSign",
  "cRLSign",
  "encipherOnly",
  "decipherOnly",
];

const NAME_PARTS = [
  ["country", "2.5.4.6"],
  ["province", "2.5.4.8"],
  ["locality", "2.5.4.7"],
  ["organization", "2.5.4.10"],
  ["organizationalUnit", "2.5.4.11"],
  ["commonName", "2.5.4.3"],
] as const;

function keyPair({ privateKey, keyType = "ecdsa" }: Pick<CertificateOptions, "privateKey" | "keyType">) {
  if (privateKey === undefined) return makeKeyPair(keyType);
  // A copy, because createPublicKey takes a private KeyObject but not one of another realm (jest).
  const own = createPrivateKey(privateKey.export({ type: "pkcs8", format: "pem" }));
  return { privateKey: own, publicKey: createPublicKey(own) };
}

function nameOf(subject: string | DistinguishedName): DistinguishedName {
  return typeof subject === "string" ? { commonName: subject } : subject;
}

function subjectIsEmpty(subject: DistinguishedName): boolean {
  return NAME_PARTS.every(([part]) => subject[part] === undefined);
}

function distinguishedName(name: DistinguishedName): Buffer {
  const parts = NAME_PARTS.flatMap(([part, type]) => {
    const text = name[part];
    if (text === undefined) return [];
    // A country is a PrintableString, the rest is UTF-8.
    return [tagged(0x31, sequence(oid(type), tagged(part === "country" ? 0x13 : 0x0c, Buffer.from(text))))];
  });
  return sequence(...parts);
}

function basicConstraints(ca: boolean, pathLength: number | undefined): Buffer {
  if (!ca) return sequence();
  const length = pathLength === undefined ? [] : [integer(Buffer.of(pathLength))];
  return sequence(tagged(0x01, Buffer.of(0xff)), ...length);
}

function keyUsageBits(usages: readonly KeyUsage[]): Buffer {
  const bits = usages.map((usage) => KEY_USAGES.indexOf(usage));
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(1 + Math.floor(last / 8));
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return tagged(0x03, Buffer.of(7 - (last % 8)), bytes);
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? [tagged(0x01, Buffer.of(0xff))] : [];
  return sequence(oid(id), ...flag, tagged(0x04, value));
}

function keyIdentifier(key: KeyObject): Buffer {
  return createHash("sha1")
    .update(key.export({ type: "spki", format: "der" }))
    .digest();
}

function algorithm(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === "rsa") return sequence(oid("1.2.840.113549.1.1.11"), tagged(0x05));
  if (key.asymmetricKeyType === "ec") return sequence(oid("1.2.840.10045.4.3.2"));
  return sequence(oid("1.3.101.112"));
}

function signed(body: Buffer, key: KeyObject): Buffer {
  const hash = key.asymmetricKeyType === "ed25519" ? null : "sha256";
  return sequence(body, algorithm(key), tagged(0x03, Buffer.of(0), sign(hash, body, key)));
}

function time(date: Date): Buffer {
  const digits = date.toISOString().replace(/[-:T]|\.\d+/g, "");
  // UTCTime reaches from 1950 to 2049 (RFC 5280, section 4.1.2.5).
  const short = date.getUTCFullYear() >= 1950 && date.getUTCFullYear() < 2050;
  return short ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
}

function addressBytes(ip: string): Buffer {
  if (isIPv4(ip)) return Buffer.from(ip.split(".").map(Number));
  if (!isIPv6(ip)) throw new Error(`not an IP address: ${ip}`);
  const [head, tail] = ip.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const gap = tail === undefined ? [] : Array<string>(8 - head!.length - tail.length).fill("0");
  return Buffer.from(
    [...head!, ...gap, ...(tail ?? [])].map((group) => group.padStart(4, "0")).join(""),
    "hex",
  );
}

function sequence(...content: readonly Buffer[]): Buffer {
  return tagged(0x30, ...content);
}

function integer(bytes: Buffer): Buffer {
  return bytes[0]! >= 0x80 ? tagged(0x02, Buffer.of(0), bytes) : tagged(0x02, bytes);
}

function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split(".").map(Number);
  const bytes = [first! * 40 + second!, ...rest].flatMap((arc) => {
    const groups = [arc & 0x7f];
    for (let left = arc >>> 7; left > 0; left >>>= 7) groups.unshift((left & 0x7f) | 0x80);
    return groups;
  });
  return tagged(0x06, Buffer.from(bytes));
}

function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.of(tag, 0x80 | length.length), length, body]);
}
