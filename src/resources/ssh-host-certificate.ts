import { together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { certificates, getOf, listOf, resource } from "./collection";
import { described, issued, recorded, signed, signedFor, signedParts } from "./shared-fields";

const own = {
  /**
   * The host names and IP addresses that may serve SSH with the certificate, in any order. An empty list means: all
   * hosts. Default: left to the service. Changing them replaces the certificate.
   */
  principals: signedParts.principals,
  /**
   * The end of the validity, RFC 3339; it must be in the future when the certificate is created. Default: one year
   * after its creation. Changing it replaces the certificate.
   */
  validUntil: signedParts.validUntil,
};

const fields = together(described, signed, own, issued, recorded);

/** The arguments of an {@link SshHostCertificate}. Specification: Create and update parameters. */
export interface SshHostCertificateArgs extends ArgsOf<typeof fields> {}

/**
 * An SSH host certificate (`shcrt_…`): an SSH certificate authority's signature on a host's public key, by
 * which clients know the host. A replacement is created before the old certificate is deleted.
 *
 * ## Example: a host certificate, renewed a month before its end
 *
 * ```typescript
 * import { readFileSync } from "node:fs";
 * import * as pulumi from "@pulumi/pulumi";
 * import { SshHostCertificate } from "pulumi-tunnel-gateway";
 *
 * const bastion = new SshHostCertificate("bastion", {
 *   sshCertificateAuthorityId: new pulumi.Config().require("sshCertificateAuthorityId"),
 *   publicKey: readFileSync("ssh_host_ed25519_key.pub", "utf8"),
 *   principals: ["bastion.example.com", "203.0.113.10"],
 *   earlyRenewalHours: 30 * 24,
 * });
 * export const certificate = bastion.certificate;
 * ```
 *
 * Specification: SSH host certificate.
 */
export class SshHostCertificate extends resource<SshHostCertificate, SshHostCertificateArgs, typeof fields>({
  type: "SshHostCertificate",
  group: certificates,
  path: "/ssh_host_certificates",
  grants: "everyone who has its private key may serve SSH as its hosts",
  idPrefix: "shcrt_",
  columns: ["principals", "validUntil", "description"],
  fields,
  ...signedFor(365 * 24, "it is valid for all hosts"),
}) {}

export const [getSshHostCertificate, getSshHostCertificateOutput] = getOf(SshHostCertificate);
export const [listSshHostCertificates, listSshHostCertificatesOutput] = listOf(SshHostCertificate);
