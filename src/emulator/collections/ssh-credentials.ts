import { createPublicKey } from "node:crypto";
import { z } from "zod";
import { membersSet } from "../copied";
import { invalid } from "../http/errors";
import { pem } from "../http/normalise";
import { owner, rejectForeignOwner } from "../owners";
import { SSH_CREDENTIALS } from "../paths";
import { canonicalKey, canonicalOtherKey, readAuthorizedKey } from "../keys/ssh";
import { described, id, text } from "../http/validation";
import { collection } from "./collection";

/** ACL rules 2 to 5 of the SSH credential: a target, a domain with a leading wildcard, a label with wildcards, or all. */
const RULE = /^(\*|bind:((\*\.)?[^*=\s\p{Cc}]+|(\*|[^*=\p{Cc}]+)=(\*|[^*=\p{Cc}]*)))$/u;
const acl = z.array(
  text.refine((rule) => RULE.test(rule), {
    error: "must be *, bind:<target>, bind:*.<suffix>, bind:*=<value> or bind:<key>=*",
  }),
);

export const sshCredentials = collection({
  path: SSH_CREDENTIALS,
  prefix: "sshcr_",
  listKey: "ssh_credentials",
  noun: "SSH credential",
  create: z.strictObject({
    ...described,
    acl: acl.optional(),
    public_key: text,
    owner_id: id("usr_", "bot_").optional(),
  }),
  update: z.strictObject({ ...described, acl: acl.optional() }),
  build: ({ owner_id, ...input }, context) => {
    const key = canonicalPublicKey(input.public_key);
    if (key === undefined && !context.isOpaque(input.public_key))
      throw invalid("public_key", "must be a public key in PEM or in OpenSSH authorized-keys format");
    return { ...input, owner_id: owner(context, owner_id), key: key };
  },
  copied: (answer) => ({ ...membersSet(answer), key: canonicalPublicKey(String(answer.public_key)) }),
  beforeUpdate: (body, context) => rejectForeignOwner(context, (body as { owner_id?: unknown }).owner_id),
  response: ({ public_key, acl, owner_id }, { normalise }) => ({
    public_key: normalise && public_key.startsWith("-----") ? pem(public_key) : public_key,
    acl: acl ?? null,
    owner_id,
  }),
  unique: ({ key }) => ({ public_key: key }),
});

/** The specification says PEM, of any type; services of this kind take the authorized-keys format too. */
function canonicalPublicKey(publicKey: string): string | undefined {
  const ssh = readAuthorizedKey(publicKey);
  if (ssh !== undefined) return canonicalKey(ssh.key);
  const other = canonicalOtherKey(publicKey);
  if (other !== undefined) return other;
  // Node would also derive a public key from a private one.
  if (!/^\s*-----BEGIN (RSA |EC )?PUBLIC KEY-----/.test(publicKey)) return undefined;
  try {
    return canonicalKey(createPublicKey(publicKey));
  } catch {
    return undefined;
  }
}
