import { X509Certificate } from "node:crypto";
import type { Format } from "../field";
import { readDer, attempt, canonical, describeBlock, readBlocks } from "./pem";
import { readPrivateKey } from "./private-key";

/** A TLS certificate's `certificate_pem`: "chain of PEM-encoded certificates, leaf first". */
export function checkChain(value: string): string | undefined {
  const reason = chainProblem(value);
  return reason && `must be a chain of PEM-encoded certificates, leaf first; ${reason}`;
}

/** A chain whose certificates are not each followed by their issuer, as most clients ask for, or that holds the root. */
export function adviseChain(value: string): string | undefined {
  const chain = readCertificates(value);
  return typeof chain === "string" ? undefined : orderAdvice(chain);
}

/** A certificate authority's `ca_pem`: PEM-encoded certificates. */
export function checkAuthority(value: string): string | undefined {
  const certificates = readCertificates(value);
  return typeof certificates === "string"
    ? `must be the PEM-encoded certificate of a certificate authority; ${certificates}`
    : undefined;
}

/** A certificate that says that it is not an authority's, or does not say whether it is: nothing states that it must. */
export function adviseAuthority(value: string): string | undefined {
  const certificates = readCertificates(value);
  if (typeof certificates === "string") return undefined;
  const wrong = certificates.findIndex((certificate) => roleOf(certificate) === "other");
  if (wrong >= 0) {
    return `is not that of an authority: the basic constraints or key usages of ${position(wrong, certificates)} do not let it sign others`;
  }
  const unmarked = certificates.findIndex((certificate) => roleOf(certificate) === "unmarked");
  return unmarked < 0
    ? undefined
    : `holds a certificate that does not say that it is an authority's (${position(unmarked, certificates)})`;
}

/**
 * Whether a private key is that of a chain's leaf; the clause is about the key. Undefined too when either
 * is wrong in itself, which their own checks report.
 */
export function checkKeyMatches(certificatePem: string, privateKeyPem: string): string | undefined {
  const certificates = readCertificates(certificatePem);
  const key = readPrivateKey(privateKeyPem);
  if (typeof certificates === "string" || typeof key === "string") return undefined;
  const owner = certificates.findIndex((certificate) => attempt(() => certificate.checkPrivateKey(key)));
  if (owner === 0) return undefined;
  const reason =
    owner < 0 ? "it is of no certificate in the chain" : `it is that of ${position(owner, certificates)}`;
  return `must be the private key of the chain's first certificate; ${reason}`;
}

function readCertificates(value: string): readonly X509Certificate[] | string {
  const blocks = readBlocks(value, "strict");
  if (typeof blocks === "string") return blocks;
  const certificates: X509Certificate[] = [];
  for (const [index, block] of blocks.entries()) {
    if (block.label !== "CERTIFICATE") {
      return `block ${index + 1} is ${describeBlock(block)}, not a certificate`;
    }
    const certificate = attempt(() => new X509Certificate(block.der));
    // OpenSSL ignores what follows the certificate in its block, stricter readers refuse it.
    if (certificate?.raw.length !== block.der.length) {
      return `${position(index, blocks)} does not parse`;
    }
    certificates.push(certificate);
  }
  return certificates;
}

function chainProblem(value: string): string | undefined {
  const chain = readCertificates(value);
  if (typeof chain === "string") return chain;
  const [first] = chain;
  // Two authorities that signed each other do not say which of them is the leaf.
  const issued = chain.findIndex(
    (other) =>
      !other.raw.equals(first!.raw) && other.checkIssued(first!) && first!.checkIssued(other) === false,
  );
  return issued < 0
    ? undefined
    : `${position(0, chain)} is the issuer of ${position(issued, chain)}, so it is not the leaf`;
}

function orderAdvice(chain: readonly X509Certificate[]): string | undefined {
  for (let index = 0; index + 1 < chain.length; index += 1) {
    const [certificate, next] = [chain[index]!, chain[index + 1]!];
    if (!certificate.checkIssued(next)) {
      const names = `is out of order for most clients: ${position(index, chain)} is not issued by the one after it`;
      const issuer = chain.findIndex((other) => other !== certificate && certificate.checkIssued(other));
      return issuer >= 0 ? `${names} but by ${position(issuer, chain)}` : names;
    }
    const signed = attempt(() => certificate.verify(next.publicKey));
    // A key that this OpenSSL cannot use is not a fault of the chain.
    if (signed === false) {
      return `does not verify: the signature of ${position(index, chain)} is not that of the one after it`;
    }
  }
  const root = chain.findIndex((certificate, index) => index > 0 && certificate.checkIssued(certificate));
  return root < 0 ? undefined : `holds a self-signed root (${position(root, chain)}), which clients ignore`;
}

const [EXTENSIONS, OID, BASIC_CONSTRAINTS, KEY_USAGE] = [0xa3, 0x06, "551d13", "551d0f"];

/** Whether a certificate says that it is an authority's, says that it is not, or says nothing (RFC 5280, 4.2.1). */
function roleOf(certificate: X509Certificate): "authority" | "other" | "unmarked" {
  if (certificate.ca) return "authority";
  const body = readDer(certificate.raw)?.[0];
  const members = readDer((body && readDer(body.content)?.[0]?.content) ?? Buffer.alloc(0)) ?? [];
  const list = members.find(({ tag }) => tag === EXTENSIONS);
  const extensions = (list && readDer(readDer(list.content)?.[0]?.content ?? Buffer.alloc(0))) ?? [];
  const valueOf = (name: string): Buffer | undefined => {
    const found = extensions.map(({ content }) => readDer(content) ?? []);
    return found.find(([id]) => id?.tag === OID && id.content.toString("hex") === name)?.at(-1)?.content;
  };
  if (valueOf(BASIC_CONSTRAINTS) !== undefined) return "other";
  const usages = valueOf(KEY_USAGE);
  // keyCertSign is the sixth bit; the first three bytes are the bit string's tag, length and number of unused bits.
  if (usages !== undefined) return ((usages[3] ?? 0) & 0x04) !== 0 ? "authority" : "other";
  // A root of version 1 has no extensions to say it.
  return list === undefined && certificate.checkIssued(certificate) ? "authority" : "unmarked";
}

function position(index: number, all: readonly unknown[]): string {
  return `certificate ${index + 1} of ${all.length}`;
}

/** A chain of PEM-encoded certificates, leaf first. */
export const chain: Format = { check: checkChain, advise: adviseChain, canonical, identifies: true };

/** The PEM-encoded certificates of an authority. */
export const authority: Format = {
  check: checkAuthority,
  advise: adviseAuthority,
  canonical,
  identifies: true,
};
