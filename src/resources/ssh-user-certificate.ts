import * as certificate from "../schema/formats/ssh-certificate";
import { membersOf } from "../schema/unknown";
import { map, text, together } from "../schema/words";
import type { ArgsOf, GivesNoMore } from "../schema/words";
import { certificates, getOf, listOf, resource } from "./collection";
import { describedByReplacement, issued, recorded, signed, signedFor, signedParts } from "./shared-fields";

/** The critical options that the SSH certificate protocol defines. Specification: SSH user certificate. */
export const SshCriticalOption = { ForceCommand: "force-command", SourceAddress: "source-address" } as const;
export type SshCriticalOption = "force-command" | "source-address";

/** All restrictions stay as they are. */
const keepsEntries: GivesNoMore = (old, next) =>
  Object.entries(membersOf(old)).every(([key, value]) => membersOf(next)[key] === value);

const addsNoEntry: GivesNoMore = (old, next) => keepsEntries(next, old);

const own = {
  /**
   * The user names that the holder may sign in as, in any order. An empty list means: as any user. Default: left to
   * the service. Changing them replaces the certificate.
   */
  principals: signedParts.principals,
  /**
   * The end of the validity, RFC 3339; it must be in the future when the certificate is created. Default: 24 hours
   * after its creation. Changing it replaces the certificate.
   */
  validUntil: signedParts.validUntil,
  /**
   * Restrictions that a server must enforce: `force-command`, the only command that may run, and `source-address`,
   * the addresses and ranges to sign in from, with commas between them. Default: left to the service. Changing them
   * replaces the certificate.
   */
  criticalOptions: map(text(), { advise: certificate.adviseCriticalOption }, certificate.adviseCriticalValue)
    .alwaysShown()
    .replace()
    .means("who may act", keepsEntries),
  /**
   * The permissions that a server may grant, by name. Most have the value "". Default: `permit-pty` and
   * `permit-user-rc`. Changing them replaces the certificate.
   */
  extensions: map(text(), { advise: certificate.adviseExtension })
    .replace()
    .means("who may act", addsNoEntry)
    .serviceMayChange()
    .serverDefault({ "permit-pty": "", "permit-user-rc": "" })
    .absentAs({}),
};

const fields = together(describedByReplacement, signed, own, issued, recorded);

/** The arguments of an {@link SshUserCertificate}. Specification: Create and update parameters. */
export interface SshUserCertificateArgs extends ArgsOf<typeof fields> {}

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
export class SshUserCertificate extends resource<SshUserCertificate, SshUserCertificateArgs, typeof fields>({
  type: "SshUserCertificate",
  group: certificates,
  path: "/ssh_user_certificates",
  grants: "everyone who has its private key may sign in to the servers of its authority",
  idPrefix: "sucrt_",
  columns: ["principals", "validUntil", "description"],
  fields,
  ...signedFor(24, "its holder may sign in as any user"),
}) {}

export const [getSshUserCertificate, getSshUserCertificateOutput] = getOf(SshUserCertificate);
export const [listSshUserCertificates, listSshUserCertificatesOutput] = listOf(SshUserCertificate);
