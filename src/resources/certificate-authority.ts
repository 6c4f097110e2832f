import { collection } from "../schema/declaration";
import { together } from "../schema/inferred";
import type { ArgsOf } from "../schema/inferred";
import { adviseAuthority, checkAuthority } from "../schema/formats/certificate";
import * as pem from "../schema/formats/pem";
import { text } from "../schema/kinds";
import { readersOf } from "../account/readers";
import { resource } from "../program/resource-class";
import { certificates } from "./groups";
import { certified, describedByReplacement, recorded } from "./shared-fields";

const fields = together(
  describedByReplacement,
  {
    /**
     * The certificate of the authority, PEM-encoded, or several of them. White space does not count. Changing it
     * replaces the authority.
     */
    caPem: text({ check: checkAuthority, advise: adviseAuthority, canonical: pem.canonical })
      .required()
      .replace()
      .means("who signs in"),
  },
  recorded,
  certified,
);

/** The arguments of a {@link CertificateAuthority}. Specification: Create and update parameters. */
export interface CertificateAuthorityArgs extends ArgsOf<typeof fields> {}

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
export class CertificateAuthority extends resource<
  CertificateAuthority,
  CertificateAuthorityArgs,
  typeof fields
>(
  collection({
    type: "CertificateAuthority",
    noun: "certificate authority",
    group: certificates,
    path: "/certificate_authorities",
    grants: "the service trusts the certificates that the authority issues",
    idPrefix: "ca_",
    columns: ["subjectCommonName", "notAfter", "description"],
    fields,
  }),
) {}

export const [
  getCertificateAuthority,
  getCertificateAuthorityOutput,
  listCertificateAuthorities,
  listCertificateAuthoritiesOutput,
] = readersOf(CertificateAuthority);
