import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { certificates } from "./groups";
import { described, recorded, signed, signedFor } from "./shared-fields";
import type { KeyType } from "./shared-fields";

/** The arguments of an {@link SshHostCertificate}. Specification: Create and update parameters. */
export interface SshHostCertificateArgs {
  /** The authority that signs the certificate (`sshca_…`). Changing it replaces the certificate. */
  sshCertificateAuthorityId: pulumi.Input<string>;
  /**
   * The host's public key to sign, in OpenSSH authorized-keys format, of the type rsa, ecdsa or ed25519. A
   * comment does not count. Changing it replaces the certificate.
   */
  publicKey: pulumi.Input<string>;
  /**
   * The host names and IP addresses that may serve SSH with the certificate, in any order. An empty list means: all
   * hosts. Default: left to the service. Changing them replaces the certificate. If removed: replaced.
   */
  principals?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * From when on the certificate is valid, RFC 3339. Default: now. Changing it replaces the certificate. If removed:
   * replaced.
   */
  validAfter?: pulumi.Input<string>;
  /**
   * The end of the validity, RFC 3339; it must be in the future when the certificate is created. Default: one year
   * after its creation. Changing it replaces the certificate. If removed: replaced.
   */
  validUntil?: pulumi.Input<string>;
  /**
   * How many hours the certificate is valid, from `validAfter` or from its creation: each creation computes
   * `validUntil` from it. More than 0 and at most 50000000, and not with `validUntil`. Never sent; a change takes
   * effect when the next certificate is created. Default: one year. If removed: nothing is sent.
   */
  validForHours?: pulumi.Input<number>;
  /**
   * How many hours before its end the certificate is replaced by a new one, by the first deployment after that: more
   * than 0 and less than `validForHours`, or than 8760 without it, and neither with `validAfter` nor with
   * `validUntil`. Never sent. Default: it is never renewed. If removed: nothing is sent.
   */
  earlyRenewalHours?: pulumi.Input<number>;
  /** What the certificate is for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const sshHostCertificate: Declaration = collection<SshHostCertificateArgs, SshHostCertificate>({
  type: "SshHostCertificate",
  noun: "SSH host certificate",
  group: certificates,
  path: "/ssh_host_certificates",
  grants: "whoever holds its private key may serve SSH as its hosts",
  idPrefix: "shcrt_",
  columns: ["principals", "validUntil", "description"],
  fields: {
    ...described(),
    ...signed(),
    ...recorded(),
  },
  ...signedFor(365 * 24, "it is valid for all hosts"),
});

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
export class SshHostCertificate extends resource<SshHostCertificate, SshHostCertificateArgs>(
  sshHostCertificate,
) {
  /** The authority that signed the certificate. */
  declare readonly sshCertificateAuthorityId: pulumi.Output<string>;
  /** The public key that is signed, as the program wrote it. */
  declare readonly publicKey: pulumi.Output<string>;
  /** The type of the public key: `rsa`, `ecdsa` or `ed25519`. */
  declare readonly keyType: pulumi.Output<KeyType>;
  /** The host names and IP addresses that may serve SSH with the certificate; none means all hosts. */
  declare readonly principals: pulumi.Output<string[]>;
  /** From when on the certificate is valid, RFC 3339. */
  declare readonly validAfter: pulumi.Output<string>;
  /** The end of the validity, RFC 3339. */
  declare readonly validUntil: pulumi.Output<string>;
  /** The signed certificate, in OpenSSH authorized-keys format. */
  declare readonly certificate: pulumi.Output<string>;
  /** What the certificate is for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** The user or bot user that owns the certificate. Undefined if the service does not show it. */
  declare readonly ownerId: pulumi.Output<string | undefined>;
  /** When the certificate was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<SshHostCertificate>>(sshHostCertificate);
/** Reads an SSH host certificate by its id, or the only one that a filter matches. Specification: SSH host certificate. */
export const getSshHostCertificate = readers.get;
/** {@link getSshHostCertificate} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getSshHostCertificateOutput = readers.getOutput;
/** Lists all SSH host certificates. Specification: SSH host certificate. */
export const listSshHostCertificates = readers.list;
/** {@link listSshHostCertificates} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listSshHostCertificatesOutput = readers.listOutput;
