import { generateKeyPairSync } from "node:crypto";
import fc from "../../../support/fast-check";
import { certificate, certificateRequest, pem, privateKey } from "./formats";
import { same } from "./support";
import {
  type CertificateKeyType,
  makeCertificate,
  makeCertificateRequest,
  makeKeyPair,
  pem as writePem,
} from "../../../support/x509";

const types: CertificateKeyType[] = ["rsa", "ecdsa", "ed25519"];
const root = makeCertificate({ ca: true, subject: "Root" });
const intermediate = makeCertificate({ ca: true, subject: "Intermediate", issuer: root, keyType: "ed25519" });
const leaf = makeCertificate({ issuer: intermediate, dnsNames: ["a.example.com"] });
const stranger = makeCertificate({ ca: true, subject: "Stranger" });

test.each(types)(
  "A chain of %s certificates is right from leaf to root, with or without the root",
  (keyType) => {
    const ca = makeCertificate({ ca: true, keyType });
    const end = makeCertificate({ issuer: ca, keyType });
    expect(certificate.checkChain(end.pem)).toBeUndefined();
    expect(certificate.checkChain(end.pem + ca.pem)).toBeUndefined();
    expect(certificate.checkKeyMatches(end.pem + ca.pem, end.privateKeyPem)).toBeUndefined();
    expect(privateKey.check(end.privateKeyPem)).toBeUndefined();
  },
);

test("A chain of three is right, and text between its blocks does not matter", () => {
  expect(
    certificate.checkChain(`subject=leaf\n${leaf.pem}\n\n${intermediate.pem}# root\r\n${root.pem}`),
  ).toBeUndefined();
});

test.each([
  [
    "reversed",
    root.pem + intermediate.pem + leaf.pem,
    "certificate 1 of 3 is the issuer of certificate 2 of 3",
  ],
  ["reversed pair", intermediate.pem + leaf.pem, "certificate 1 of 2 is the issuer of certificate 2 of 2"],
  ["holding the key", leaf.pem + leaf.privateKeyPem, "block 2 is a private key, not a certificate"],
  ["empty", "", "it holds no -----BEGIN line"],
  ["garbage", writePem("CERTIFICATE", Buffer.from("garbage")), "certificate 1 of 1 does not parse"],
  ["cut", leaf.pem.slice(0, 200), "block 1 has no END line"],
  [
    "followed by bytes",
    writePem("CERTIFICATE", Buffer.concat([decode(leaf.pem), Buffer.of(0)])),
    "does not parse",
  ],
  [
    "on one line",
    leaf.pem.replace(/\n/g, " "),
    "block 1 must have its BEGIN and END marks on lines of their own",
  ],
  [
    "indented",
    leaf.pem.replace(/^/gm, "  "),
    "block 1 must have its BEGIN and END marks on lines of their own",
  ],
  [
    "escaped",
    leaf.pem.replace(/(?<=[A-Za-z=])\n(?!-)/g, "\\n"),
    "block 1 has a backslash and n for a line end",
  ],
  ["wrongly ended", leaf.pem.replace("END CERTIFICATE", "END PUBLIC KEY"), "does not fit its BEGIN line"],
])("A chain that is %s is refused with its place", (_, value, reason) => {
  expect(certificate.checkChain(value)).toMatch(/^must be a chain of PEM-encoded certificates, leaf first; /);
  expect(certificate.checkChain(value)).toContain(reason);
});

const crossRoot = makeCertificate({ ca: true, subject: "Old root" });
const crossSigned = makeCertificate({
  ca: true,
  subject: "Root",
  privateKey: root.privateKey,
  issuer: crossRoot,
});

test.each([
  [
    "swapped",
    leaf.pem + root.pem + intermediate.pem,
    "is out of order for most clients: certificate 1 of 3 is not issued by the one after it but by certificate 3 of 3",
  ],
  [
    "cross-signed",
    leaf.pem + intermediate.pem + crossSigned.pem + root.pem,
    "is out of order for most clients: certificate 3 of 4 is not issued by the one after it",
  ],
  [
    "strange",
    leaf.pem + intermediate.pem + stranger.pem,
    "is out of order for most clients: certificate 2 of 3 is not issued by the one after it",
  ],
  [
    "doubled",
    leaf.pem + leaf.pem,
    "is out of order for most clients: certificate 1 of 2 is not issued by the one after it",
  ],
  [
    "with its root",
    leaf.pem + intermediate.pem + root.pem,
    "holds a self-signed root (certificate 3 of 3), which clients ignore",
  ],
])("A chain that is %s is accepted with a warning", (_, value, advice) => {
  expect(certificate.checkChain(value)).toBeUndefined();
  expect(certificate.adviseChain(value)).toBe(advice);
});

test("There is no warning about a chain without its root, a self-signed certificate, and what is no chain", () => {
  for (const value of [leaf.pem + intermediate.pem, leaf.pem, makeCertificate().pem, "wrong"]) {
    expect(certificate.adviseChain(value)).toBeUndefined();
  }
  expect(certificate.adviseChain(leaf.pem + intermediate.pem + crossSigned.pem)).toBeUndefined();
});

test("A certificate that only names its issuer is warned about for its signature", () => {
  const impostor = makeCertificate({ ca: true, subject: "Root" });
  // Without key identifiers only the name tells who the issuer is; the identifier here is the impostor's own.
  const forged = makeCertificate({ issuer: { ...impostor, privateKey: stranger.privateKey } });
  expect(certificate.checkChain(forged.pem + impostor.pem)).toBeUndefined();
  expect(certificate.adviseChain(forged.pem + impostor.pem)).toBe(
    "does not verify: the signature of certificate 1 of 2 is not that of the one after it",
  );
});

test("An authority is one certificate or several, and one that may not sign others is warned about", () => {
  for (const value of [root.pem, root.pem + stranger.pem, leafless("keyCertSign")]) {
    expect(certificate.checkAuthority(value)).toBeUndefined();
    expect(certificate.adviseAuthority(value)).toBeUndefined();
  }
  const reason = "the basic constraints or key usages of certificate 1 of 1 do not let it sign others";
  for (const value of [leaf.pem, leafless("digitalSignature")]) {
    expect(certificate.checkAuthority(value)).toBeUndefined();
    expect(certificate.adviseAuthority(value)).toContain(reason);
  }
  expect(
    certificate.adviseAuthority(makeCertificate({ ca: true, keyUsage: ["digitalSignature"] }).pem),
  ).toContain(reason);
  expect(certificate.adviseAuthority(root.pem + leaf.pem)).toContain("of certificate 2 of 2 do not let");
  expect(certificate.checkAuthority("x")).toMatch(
    /^must be the PEM-encoded certificate of a certificate authority; /,
  );

  /** A certificate without basic constraints. */
  function leafless(usage: "keyCertSign" | "digitalSignature"): string {
    return makeCertificate({ ca: null, keyUsage: [usage] }).pem;
  }
});

test("A self-signed certificate of version 1 is an authority's, and one that says nothing is warned about", () => {
  const old = makeCertificate({ version: 1, subject: "Old authority", keyType: "rsa" });
  expect(certificate.checkAuthority(old.pem)).toBeUndefined();
  expect(certificate.adviseAuthority(old.pem)).toBeUndefined();
  for (const silent of [
    makeCertificate({ version: 1, issuer: old }),
    makeCertificate({ ca: null, keyUsage: [] }),
  ]) {
    expect(certificate.checkAuthority(silent.pem)).toBeUndefined();
    expect(certificate.adviseAuthority(root.pem + silent.pem)).toBe(
      "holds a certificate that does not say that it is an authority's (certificate 2 of 2)",
    );
  }
});

test("A private key is right in the forms PKCS #8, PKCS #1 and SEC 1, with or without the curve before it", () => {
  const [rsa, ecdsa] = [makeKeyPair("rsa").privateKey, makeKeyPair("ecdsa").privateKey];
  const parameters = writePem("EC PARAMETERS", Buffer.from("06082a8648ce3d030107", "hex"));
  const sec1 = ecdsa.export({ type: "sec1", format: "pem" }).toString();
  for (const value of [rsa.export({ type: "pkcs1", format: "pem" }).toString(), sec1, parameters + sec1]) {
    expect(privateKey.check(value)).toBeUndefined();
  }
});

test.each([
  [
    "encrypted",
    makeKeyPair("ed25519").privateKey.export({
      type: "pkcs8",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "x",
    }),
    "it is encrypted",
  ],
  [
    "encrypted in the old form",
    makeKeyPair("rsa").privateKey.export({
      type: "pkcs1",
      format: "pem",
      cipher: "aes-256-cbc",
      passphrase: "x",
    }),
    "it is encrypted",
  ],
  [
    "a public key",
    makeKeyPair("ed25519").publicKey.export({ type: "spki", format: "pem" }),
    "it is a public key",
  ],
  [
    "of the type ed448",
    generateKeyPairSync("ed448").privateKey.export({ type: "pkcs8", format: "pem" }),
    "it is of another type",
  ],
  [
    "of the type rsa-pss",
    generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).privateKey.export({
      type: "pkcs8",
      format: "pem",
    }),
    "it is of another type",
  ],
  ["a certificate", leaf.pem, "it is a certificate"],
  [
    "in OpenSSH form",
    writePem("OPENSSH PRIVATE KEY", Buffer.alloc(64, 7)),
    "it is a private key in OpenSSH's own form",
  ],
  ["under an unknown label", writePem("HUNTER2", Buffer.alloc(64, 7)), "it is something else"],
  ["two keys", leaf.privateKeyPem + root.privateKeyPem, "it holds 2 blocks, and must hold one key alone"],
  ["garbage", writePem("PRIVATE KEY", Buffer.from("garbage")), "it does not parse"],
  ["no PEM", "hunter2", "it holds no -----BEGIN line"],
])("A private key that is %s is refused", (_, value, reason) => {
  expect(privateKey.check(value.toString())).toBe(
    `must be one unencrypted PEM-encoded private key of the type rsa, ecdsa or ed25519; ${reason}`,
  );
});

test("A key that is not the leaf's is refused, and the error names its owner in the chain", () => {
  const chain = leaf.pem + intermediate.pem;
  expect(certificate.checkKeyMatches(chain, leaf.privateKeyPem)).toBeUndefined();
  expect(certificate.checkKeyMatches(chain, intermediate.privateKeyPem)).toBe(
    "must be the private key of the chain's first certificate; it is that of certificate 2 of 2",
  );
  expect(certificate.checkKeyMatches(chain, stranger.privateKeyPem)).toContain(
    "it is of no certificate in the chain",
  );
  expect(certificate.checkKeyMatches("wrong", leaf.privateKeyPem)).toBeUndefined();
  expect(certificate.checkKeyMatches(chain, "wrong")).toBeUndefined();
});

test("No message shows any part of a secret, wherever it was pasted and whatever was broken in it", () => {
  const broken = fc.tuple(
    fc.constantFrom("cut", "flip", "glue", "label"),
    fc.nat(leaf.privateKeyPem.length - 1),
  );
  const secret = leaf.privateKeyPem;
  const starts = Array.from({ length: Math.floor(secret.length / 4) }, (_, i) => 30 + 4 * i);
  const parts = starts
    .map((from) => secret.slice(from, from + 8))
    .filter((part) => /^[A-Za-z0-9+/]{8}$/.test(part));
  expect(parts.length).toBeGreaterThan(20);
  fc.assert(
    fc.property(broken, ([how, at]) => {
      const value = {
        cut: secret.slice(0, at),
        flip: `${secret.slice(0, at)}#${secret.slice(at + 1)}`,
        glue: secret.replace(/\n/g, ""),
        label: secret.replace(/PRIVATE KEY/g, secret.split("\n")[1]!.slice(0, 20)),
      }[how];
      const all = [
        privateKey.check,
        certificateRequest.check,
        certificateRequest.advise,
        certificate.checkChain,
        certificate.checkAuthority,
      ];
      for (const check of all) {
        const clause = check(value) ?? "";
        expect(parts.filter((part) => clause.includes(part))).toEqual([]);
      }
    }),
  );
});

test.each(types)(
  "A certificate request of the type %s is right, also under its old label and with text before it",
  (keyType) => {
    const { pem: request } = makeCertificateRequest({ keyType });
    for (const value of [request, request.replace(/CERTIFICATE/g, "NEW CERTIFICATE"), `CN=x\n${request}`]) {
      expect(certificateRequest.check(value)).toBeUndefined();
      expect(certificateRequest.advise(value)).toBeUndefined();
    }
  },
);

test("What does not read as a certificate request is warned about, every cut of one included", () => {
  const { der: request } = makeCertificateRequest();
  for (let length = 0; length < request.length; length += 1) {
    const value = writePem("CERTIFICATE REQUEST", request.subarray(0, length));
    expect(certificateRequest.check(value)).toBeUndefined();
    expect(certificateRequest.advise(value)).toMatch(
      /^is not a readable PEM-encoded certificate request, and the service may refuse it: /,
    );
  }
  expect(certificateRequest.check(request.toString("base64"))).toBeUndefined();
  expect(certificateRequest.advise(request.toString("base64"))).toContain("it holds no -----BEGIN line");
  expect(certificateRequest.advise(writePem("CERTIFICATE REQUEST", decode(leaf.pem)))).toContain(
    "it does not parse",
  );
  expect(certificateRequest.advise(leaf.pem)).toContain("it is a certificate");
});

test("A private key in the place of a certificate request is refused", () => {
  expect(certificateRequest.check(leaf.privateKeyPem)).toBe(
    "must be a certificate request; it is a private key",
  );
});

test("White space, line ends and text between blocks do not make two PEM texts", () => {
  const chain = leaf.pem + root.pem;
  const others = [
    chain.trimEnd(),
    `\n${chain}\n\n`,
    chain.replace(/\n/g, "\r\n"),
    `# a\n${leaf.pem}b\n${root.pem}`,
  ];
  for (const other of others) {
    expect(same(pem, chain, other)).toBe(true);
    expect(pem.canonical(other)).toBe(chain);
  }
  const rewrapped = chain.replace(/(?<=[A-Za-z0-9+/]{32})(?=[A-Za-z0-9+/=]{32}\n)/g, "\n");
  expect(rewrapped).not.toBe(chain);
  expect(same(pem, chain, rewrapped)).toBe(true);
});

test("Other blocks, another order and other labels make two PEM texts", () => {
  expect(same(pem, leaf.pem, root.pem)).toBe(false);
  expect(same(pem, leaf.pem, leaf.pem + root.pem)).toBe(false);
  expect(same(pem, leaf.pem + root.pem, root.pem + leaf.pem)).toBe(false);
  expect(same(pem, leaf.pem, leaf.pem.replace(/CERTIFICATE/g, "X509 CERTIFICATE"))).toBe(false);
  expect(same(pem, "no PEM", "no PEM")).toBe(true);
  expect(same(pem, "no PEM", "no PEM ")).toBe(false);
});

function decode(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----/g, ""), "base64");
}
