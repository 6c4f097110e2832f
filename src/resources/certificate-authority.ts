import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { adviseAuthority, checkAuthority } from "../schema/formats/certificate";
import * as pem from "../schema/formats/pem";
import { text } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { certificates } from "./groups";
import { certified, describedByReplacement, recorded } from "./shared-fields";

/** The arguments of a {@link CertificateAuthority}. Specification: Create and update parameters. */
export interface CertificateAuthorityArgs {
  /**
   * The certificate of the authority, PEM-encoded, or several of them. White space does not count. Changing it replaces
   * the authority.
   */
  caPem: pulumi.Input<string>;
  /**
   * What the authority is for. At most 255 bytes. Default: none. Changing it replaces the authority, unless the
   * setting `patchUndocumented` is on. If removed: replaced; cleared with `patchUndocumented`.
   */
  description?: pulumi.Input<string>;
  /**
   * Machine-readable data of your own. At most 4096 bytes. Default: none. Changing it replaces the authority, unless
   * the setting `patchUndocumented` is on. If removed: replaced; cleared with `patchUndocumented`.
   */
  metadata?: pulumi.Input<string>;
}

const certificateAuthority: Declaration = collection<CertificateAuthorityArgs, CertificateAuthority>({
  type: "CertificateAuthority",
  noun: "certificate authority",
  group: certificates,
  path: "/certificate_authorities",
  grants: "the service trusts the certificates that the authority issues",
  idPrefix: "ca_",
  columns: ["subjectCommonName", "notAfter", "description"],
  fields: {
    ...describedByReplacement(),
    caPem: text({ check: checkAuthority, advise: adviseAuthority, canonical: pem.canonical })
      .required()
      .replace()
      .means("who signs in"),
    ...recorded(),
    ...certified(),
  },
});

/**
 * A certificate authority (`ca_…`) whose certificates the service trusts. A replacement is created before
 * the old authority is deleted, so that its users can switch.
 *
 * ## Example: trust the authority of your own devices
 *
 * ```typescript
 * import { readFileSync } from "node:fs";
 * import { CertificateAuthority } from "pulumi-tunnel-gateway";
 *
 * const devices = new CertificateAuthority("devices", {
 *   description: "issues the devices' client certificates",
 *   caPem: readFileSync("authority.pem", "utf8"),
 * });
 * export const trustedUntil = devices.notAfter;
 * ```
 *
 * Specification: Certificate authority.
 */
export class CertificateAuthority extends resource<CertificateAuthority, CertificateAuthorityArgs>(
  certificateAuthority,
) {
  /** The certificate of the authority, PEM-encoded, as the program wrote it. */
  declare readonly caPem: pulumi.Output<string>;
  /** What the authority is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the authority was uploaded, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
  /** The common name of the certificate's subject. */
  declare readonly subjectCommonName: pulumi.Output<string>;
  /** When the certificate's validity begins, RFC 3339. */
  declare readonly notBefore: pulumi.Output<string>;
  /** When the certificate's validity ends, RFC 3339. */
  declare readonly notAfter: pulumi.Output<string>;
  /** The actions that the private key may be used for. */
  declare readonly keyUsages: pulumi.Output<string[]>;
  /** The extended set of actions that the private key may be used for. */
  declare readonly extendedKeyUsages: pulumi.Output<string[]>;
}

const readers = readersOf<ResultOf<CertificateAuthority>>(certificateAuthority);
/** Reads a certificate authority by its id, or the only one that a filter matches. Specification: Certificate authority. */
export const getCertificateAuthority = readers.get;
/** {@link getCertificateAuthority} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getCertificateAuthorityOutput = readers.getOutput;
/** Lists all certificate authorities. Specification: Certificate authority. */
export const listCertificateAuthorities = readers.list;
/** {@link listCertificateAuthorities} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listCertificateAuthoritiesOutput = readers.listOutput;
