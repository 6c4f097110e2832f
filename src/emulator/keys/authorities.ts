import { generateKeyPairSync } from "node:crypto";
import type { Context } from "../context";
import { dangling } from "../http/errors";
import { SSH_AUTHORITIES } from "../paths";
import { authorityPublicKey } from "./ssh";
import type { Stored } from "../store";

/** Kind and id of the authority that signs operators' client certificates. */
const OPERATOR_AUTHORITY = "/operator_authority";

/**
 * The private key of an SSH certificate authority, generated at first use. The specification has no operations on these
 * authorities, so any id is valid unless the options list them.
 */
export function sshAuthorityKey(context: Context, id: string): string {
  const listed = context.options.sshAuthorities;
  if (listed !== undefined && !listed.includes(id) && context.store.get(SSH_AUTHORITIES, id) === undefined) {
    throw dangling("ssh_certificate_authority_id", "SSH certificate authority");
  }
  return keyOf(context, SSH_AUTHORITIES, id);
}

export const operatorAuthorityKey = (context: Context) =>
  keyOf(context, OPERATOR_AUTHORITY, OPERATOR_AUTHORITY);

/** For tests that check a signature. */
export function sshAuthority({ id, fields }: Stored): { id: string; public_key: string | null } {
  const { private_key, public_key: copied } = fields;
  if (typeof private_key === "string") return { id, public_key: authorityPublicKey(private_key) };
  return { id, public_key: typeof copied === "string" ? copied : null };
}

function keyOf({ store, clock }: Context, kind: string, id: string): string {
  const authority: Stored = store.get(kind, id) ?? store.create(kind, id, clock.stamp(), {});
  if (typeof authority.fields.private_key === "string") return authority.fields.private_key;
  const private_key = generateKeyPairSync("ed25519")
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString();
  store.update(kind, authority, { ...authority.fields, private_key });
  return private_key;
}
