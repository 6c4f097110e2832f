import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { adviseChain, checkChain, checkKeyMatches } from "../schema/formats/certificate";
import * as pem from "../schema/formats/pem";
import { check as checkPrivateKey } from "../schema/formats/private-key";
import * as time from "../schema/formats/time";
import { object, set, text } from "../schema/kinds";
import { fits, requiredToCreate } from "../schema/rules";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { certificates } from "./groups";
import { certified, describedByReplacement, keyType, ownedByCreator, recorded } from "./shared-fields";
import type { KeyType } from "./shared-fields";

/** The arguments of a {@link TlsCertificate}. Specification: Create and update parameters, /tls_certificates. */
export interface TlsCertificateArgs {
  /**
   * The chain of PEM-encoded certificates, leaf first. Another order behind the leaf, and a root at the end, are
   * warnings. White space does not count. Changing it replaces the certificate.
   */
  certificatePem: pulumi.Input<string>;
  /**
   * The leaf's private key: PEM-encoded, not encrypted, of the type rsa, ecdsa or ed25519. Kept as a secret; no
   * answer ever holds it. Required to create the certificate. Changing it replaces the certificate. For an imported
   * certificate it may be left out; given later, it is recorded without a request. If removed: nothing is sent.
   */
  privateKeyPem?: pulumi.Input<string>;
  /**
   * What the certificate is for. At most 255 bytes. Default: none. Changing it replaces the certificate, unless the
   * setting `patchUndocumented` is on. If removed: replaced; cleared with `patchUndocumented`.
   */
  description?: pulumi.Input<string>;
  /**
   * Machine-readable data of your own. At most 4096 bytes. Default: none. Changing it replaces the certificate,
   * unless the setting `patchUndocumented` is on. If removed: replaced; cleared with `patchUndocumented`.
   */
  metadata?: pulumi.Input<string>;
}

/** The names that a certificate is valid for. Specification: TLS certificate. */
export interface SubjectAlternativeNames {
  /** The DNS names, wildcards included. */
  dnsNames: string[];
  /** The IP addresses. */
  ips: string[];
}

const tlsCertificate: Declaration = collection<TlsCertificateArgs, TlsCertificate>({
  type: "TlsCertificate",
  noun: "TLS certificate",
  group: certificates,
  path: "/tls_certificates",
  idPrefix: "cert_",
  columns: ["subjectCommonName", "notAfter", "description"],
  renewedByService: { when: "issuedAt", args: ["certificatePem"] },
  fields: {
    ...describedByReplacement(),
    // Clients trust a certificate for its issuer, so another one gives nobody what they did not have.
    certificatePem: text({ check: checkChain, advise: adviseChain, canonical: pem.canonical })
      .required()
      .replace()
      .means("none"),
    privateKeyPem: text({ check: checkPrivateKey, canonical: pem.canonical })
      .replace()
      .secret()
      .writeOnly()
      .means("none")
      .recordedWhenUnknown(),
    ...recorded(),
    ...certified(),
    ...ownedByCreator(),
    subjectAlternativeNames: object({
      dnsNames: set(text()).required(),
      ips: set(text()).required(),
    }).computed(),
    issuedAt: text(time).computed(),
    privateKeyType: keyType(),
    issuerCommonName: text().computed(),
    serialNumber: text().computed(),
    subjectOrganization: text().computed(),
    subjectOrganizationalUnit: text().computed(),
    subjectLocality: text().computed(),
    subjectProvince: text().computed(),
    subjectCountry: text().computed(),
  },
  rules: [
    requiredToCreate("privateKeyPem"),
    fits("privateKeyPem", "certificatePem", (key, chain) => checkKeyMatches(chain, key)),
  ],
});

/**
 * A TLS certificate (`cert_…`) with its private key. A replacement is created before the old certificate is
 * deleted, so that its users can switch without a gap.
 *
 * ## Example: upload a certificate with its key
 *
 * ```typescript
 * import { readFileSync } from "node:fs";
 * import { TlsCertificate } from "pulumi-tunnel-gateway";
 *
 * const site = new TlsCertificate("site", {
 *   description: "www.example.com",
 *   certificatePem: readFileSync("site.pem", "utf8"),
 *   privateKeyPem: readFileSync("site.key", "utf8"),
 * });
 * export const validFor = site.subjectAlternativeNames.dnsNames;
 * ```
 *
 * Specification: TLS certificate.
 */
export class TlsCertificate extends resource<TlsCertificate, TlsCertificateArgs>(tlsCertificate) {
  /** The chain of PEM-encoded certificates, leaf first, as the program wrote it. */
  declare readonly certificatePem: pulumi.Output<string>;
  /** The private key, a secret. Undefined if no program gave it. */
  declare readonly privateKeyPem: pulumi.Output<string | undefined>;
  /** What the certificate is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** The user or bot user that owns the certificate. Undefined if the service does not show it. */
  declare readonly ownerId: pulumi.Output<string | undefined>;
  /** When the certificate was uploaded or created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The common name of the leaf's subject. */
  declare readonly subjectCommonName: pulumi.Output<string>;
  /** The names that the leaf is valid for. */
  declare readonly subjectAlternativeNames: pulumi.Output<SubjectAlternativeNames>;
  /** When the service had the certificate issued, RFC 3339. Undefined for an uploaded one. */
  declare readonly issuedAt: pulumi.Output<string | undefined>;
  /** When the leaf's validity begins, RFC 3339. */
  declare readonly notBefore: pulumi.Output<string>;
  /** When the leaf's validity ends, RFC 3339. */
  declare readonly notAfter: pulumi.Output<string>;
  /** The actions that the private key may be used for. */
  declare readonly keyUsages: pulumi.Output<string[]>;
  /** The extended set of actions that the private key may be used for. */
  declare readonly extendedKeyUsages: pulumi.Output<string[]>;
  /** The type of the private key: `rsa`, `ecdsa` or `ed25519`. */
  declare readonly privateKeyType: pulumi.Output<KeyType>;
  /** The common name of the leaf's issuer. */
  declare readonly issuerCommonName: pulumi.Output<string>;
  /** The serial number of the leaf. */
  declare readonly serialNumber: pulumi.Output<string>;
  /** The organization of the leaf's subject; "" if it names none. */
  declare readonly subjectOrganization: pulumi.Output<string>;
  /** The organizational unit of the leaf's subject; "" if it names none. */
  declare readonly subjectOrganizationalUnit: pulumi.Output<string>;
  /** The locality of the leaf's subject; "" if it names none. */
  declare readonly subjectLocality: pulumi.Output<string>;
  /** The province of the leaf's subject; "" if it names none. */
  declare readonly subjectProvince: pulumi.Output<string>;
  /** The country of the leaf's subject; "" if it names none. */
  declare readonly subjectCountry: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<TlsCertificate>>(tlsCertificate);
/** Reads a TLS certificate by its id, or the only one that a filter matches. Specification: TLS certificate. */
export const getTlsCertificate = readers.get;
/** {@link getTlsCertificate} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getTlsCertificateOutput = readers.getOutput;
/** Lists all TLS certificates; their private keys are never shown. Specification: TLS certificate. */
export const listTlsCertificates = readers.list;
/** {@link listTlsCertificates} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listTlsCertificatesOutput = readers.listOutput;
