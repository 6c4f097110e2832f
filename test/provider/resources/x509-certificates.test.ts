import { unknown } from "../../../src/schema/unknown";
import { makeCertificate } from "../../support/x509";
import { secretPaths } from "../../support/in-process/values";
import { adviceOnArguments } from "../../../src/schema/validate";
import { Life, problems } from "../../support/life";
import { declarationOf } from "../../../src/resources/registry";

const authority = declarationOf("CertificateAuthority");
const tls = declarationOf("TlsCertificate");

const root = makeCertificate({ ca: true });
const leaf = makeCertificate({ issuer: root, dnsNames: ["www.example.com"] });
const renewed = makeCertificate({ issuer: root, dnsNames: ["www.example.com"] });
const args = { certificatePem: leaf.pem + root.pem, privateKeyPem: leaf.privateKeyPem };

const read = ({ private_key_pem: _, ...body }: Record<string, unknown>): Record<string, unknown> => ({
  ...body,
  subject_common_name: "leaf.example.com",
  subject_alternative_names: { dns_names: ["www.example.com"], ips: null },
  issued_at: null,
  not_before: "2030-01-01T00:00:00Z",
  not_after: "2030-04-01T00:00:00Z",
  key_usages: ["digitalSignature"],
  extended_key_usages: null,
  private_key_type: "ecdsa",
  subject_country: "",
});

test("outputs are what the service reads from the certificate; lists are never missing", async () => {
  const state = await new Life(tls, read).create(args);
  expect(state).toMatchObject({
    ...args,
    subjectAlternativeNames: { dnsNames: ["www.example.com"], ips: [] },
    keyUsages: ["digitalSignature"],
    extendedKeyUsages: [],
    privateKeyType: "ecdsa",
    subjectCountry: "",
  });
  expect(state.issuedAt).toBeNull();
});

test.each([
  ["TlsCertificate", tls, args, "certificatePem", renewed.pem + root.pem],
  ["CertificateAuthority", authority, { caPem: root.pem }, "caPem", makeCertificate({ ca: true }).pem],
] as const)(
  "another PEM replaces a %s, create first; white space is no change",
  async (_type, declaration, given, name, other) => {
    const life = new Life(declaration, (body) => read({ ...body }));
    const state = await life.create(given);
    const value = (given as Record<string, string>)[name]!;
    expect(await life.diff(state, { ...given, [name]: value.trim().replace(/\n/g, "\r\n") })).toBe("none");
    const next =
      name === "certificatePem"
        ? { certificatePem: other, privateKeyPem: renewed.privateKeyPem }
        : { caPem: other };
    expect(await life.cycle.diff("id_1", state, next)).toMatchObject({
      replaces: Object.keys(next),
      deleteBeforeReplace: false,
    });
  },
);

test.each([
  ["TlsCertificate", tls, args],
  ["CertificateAuthority", authority, { caPem: root.pem }],
] as const)(
  "a description replaces a %s, unless the user knows of an update",
  async (_type, declaration, given) => {
    const life = new Life(declaration, read);
    const state = await life.create(given);
    expect(await life.diff(state, { ...given, metadata: "x" })).toBe("replace: metadata");
    const existing = { certificate_pem: args.certificatePem, ca_pem: root.pem };
    const patching = new Life(declaration, (body) => read({ ...existing, ...body }), {
      patchUndocumented: true,
    });
    const after = await patching.update(state, { ...given, metadata: "x" });
    expect(patching.sent).toEqual([{ verb: "update", body: { metadata: "x" } }]);
    expect(await patching.diff(after, { ...given, metadata: "x" })).toBe("none");
  },
);

test("the private key is a secret in all that a hook returns, and a read keeps it", async () => {
  const life = new Life(tls, read);
  expect(secretPaths((await life.cycle.check({}, args)).inputs)).toEqual(["privateKeyPem"]);
  expect(secretPaths((await life.cycle.create(args)).outs)).toEqual(["privateKeyPem"]);
  const state = await life.create(args);
  expect(await life.read(state)).toEqual({ state });
});

test("a key is required to create a certificate, and must be the leaf's", () => {
  const { privateKeyPem: _, ...imported } = args;
  expect(problems(tls, imported, { olds: {} })).toEqual(["privateKeyPem: is required to create the object"]);
  expect(problems(tls, imported, { olds: imported })).toEqual([]);
  const found = problems(tls, { ...args, privateKeyPem: root.privateKeyPem });
  expect(found).toEqual([
    "privateKeyPem: must be the private key of the chain's first certificate; it is that of certificate 2 of 2",
  ]);
  expect(problems(tls, { ...args, privateKeyPem: unknown })).toEqual([]);
  expect(problems(tls, { ...args, certificatePem: unknown })).toEqual([]);
});

test("no problem of a wrong key shows any of it", () => {
  const middle = leaf.privateKeyPem.split("\n")[1]!;
  for (const privateKeyPem of [root.privateKeyPem, leaf.privateKeyPem.replace("BEGIN", "BEGAN"), middle]) {
    const found = problems(tls, { ...args, privateKeyPem }).join("\n");
    expect(found).toMatch(/^privateKeyPem: /);
    expect(found).not.toContain(middle.slice(0, 12));
  }
});

test("a chain out of order and a leaf as an authority are reported at their places", () => {
  expect(problems(tls, { ...args, certificatePem: root.pem + leaf.pem })).toEqual([
    expect.stringMatching(/^certificatePem: must be a chain .* leaf first/),
    expect.stringMatching(/^privateKeyPem: must be the private key of the chain's first certificate/),
  ]);
  expect(problems(authority, { caPem: leaf.pem })).toEqual([]);
  expect(adviceOnArguments(authority, { caPem: leaf.pem })).toEqual([
    expect.stringMatching(/^caPem: is not that of an authority: the basic constraints or key usages/),
  ]);
});

describe("an imported certificate, whose key nobody knows,", () => {
  const { privateKeyPem: _, ...imported } = args;

  async function lookedUp(): Promise<{ life: Life; state: Record<string, unknown> }> {
    const life = new Life(tls, () => read({ certificate_pem: args.certificatePem }));
    const state = { ...(await life.read({})).state, __args: ["certificatePem"] };
    return { life, state };
  }

  test("stays as it is while the program gives none", async () => {
    const { life, state } = await lookedUp();
    expect(await life.diff(state, imported)).toBe("none");
  });

  test("takes a key without a request, and forgets it without one", async () => {
    const { life, state } = await lookedUp();
    expect(await life.diff(state, { ...imported, privateKeyPem: unknown })).toBe("update");
    expect(await life.diff(state, args)).toBe("update");
    const keyed = await life.update(state, args);
    expect(keyed).toMatchObject({
      privateKeyPem: args.privateKeyPem,
      __args: ["certificatePem", "privateKeyPem"],
    });
    expect(await life.diff(keyed, args)).toBe("none");
    expect(await life.diff(keyed, imported)).toBe("update");
    expect((await life.update(keyed, imported)).privateKeyPem).toBeNull();
    expect(life.sent).toEqual([]);
  });

  test("is replaced by another certificate with its key", async () => {
    const { life, state } = await lookedUp();
    const next = { certificatePem: renewed.pem, privateKeyPem: renewed.privateKeyPem };
    expect(await life.diff(state, next)).toBe("replace: certificatePem");
  });
});
