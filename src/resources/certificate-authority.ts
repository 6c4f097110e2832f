import * as certificate from "../schema/formats/certificate";
import { text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { certificates, getOf, listOf, resource } from "./collection";
import { certified, describedByReplacement, recorded } from "./shared-fields";

const own = {
  /** The authority's certificate in PEM, or several. White space does not count. Changing it replaces the authority. */
  caPem: text(certificate.authority).required().replace().means("who signs in"),
};

const fields = together(describedByReplacement, own, recorded, certified);

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
>({
  type: "CertificateAuthority",
  group: certificates,
  path: "/certificate_authorities",
  grants: "the service trusts the certificates that the authority issues",
  idPrefix: "ca_",
  columns: ["subjectCommonName", "notAfter", "description"],
  fields,
}) {}

export const [getCertificateAuthority, getCertificateAuthorityOutput] = getOf(CertificateAuthority);
export const [listCertificateAuthorities, listCertificateAuthoritiesOutput] = listOf(CertificateAuthority);
