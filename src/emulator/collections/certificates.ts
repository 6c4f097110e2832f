import { z } from "zod";
import { invalid } from "../http/errors";
import { pem } from "../http/normalise";
import { CERTIFICATE_AUTHORITIES, TLS_CERTIFICATES } from "../paths";
import { described, text } from "../http/validation";
import { certificateFields, maySign, readChain, readPrivateKey } from "../keys/x509";
import { collection } from "./collection";

export const certificateAuthorities = collection({
  path: CERTIFICATE_AUTHORITIES,
  prefix: "ca_",
  listKey: "certificate_authorities",
  noun: "certificate authority",
  create: z.strictObject({ ...described, ca_pem: text }),
  undocumentedUpdate: z.strictObject(described),
  build: (input) => {
    const chain = readChain(input.ca_pem);
    if (typeof chain === "string") throw invalid("ca_pem", chain);
    const [first] = chain;
    if (first === undefined || !chain.every(maySign))
      throw invalid("ca_pem", "must be a certificate authority");
    const { subject_common_name, not_before, not_after, key_usages, extended_key_usages } =
      certificateFields(first);
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
  build: ({ private_key_pem, ...input }, { principal }) => {
    const chain = readChain(input.certificate_pem);
    if (typeof chain === "string") throw invalid("certificate_pem", chain);
    const key = readPrivateKey(private_key_pem);
    if (key === undefined)
      throw invalid("private_key_pem", "must be a private key in PEM without a passphrase");
    const [leaf] = chain;
    if (leaf === undefined) throw invalid("certificate_pem", "must be a PEM-encoded certificate");
    if (!leaf.checkPrivateKey(key)) {
      throw chain.some((each) => each.checkPrivateKey(key))
        ? invalid("certificate_pem", "the leaf certificate must come first")
        : invalid("private_key_pem", "does not match the leaf of certificate_pem");
    }
    if (chain.some((each) => each.checkIssued(leaf) && !leaf.checkIssued(each) && !each.raw.equals(leaf.raw)))
      throw invalid("certificate_pem", "the leaf certificate must come first");
    const read = certificateFields(leaf);
    if (read.private_key_type === undefined)
      throw invalid("private_key_pem", "must be an rsa, ecdsa or ed25519 key");
    // The private key is not stored, because no response has it.
    return { ...input, ...read, owner_id: principal.id, issued_at: null };
  },
  response: ({ description: _d, metadata: _m, certificate_pem, ...read }, { normalise }) => ({
    certificate_pem: normalise ? pem(certificate_pem) : certificate_pem,
    ...read,
  }),
});
