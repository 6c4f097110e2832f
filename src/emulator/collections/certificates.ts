import type { X509Certificate } from "node:crypto";
import { z } from "zod";
import { invalid } from "../http/errors";
import { pem } from "../http/normalise";
import { CERTIFICATE_AUTHORITIES, TLS_CERTIFICATES } from "../paths";
import { described, text } from "../http/validation";
import { certificateFields, maySign, readChain, readPrivateKey, unknownFields } from "../keys/x509";
import { collection } from "./collection";

export const certificateAuthorities = collection({
  path: CERTIFICATE_AUTHORITIES,
  prefix: "ca_",
  listKey: "certificate_authorities",
  noun: "certificate authority",
  create: z.strictObject({ ...described, ca_pem: text }),
  undocumentedUpdate: z.strictObject(described),
  build: (input, context) => {
    const { subject_common_name, not_before, not_after, key_usages, extended_key_usages } = context.isOpaque(
      input.ca_pem,
    )
      ? unknownFields(input.ca_pem)
      : authorityFields(input.ca_pem);
    return { ...input, subject_common_name, not_before, not_after, key_usages, extended_key_usages };
  },
  response: ({ description: _d, metadata: _m, ca_pem, ...read }, { normalise }) => ({
    ca_pem: normalise ? pem(ca_pem) : ca_pem,
    ...read,
  }),
});

export const tlsCertificates = collection({
  path: TLS_CERTIFICATES,
  prefix: "cert_",
  listKey: "tls_certificates",
  noun: "TLS certificate",
  create: z.strictObject({ ...described, certificate_pem: text, private_key_pem: text }),
  undocumentedUpdate: z.strictObject(described),
  // Authentication 3: a certificate is owned by the authenticated principal.
  build: ({ private_key_pem, ...input }, { principal, isOpaque }) => {
    const own = { owner_id: principal.id, issued_at: null };
    if (isOpaque(input.certificate_pem)) return { ...input, ...unknownFields(input.certificate_pem), ...own };
    const chain = readChain(input.certificate_pem);
    if (typeof chain === "string") throw invalid("certificate_pem", chain);
    const [leaf] = chain;
    if (leaf === undefined) throw invalid("certificate_pem", "must be a PEM-encoded certificate");
    if (!isOpaque(private_key_pem)) requireKeyOf(chain, leaf, private_key_pem);
    if (chain.some((each) => each.checkIssued(leaf) && !leaf.checkIssued(each) && !each.raw.equals(leaf.raw)))
      throw invalid("certificate_pem", "the leaf certificate must come first");
    const read = certificateFields(leaf);
    if (read.private_key_type === undefined)
      throw invalid("private_key_pem", "must be an rsa, ecdsa or ed25519 key");
    // The private key is not stored, because no response has it.
    return { ...input, ...read, ...own };
  },
  response: ({ description: _d, metadata: _m, certificate_pem, ...read }, { normalise }) => ({
    certificate_pem: normalise ? pem(certificate_pem) : certificate_pem,
    ...read,
  }),
});

function authorityFields(pem: string): ReturnType<typeof certificateFields> {
  const chain = readChain(pem);
  if (typeof chain === "string") throw invalid("ca_pem", chain);
  const [first] = chain;
  if (first === undefined || !chain.every(maySign))
    throw invalid("ca_pem", "must be a certificate authority");
  return certificateFields(first);
}

function requireKeyOf(chain: X509Certificate[], leaf: X509Certificate, privateKey: string): void {
  const key = readPrivateKey(privateKey);
  if (key === undefined)
    throw invalid("private_key_pem", "must be a private key in PEM without a passphrase");
  if (leaf.checkPrivateKey(key)) return;
  throw chain.some((each) => each.checkPrivateKey(key))
    ? invalid("certificate_pem", "the leaf certificate must come first")
    : invalid("private_key_pem", "does not match the leaf of certificate_pem");
}
