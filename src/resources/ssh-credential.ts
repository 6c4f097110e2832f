import * as acl from "../schema/formats/acl";
import * as sshKey from "../schema/formats/ssh-key";
import { isEmptyList } from "../schema/unknown";
import { about, advisory, comparedByOwnRule, presenceOnly, set, text, together } from "../schema/words";
import type { ArgsOf } from "../schema/words";
import { credentials, getOf, listOf, resource } from "./collection";
import { described, owned, recorded } from "./shared-fields";

const emptyAcl =
  'is empty, which services treat as no restriction: list what the credential may bind, or write ["*"]';

const own = {
  /**
   * The public key of the key pair that agents authenticate with, in PEM or OpenSSH form, of any type that OpenSSH
   * writes, such as `ssh-ed25519` or `sk-ssh-ed25519@openssh.com`. A small RSA key is a warning. Another key replaces
   * the credential; another spelling of the same key changes nothing.
   */
  publicKey: text({ check: sshKey.checkWithPem, advise: sshKey.advise, canonical: sshKey.canonical })
    .required()
    .replace()
    .means("who may act"),
  /**
   * What the credential may bind, in any order: `bind:<target>` with a domain (`bind:*.example.com`), an address
   * (`bind:1.tcp.example.com:12345`) or a label (`bind:team=web`, `bind:*=web`, `bind:team=*`); or `*`, which permits
   * all. The output is undefined or `["*"]` if there are no restrictions. Default: `["*"]`, no restrictions.
   */
  // Services answer [], null or nothing for a credential without restrictions.
  acl: set(text(acl))
    .means("who may act", comparedByOwnRule)
    .serverDefault(["*"])
    .noneWhen((rules) => rules.length === 0),
};

const fields = together(own, owned, described, recorded);

/** The arguments of an {@link SshCredential}. Specification: Create and update parameters, /ssh_credentials. */
export interface SshCredentialArgs extends ArgsOf<typeof fields> {}

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
export class SshCredential extends resource<SshCredential, SshCredentialArgs, typeof fields>({
  type: "SshCredential",
  group: credentials,
  path: "/ssh_credentials",
  grants: "everyone who has its private key may start tunnels",
  idPrefix: "sshcr_",
  columns: ["description", "ownerId", "acl", "createdAt"],
  fields,
  rules: [advisory(presenceOnly(about("acl", [], ({ acl }) => (isEmptyList(acl) ? emptyAcl : undefined))))],
  address: "publicKey",
  unique: ["publicKey"],
}) {}

export const [getSshCredential, getSshCredentialOutput] = getOf(SshCredential);
export const [listSshCredentials, listSshCredentialsOutput] = listOf(SshCredential);
