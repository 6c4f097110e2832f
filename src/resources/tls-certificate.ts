import * as certificate from "../schema/formats/certificate";
import * as privateKey from "../schema/formats/private-key";
import * as time from "../schema/formats/time";
import { isNew } from "../schema/field";
import type { Json } from "../schema/json";
import { isAbsent } from "../schema/unknown";
import { about, answered, fits, presenceOnly, set, text, together } from "../schema/words";
import type { ArgsOf, ValidationContext, ValueOf } from "../schema/words";
import { certificates, getOf, listOf, resource } from "./collection";
import { certified, describedByReplacement, keyType, ownedByCreator, recorded } from "./shared-fields";

const subjectAlternativeNames = {
  /** The DNS names, wildcards included. */
  dnsNames: set(text()).required(),
  /** The IP addresses. */
  ips: set(text()).required(),
};

/** The names that a certificate is valid for. Specification: TLS certificate. */
export interface SubjectAlternativeNames extends ValueOf<typeof subjectAlternativeNames> {}

const fields = together(
  describedByReplacement,
  {
    /**
     * The chain of PEM-encoded certificates, leaf first. Another order behind the leaf, and a root at the end, are
     * warnings. White space does not count. Changing it replaces the certificate.
     */
    // Clients trust a certificate because of its issuer, so another certificate grants no new access.
    certificatePem: text(certificate.chain).required().replace().means("none"),
    /**
     * The leaf's private key: PEM-encoded, not encrypted, of the type rsa, ecdsa or ed25519. Kept as a secret; no answer
     * ever holds it. Required to create the certificate. Changing it replaces the certificate. For an imported certificate it
     * may be left out; given later, it is recorded without a request. The output is undefined if no program gave it.
     */
    privateKeyPem: text(privateKey).replace().secret().writeOnly().means("none"),
  },
  recorded,
  certified,
  ownedByCreator,
  {
    /** The names that the leaf is valid for. */
    subjectAlternativeNames: answered<SubjectAlternativeNames>(subjectAlternativeNames).computed(),
    /** When the service had the certificate issued, RFC 3339. Undefined for an uploaded one. */
    issuedAt: text(time).computed().maybe(),
    /** The type of the private key: `rsa`, `ecdsa` or `ed25519`. */
    privateKeyType: keyType,
    /** The common name of the leaf's issuer. */
    issuerCommonName: text().computed(),
    /** The serial number of the leaf. */
    serialNumber: text().computed(),
    /** The organization of the leaf's subject. */
    subjectOrganization: text().computed(),
    /** The organizational unit of the leaf's subject. */
    subjectOrganizationalUnit: text().computed(),
    /** The locality of the leaf's subject. */
    subjectLocality: text().computed(),
    /** The province of the leaf's subject. */
    subjectProvince: text().computed(),
    /** The country of the leaf's subject. */
    subjectCountry: text().computed(),
  },
);

/** An imported certificate needs no key, because the service never returns it. */
function requireKey({ privateKeyPem }: Json, context: ValidationContext): string | undefined {
  return isNew(context) && isAbsent(privateKeyPem) ? "is required to create the object" : undefined;
}

/** The arguments of a {@link TlsCertificate}. Specification: Create and update parameters, /tls_certificates. */
export interface TlsCertificateArgs extends ArgsOf<typeof fields> {}

/**
 * A TLS certificate (`cert_…`) with its private key. A replacement is created before the old certificate is
 * deleted, so that its users can switch without a gap.
 *
 * ## Example: upload a certificate with its key
 *
 * ```typescript
 * import { readFileSync } from "node:fs";
 * import * as pulumi from "@pulumi/pulumi";
 * import { TlsCertificate } from "pulumi-tunnel-gateway";
 *
 * const site = new TlsCertificate("site", {
 *   description: "www.example.com",
 *   certificatePem: readFileSync("site.pem", "utf8"),
 *   privateKeyPem: pulumi.secret(readFileSync("site.key", "utf8")),
 * });
 * export const validFor = site.subjectAlternativeNames.dnsNames;
 * ```
 *
 * Specification: TLS certificate.
 */
export class TlsCertificate extends resource<TlsCertificate, TlsCertificateArgs, typeof fields>({
  type: "TlsCertificate",
  group: certificates,
  path: "/tls_certificates",
  idPrefix: "cert_",
  columns: ["subjectCommonName", "notAfter", "description"],
  // The service renews the certificates that it had issued.
  renews: ({ issuedAt }) => (isAbsent(issuedAt) ? [] : ["certificatePem"]),
  fields,
  rules: [
    presenceOnly(about("privateKeyPem", [], requireKey)),
    fits("privateKeyPem", "certificatePem", (key, chain) => certificate.checkKeyMatches(chain, key)),
  ],
}) {}

export const [getTlsCertificate, getTlsCertificateOutput] = getOf(TlsCertificate);
export const [listTlsCertificates, listTlsCertificatesOutput] = listOf(TlsCertificate);
