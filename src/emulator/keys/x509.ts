import type { KeyObject } from "node:crypto";
import { X509Certificate, createPrivateKey, createPublicKey, randomBytes, sign, verify } from "node:crypto";
import { timestamp } from "../clock";
import * as der from "./der";

/** RFC 5280, 4.2.1.3, in the order of the bits. */
const KEY_USAGES = [
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

/** RFC 5280, 4.2.1.12. */
const EXTENDED_KEY_USAGES: Record<string, string> = {
  "2.5.29.37.0": "anyExtendedKeyUsage",
  "1.3.6.1.5.5.7.3.1": "serverAuth",
  "1.3.6.1.5.5.7.3.2": "clientAuth",
  "1.3.6.1.5.5.7.3.3": "codeSigning",
  "1.3.6.1.5.5.7.3.4": "emailProtection",
  "1.3.6.1.5.5.7.3.8": "timeStamping",
  "1.3.6.1.5.5.7.3.9": "OCSPSigning",
};

const COMMON_NAME = "2.5.4.3";
const SUBJECT_ALT_NAME = "2.5.29.17";
const KEY_USAGE = "2.5.29.15";
const EXTENDED_KEY_USAGE = "2.5.29.37";
const BASIC_CONSTRAINTS = "2.5.29.19";

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** The certificates of a PEM text, or the rule that the text breaks. */
export function readChain(pem: string): X509Certificate[] | string {
  const blocks = [...pem.matchAll(BLOCK)];
  if (blocks.length === 0) return "must be a PEM-encoded certificate";
  if (blocks.some((block) => block[1] !== "CERTIFICATE")) return "must contain only certificates";
  try {
    return blocks.map((block) => new X509Certificate(block[0]));
  } catch {
    return "must be a PEM-encoded certificate";
  }
}

/** The fields of the specification's tables that come from a certificate. */
export function certificateFields(certificate: X509Certificate) {
  const { subject, issuer, ext_key_usage = [] } = certificate.toLegacyObject();
  const extensions = extensionsOf(certificate);
  return {
    subject_common_name: firstOf(subject.CN),
    subject_organization: firstOf(subject.O),
    subject_organizational_unit: firstOf(subject.OU),
    subject_locality: firstOf(subject.L),
    subject_province: firstOf(subject.ST),
    subject_country: firstOf(subject.C),
    issuer_common_name: firstOf(issuer.CN),
    serial_number: certificate.serialNumber.toLowerCase(),
    not_before: timestamp(new Date(certificate.validFrom)),
    not_after: timestamp(new Date(certificate.validTo)),
    key_usages: keyUsages(extensions.get(KEY_USAGE)),
    extended_key_usages: ext_key_usage.map((oid) => EXTENDED_KEY_USAGES[oid] ?? oid),
    subject_alternative_names: alternativeNames(extensions.get(SUBJECT_ALT_NAME)),
    private_key_type: keyType(certificate.publicKey),
  };
}

/** The fields of an unknown certificate: the text stands for each. */
export function unknownFields(text: string): ReturnType<typeof certificateFields> {
  return {
    subject_common_name: text,
    subject_organization: text,
    subject_organizational_unit: text,
    subject_locality: text,
    subject_province: text,
    subject_country: text,
    issuer_common_name: text,
    serial_number: text,
    not_before: text,
    not_after: text,
    key_usages: [text],
    extended_key_usages: [text],
    subject_alternative_names: { dns_names: [text], ips: [] },
    private_key_type: text,
  };
}

/** Whether the certificate may belong to an authority; one of version 1 does not say. */
export function maySign(certificate: X509Certificate): boolean {
  const extensions = extensionsOf(certificate);
  if (certificate.ca || extensions.has(BASIC_CONSTRAINTS)) return certificate.ca;
  return !extensions.has(KEY_USAGE) || keyUsages(extensions.get(KEY_USAGE)).includes("keyCertSign");
}

function keyType(key: KeyObject): string | undefined {
  const types: Record<string, string> = { rsa: "rsa", ec: "ecdsa", ed25519: "ed25519" };
  return types[key.asymmetricKeyType ?? ""];
}

/** Reads a private key in PEM; undefined if the text is not one. */
export function readPrivateKey(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

/** The values by OID. */
function extensionsOf(certificate: X509Certificate): Map<string, Buffer> {
  const [tbs] = der.readSequence(certificate.raw);
  const extensions = new Map<string, Buffer>();
  const block = der.read(tbs?.content ?? Buffer.alloc(0)).find((part) => part.tag === der.context(3));
  for (const extension of block === undefined ? [] : der.readSequence(block.content)) {
    const members = der.read(extension.content);
    const [oid, value] = [members[0], members[members.length - 1]];
    if (oid !== undefined && value !== undefined) extensions.set(der.readOid(oid.content), value.content);
  }
  return extensions;
}

/** The first value of an attribute of a name. */
function firstOf(values: string | string[] | undefined): string {
  return [values].flat()[0] ?? "";
}

function keyUsages(extension: Buffer | undefined): string[] {
  if (extension === undefined) return [];
  const bits = der.one(extension, der.BIT_STRING).content.subarray(1);
  return KEY_USAGES.filter((_, index) => ((bits[index >> 3] ?? 0) & (0x80 >> (index & 7))) !== 0);
}

function alternativeNames(extension: Buffer | undefined): { dns_names: string[]; ips: string[] } {
  const found = { dns_names: [] as string[], ips: [] as string[] };
  for (const { tag, content } of extension === undefined ? [] : der.readSequence(extension)) {
    if (tag === 0x82) found.dns_names.push(content.toString("latin1"));
    if (tag === 0x87) found.ips.push(address(content));
  }
  return found;
}

function address(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join(".");
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}

const SIGNATURES: Record<string, string | null> = {
  "1.2.840.113549.1.1.11": "sha256",
  "1.2.840.113549.1.1.12": "sha384",
  "1.2.840.113549.1.1.13": "sha512",
  "1.2.840.10045.4.3.2": "sha256",
  "1.2.840.10045.4.3.3": "sha384",
  "1.2.840.10045.4.3.4": "sha512",
  "1.3.101.112": null,
};

export interface SigningRequest {
  subject: Buffer;
  publicKey: Buffer;
}

/** Reads a certificate signing request (RFC 2986), in PEM or base64; undefined if it or its signature is invalid. */
export function readRequest(text: string): SigningRequest | undefined {
  const block = /-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----([\s\S]+?)-----END /.exec(text);
  try {
    const [info, algorithm, signature] = der.readSequence(Buffer.from(block?.[1] ?? text, "base64"));
    if (info === undefined || algorithm === undefined || signature === undefined) return undefined;
    const [, subject, publicKey] = der.read(info.content);
    const [oid] = der.read(algorithm.content);
    if (subject === undefined || publicKey === undefined || oid === undefined) return undefined;
    const hash = SIGNATURES[der.readOid(oid.content)];
    if (hash === undefined) return undefined;
    const key = createPublicKey({ key: publicKey.whole, format: "der", type: "spki" });
    if (!verify(hash, info.whole, key, signature.content.subarray(1))) return undefined;
    return { subject: subject.whole, publicKey: publicKey.whole };
  } catch {
    return undefined;
  }
}

/** Issues a client certificate for a signing request, in PEM. */
export function issue(
  request: SigningRequest,
  authorityKey: string,
  issuer: string,
  from: Date,
  to: Date,
): string {
  const ed25519 = der.sequence(der.writeOid("1.3.101.112"));
  // Positive and of full length, as in RFC 5280, 4.1.2.2.
  const serial = randomBytes(16);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const attribute = der.sequence(der.writeOid(COMMON_NAME), der.write(der.UTF8, Buffer.from(issuer)));
  const clientAuth = der.write(der.OCTET_STRING, der.sequence(der.writeOid("1.3.6.1.5.5.7.3.2")));
  const usage = der.sequence(der.writeOid(EXTENDED_KEY_USAGE), clientAuth);
  const tbs = der.sequence(
    der.write(der.context(0), der.write(der.INTEGER, Buffer.from([2]))),
    der.write(der.INTEGER, serial),
    ed25519,
    der.sequence(der.write(der.SET, attribute)),
    der.sequence(validity(from), validity(to)),
    request.subject,
    request.publicKey,
    der.write(der.context(3), der.sequence(usage)),
  );
  const signature = sign(null, tbs, createPrivateKey(authorityKey));
  const bytes = der.sequence(tbs, ed25519, der.write(der.BIT_STRING, Buffer.from([0]), signature));
  const lines = bytes.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** UTCTime up to 2049, GeneralizedTime from 2050 (RFC 5280, 4.1.2.5). */
function validity(time: Date): Buffer {
  const digits = timestamp(time).replace(/[-:T]/g, "");
  return time.getUTCFullYear() < 2050
    ? der.write(der.UTC_TIME, Buffer.from(digits.slice(2)))
    : der.write(0x18, Buffer.from(digits));
}
