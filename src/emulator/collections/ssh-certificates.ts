import { z } from "zod";
import { sshAuthorityKey } from "../keys/authorities";
import { timestamp } from "../clock";
import type { Context } from "../context";
import { invalid } from "../http/errors";
import { SSH_HOST_CERTIFICATES, SSH_USER_CERTIFICATES } from "../paths";
import { readAuthorizedKey, signCertificate } from "../keys/ssh";
import { described, id, map, stringMap, strings, text, time } from "../http/validation";
import { collection } from "./collection";

const common = z.strictObject({
  ...described,
  ssh_certificate_authority_id: id("sshca_"),
  public_key: text,
  principals: strings.optional(),
  valid_after: time.optional(),
  valid_until: time.optional(),
});

/** Only the critical options that the SSH certificate protocol defines. */
const criticalOptions = map<string>((value, key) => {
  if (key !== "force-command" && key !== "source-address") return "must be force-command or source-address";
  return typeof value === "string" ? undefined : "must be of type string";
});

export const sshUserCertificates = collection({
  path: SSH_USER_CERTIFICATES,
  prefix: "sucrt_",
  listKey: "ssh_user_certificates",
  noun: "SSH user certificate",
  create: common.extend({ critical_options: criticalOptions.optional(), extensions: stringMap.optional() }),
  undocumentedUpdate: z.strictObject(described),
  build: (input, context, certificateId) => {
    const critical_options = input.critical_options ?? {};
    const extensions = input.extensions ?? { "permit-pty": "", "permit-user-rc": "" };
    const signed = certify("user", input, context, certificateId, critical_options, extensions);
    return { ...signed, critical_options, extensions };
  },
  response: (fields, context) => ({
    ...responseOf(fields, context),
    critical_options: fields.critical_options,
    extensions: fields.extensions,
  }),
});

export const sshHostCertificates = collection({
  path: SSH_HOST_CERTIFICATES,
  prefix: "shcrt_",
  listKey: "ssh_host_certificates",
  noun: "SSH host certificate",
  create: common,
  update: z.strictObject(described),
  build: (input, context, certificateId) => certify("host", input, context, certificateId, {}, {}),
  response: responseOf,
});

/** Authentication 3: a certificate is owned by the authenticated principal. */
function certify(
  kind: "user" | "host",
  input: z.output<typeof common>,
  context: Context,
  keyId: string,
  criticalOptions: Record<string, string>,
  extensions: Record<string, string>,
) {
  const { id: owner_id } = context.principal;
  const hidden = opaqueIn(context, { ...input, criticalOptions, extensions });
  if (hidden !== undefined) {
    const made = { key_type: hidden, certificate: hidden };
    const times = { valid_after: input.valid_after ?? hidden, valid_until: input.valid_until ?? hidden };
    return { ...input, owner_id, principals: input.principals ?? [], ...times, ...made };
  }
  const key = readAuthorizedKey(input.public_key);
  if (key === undefined) {
    throw invalid(
      "public_key",
      "must be an rsa, ecdsa or ed25519 public key in OpenSSH authorized-keys format",
    );
  }
  const now = context.clock.now();
  const valid_after = input.valid_after ?? timestamp(now);
  const valid_until = input.valid_until ?? timestamp(defaultEnd(kind, now));
  const [validAfter, validBefore] = [seconds(valid_after), seconds(valid_until)];
  if (validAfter < 0) throw invalid("valid_after", "must not be before 1970");
  if (validBefore <= validAfter) throw invalid("valid_until", "must be after valid_after");
  const principals = input.principals ?? [];
  const request = { kind, key, keyId, serial: serial(keyId), principals, criticalOptions, extensions };
  const certificate = signCertificate(
    { ...request, validAfter, validBefore },
    sshAuthorityKey(context, input.ssh_certificate_authority_id),
  );
  return { ...input, owner_id, key_type: key.keyType, principals, valid_after, valid_until, certificate };
}

/** 24 hours for a user certificate, one year for a host certificate. */
function defaultEnd(kind: "user" | "host", now: Date): Date {
  if (kind === "user") return new Date(now.getTime() + 24 * 3600 * 1000);
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + 1);
  return end;
}

const seconds = (text: string) => Math.floor(Date.parse(text) / 1000);

/** Any number that differs from certificate to certificate. */
const serial = (keyId: string) =>
  BigInt(`0x${Buffer.from(keyId.slice(-8)).toString("hex")}`) & 0x7fffffffffffffffn;

function responseOf(fields: ReturnType<typeof certify>, { normalise }: Context) {
  const shown = (text: string) =>
    normalise && !Number.isNaN(Date.parse(text)) ? timestamp(new Date(text)) : text;
  return {
    owner_id: fields.owner_id,
    public_key: fields.public_key,
    key_type: fields.key_type,
    ssh_certificate_authority_id: fields.ssh_certificate_authority_id,
    principals: fields.principals,
    valid_after: shown(fields.valid_after),
    valid_until: shown(fields.valid_until),
    certificate: fields.certificate,
  };
}

/** The first text that stands for an unknown value, at any depth. */
function opaqueIn(context: Pick<Context, "isOpaque">, value: unknown): string | undefined {
  if (typeof value === "string") return context.isOpaque(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const found = context.isOpaque(key) ? key : opaqueIn(context, member);
    if (found !== undefined) return found;
  }
  return undefined;
}
