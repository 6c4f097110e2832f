import type * as pulumi from "@pulumi/pulumi";
import { collection } from "../schema/declaration";
import type { Declaration } from "../schema/declaration";
import * as acl from "../schema/formats/acl";
import * as sshKey from "../schema/formats/ssh-key";
import { set, text } from "../schema/kinds";
import { about, advisory, presenceOnly } from "../schema/rules";
import { isEmptyList } from "../schema/unknown";
import { readersOf } from "../account/readers";
import type { ResultOf } from "../account/readers";
import { resource } from "../runtime/resource-class";
import { comparedByOwnRule } from "../schema/meaning";
import { credentials } from "./groups";
import { described, owned, recorded } from "./shared-fields";

/** The arguments of an {@link SshCredential}. Specification: Create and update parameters, /ssh_credentials. */
export interface SshCredentialArgs {
  /**
   * The public key of the key pair that agents authenticate with, in PEM or OpenSSH form, of any type that OpenSSH
   * writes, such as `ssh-ed25519` or `sk-ssh-ed25519@openssh.com`. A small RSA key is a warning. Another key replaces the credential; another spelling of the same key changes nothing.
   */
  publicKey: pulumi.Input<string>;
  /**
   * What the credential may bind, in any order: `bind:<target>` with a domain (`bind:*.example.com`), an address
   * (`bind:1.tcp.example.com:12345`) or a label (`bind:team=web`, `bind:*=web`, `bind:team=*`); or `*`, which permits
   * all. Default: `["*"]`, no restrictions. If removed: its default again.
   */
  acl?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * The user (`usr_…`) or bot user (`bot_…`) that owns the credential. Only admins may set an owner other than
   * themselves. Default: the owner of the key that Pulumi works with. Changing or removing it replaces the
   * credential. If removed: replaced.
   */
  ownerId?: pulumi.Input<string>;
  /** What the credential is used for. At most 255 bytes. Default: none. If removed: cleared. */
  description?: pulumi.Input<string>;
  /** Machine-readable data of your own. At most 4096 bytes. Default: none. If removed: cleared. */
  metadata?: pulumi.Input<string>;
}

const emptyAcl =
  'is empty, which services treat as no restriction: list what the credential may bind, or write ["*"]';

const sshCredential: Declaration = collection<SshCredentialArgs, SshCredential>({
  type: "SshCredential",
  noun: "SSH credential",
  group: credentials,
  path: "/ssh_credentials",
  grants: "whoever holds its private key may start tunnels",
  idPrefix: "sshcr_",
  columns: ["description", "ownerId", "acl", "createdAt"],
  fields: {
    publicKey: text({ check: sshKey.checkWithPem, advise: sshKey.advise, canonical: sshKey.canonical })
      .required()
      .replace()
      .means("who may act"),
    // Services answer [], null or nothing for a credential without restrictions.
    acl: set(text(acl))
      .means("who may act", comparedByOwnRule)
      .serverDefault(["*"])
      .noneWhen((rules) => rules.length === 0),
    ...owned(),
    ...described(),
    ...recorded(),
  },
  rules: [advisory(presenceOnly(about("acl", [], ({ acl }) => (isEmptyList(acl) ? emptyAcl : undefined))))],
  address: "publicKey",
  unique: ["publicKey"],
});

/**
 * An SSH credential (`sshcr_…`): a public key whose holder may start tunnels through the SSH gateway, as far
 * as its ACL goes. A replacement with the same key deletes the old credential first.
 *
 * ## Example: a credential that may bind one domain and the labels of one team
 *
 * ```typescript
 * import { SshCredential } from "pulumi-tunnel-gateway";
 *
 * new SshCredential("web-team", {
 *   publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl web-team",
 *   acl: ["bind:*.web.example.com", "bind:team=web"],
 * });
 * ```
 *
 * Specification: SSH credential, ACL rules, and Authentication 3 and 5.
 */
export class SshCredential extends resource<SshCredential, SshCredentialArgs>(sshCredential) {
  /** The public key, as the program wrote it. */
  declare readonly publicKey: pulumi.Output<string>;
  /** The ACL rules. Undefined or `["*"]` if there are no restrictions. */
  declare readonly acl: pulumi.Output<string[] | undefined>;
  /** The user or bot user that owns the credential. */
  declare readonly ownerId: pulumi.Output<string>;
  /** What the credential is used for. */
  declare readonly description: pulumi.Output<string | undefined>;
  /** Machine-readable data of your own. */
  declare readonly metadata: pulumi.Output<string | undefined>;
  /** When the credential was created, RFC 3339. */
  declare readonly createdAt: pulumi.Output<string>;
}

const readers = readersOf<ResultOf<SshCredential>>(sshCredential);
/** Reads an SSH credential by its id, or the only one that a filter matches. Specification: SSH credential. */
export const getSshCredential = readers.get;
/** {@link getSshCredential} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const getSshCredentialOutput = readers.getOutput;
/** Lists all SSH credentials. Specification: SSH credential. */
export const listSshCredentials = readers.list;
/** {@link listSshCredentials} with Outputs as arguments and an Output as result; secrets are encrypted. */
export const listSshCredentialsOutput = readers.listOutput;
