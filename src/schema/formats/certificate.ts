import { X509Certificate } from "node:crypto";
import { attempt, describeBlock, readBlocks } from "./pem";
import { readPrivateKey } from "./private-key";

/** A TLS certificate's `certificate_pem`: "chain of PEM-encoded certificates, leaf first". */
export function checkChain(value: string): string | undefined {
  const reason = chainProblem(value);
  return (
    reason &&
    `must be a chain of PEM-encoded certificates, leaf first, each followed by its issuer; ${reason}`
  );
}

/** A certificate authority's `ca_pem`: one certificate, which is that of an authority. */
export function checkAuthority(value: string): string | undefined {
  const reason = authorityProblem(value);
  return reason && `must be the PEM-encoded certificate of a certificate authority; ${reason}`;
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

/** The end of the first certificate's validity in milliseconds since 1970; undefined when there is none to read. */
export function notAfter(value: string): number | undefined {
  const certificates = readCertificates(value);
  if (typeof certificates === "string") return undefined;
  const end = certificates[0]!.validToDate.getTime();
  return Number.isNaN(end) ? undefined : end;
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
  for (let index = 0; index + 1 < chain.length; index += 1) {
    const [certificate, next] = [chain[index]!, chain[index + 1]!];
    if (!certificate.checkIssued(next)) {
      const names = `${position(index, chain)} is not issued by the one after it`;
      const issuer = chain.findIndex((other) => other !== certificate && certificate.checkIssued(other));
      if (issuer >= 0) return `${names} but by ${position(issuer, chain)}`;
      return next.checkIssued(certificate) ? `${names}, the order is reversed` : names;
    }
    const signed = attempt(() => certificate.verify(next.publicKey));
    // A key that this OpenSSL cannot use is no fault of the chain.
    if (signed === false) return `the signature of ${position(index, chain)} is not that of the one after it`;
  }
  return undefined;
}

function authorityProblem(value: string): string | undefined {
  const certificates = readCertificates(value);
  if (typeof certificates === "string") return certificates;
  if (certificates.length > 1) return `it holds ${certificates.length} certificates, and must hold one`;
  if (!certificates[0]!.ca) {
    return "the basic constraints or key usages of the certificate do not let it sign others";
  }
  return undefined;
}

function position(index: number, all: readonly unknown[]): string {
  return `certificate ${index + 1} of ${all.length}`;
}
