import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import {
  adviseCriticalOption,
  adviseCriticalValue,
  adviseExtension,
} from "../schema/formats/ssh-certificate";
import { map, text } from "../schema/kinds";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { addsNoEntry, keepsEntries } from "../schema/meaning";
import { certificates } from "./groups";
import { describedByReplacement, recorded, signed, signedFor } from "./shared-fields";
import type { KeyType } from "./shared-fields";

/** The critical options that the SSH certificate protocol defines. Specification: SSH user certificate. */
export const SshCriticalOption = { ForceCommand: "force-command", SourceAddress: "source-address" } as const;
export type SshCriticalOption = "force-command" | "source-address";

/** The arguments of an {@link SshUserCertificate}. Specification: Create and update parameters. */
export interface SshUserCertificateArgs {
  /** The authority that signs the certificate (`sshca_…`). Changing it replaces the certificate. */
  sshCertificateAuthorityId: pulumi.Input<string>;
  /**
   * The public key to sign, in OpenSSH authorized-keys format, of the type rsa, ecdsa or ed25519. A comment
   * does not count. Changing it replaces the certificate.
   */
  publicKey: pulumi.Input<string>;
  /**
   * The user names that the holder may sign in as, in any order. An empty list means: as any user. Default: left to
   * the service. Changing them replaces the certificate. If removed: replaced.
   */
  principals?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Restrictions that a server must enforce: `force-command`, the only command that may run, and `source-address`,
   * the addresses and ranges to sign in from, with commas between them. Default: left to the service. Changing them
   * replaces the certificate. If removed: replaced.
   */
  criticalOptions?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * The permissions that a server may grant, by name. Most have the value "". Default: `permit-pty` and
   * `permit-user-rc`. Changing them replaces the certificate. If removed: replaced, unless it has its default.
   */
  extensions?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * From when on the certificate is valid, RFC 3339. Default: now. Changing it replaces the certificate. If removed:
   * replaced.
   */
  validAfter?: pulumi.Input<string>;
  /**
   * The end of the validity, RFC 3339; it must be in the future when the certificate is created. Default: 24 hours
   * after its creation. Changing it replaces the certificate. If removed: replaced.
   */
  validUntil?: pulumi.Input<string>;
  /**
   * How many hours the certificate is valid, from `validAfter` or from its creation: each creation computes
   * `validUntil` from it. More than 0 and at most 50000000, and not with `validUntil`. Never sent; a change takes
   * effect when the next certificate is created. Default: 24 hours. If removed: nothing is sent.
   */
  validForHours?: pulumi.Input<number>;
  /**
   * How many hours before its end the certificate is replaced by a new one, by the first deployment after that: more
   * than 0 and less than `validForHours`, or than 24 without it, and neither with `validAfter` nor with `validUntil`.
   * Never sent. Default: it is never renewed. If removed: nothing is sent.
   */
  earlyRenewalHours?: pulumi.Input<number>;
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

const sshUserCertificate: Declaration = collection<SshUserCertificateArgs, SshUserCertificate>({
  type: "SshUserCertificate",
  noun: "SSH user certificate",
  group: certificates,
  path: "/ssh_user_certificates",
  grants: "whoever holds its private key may sign in to the servers of its authority",
  idPrefix: "sucrt_",
  columns: ["principals", "validUntil", "description"],
  fields: {
    ...describedByReplacement(),
    ...signed(),
    criticalOptions: map(text(), { advise: adviseCriticalOption }, adviseCriticalValue)
      .replace()
      .means("who may act", keepsEntries),
    extensions: map(text(), { advise: adviseExtension })
      .replace()
      .means("who may act", addsNoEntry)
      .serviceMayChange()
      .serverDefault({ "permit-pty": "", "permit-user-rc": "" })
      .absentAs({}),
    ...recorded(),
  },
  ...signedFor(24, "its holder may sign in as any user"),
});

/**
 * An SSH user certificate (`sucrt_…`): an SSH certificate authority's signature on a user's public key, with
 * which its holder signs in. A replacement is created before the old certificate is deleted.
 *
 * ## Example: a certificate for one day that every deployment keeps fresh
 *
 * ```typescript
 * import { readFileSync } from "node:fs";
 * import * as pulumi from "@pulumi/pulumi";
 * import { SshUserCertificate } from "pulumi-tunnel-gateway";
 *
 * const deploy = new SshUserCertificate("deploy", {
 *   sshCertificateAuthorityId: new pulumi.Config().require("sshCertificateAuthorityId"),
 *   publicKey: readFileSync("id_ed25519.pub", "utf8"),
 *   principals: ["deploy"],
 *   criticalOptions: { "source-address": "203.0.113.0/24" },
 *   earlyRenewalHours: 6,
 * });
 * export const certificate = deploy.certificate;
 * ```
 *
 * Specification: SSH user certificate.
 */
export class SshUserCertificate extends resource<SshUserCertificate, SshUserCertificateArgs>(
  sshUserCertificate,
) {
  /** The authority that signed the certificate. */
  declare readonly sshCertificateAuthorityId: pulumi.Output<string>;
  /** The public key that is signed, as the program wrote it. */
  declare readonly publicKey: pulumi.Output<string>;
  /** The type of the public key: `rsa`, `ecdsa` or `ed25519`. */
  declare readonly keyType: pulumi.Output<KeyType>;
  /** The user names that the holder may sign in as; none means any. */
  declare readonly principals: pulumi.Output<string[]>;
  /** Restrictions that a server must enforce. */
  declare readonly criticalOptions: pulumi.Output<Record<string, string>>;
  /** What a server may allow. */
  declare readonly extensions: pulumi.Output<Record<string, string>>;
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

const readers = readersOf<ResultOf<SshUserCertificate>>(sshUserCertificate);
/** Reads an SSH user certificate by its id, or the only one that a filter matches. Specification: SSH user certificate. */
export const getSshUserCertificate = readers.get;
/** {@link getSshUserCertificate} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getSshUserCertificateOutput = readers.getOutput;
/** Lists all SSH user certificates. Specification: SSH user certificate. */
export const listSshUserCertificates = readers.list;
/** {@link listSshUserCertificates} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listSshUserCertificatesOutput = readers.listOutput;
