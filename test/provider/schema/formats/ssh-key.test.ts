import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { openSshKey, sshLine } from "../../../support/ssh";
import { Chance } from "../../../worlds/chance";
import { sshKey } from "./formats";
import { same } from "./support";

const keys: Record<string, KeyObject> = {
  "ssh-rsa": generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey,
  "ecdsa-sha2-nistp256": generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey,
  "ecdsa-sha2-nistp384": generateKeyPairSync("ec", { namedCurve: "P-384" }).publicKey,
  "ecdsa-sha2-nistp521": generateKeyPairSync("ec", { namedCurve: "P-521" }).publicKey,
  "ssh-ed25519": generateKeyPairSync("ed25519").publicKey,
};
const chance = new Chance(1);
const ed25519 = openSshKey(keys["ssh-ed25519"]!);

test.each(Object.keys(keys))(
  "A key of the type %s is right in OpenSSH and in PEM form, which are one key",
  (name) => {
    const line = openSshKey(keys[name]!);
    const pem = keys[name]!.export({ type: "spki", format: "pem" }).toString();
    expect(sshKey.check(line)).toBeUndefined();
    expect(sshKey.check(`${line} me@host, 2030 🎉`)).toBeUndefined();
    expect(sshKey.checkWithPem(line)).toBeUndefined();
    expect(sshKey.checkWithPem(pem)).toBeUndefined();
    expect(sshKey.check(pem)).toContain("it is in PEM form");
    expect(same(sshKey, line, pem)).toBe(true);
    expect(sshKey.canonical(`  ${line}\tcomment \n`)).toBe(line);
  },
);

test("The PKCS #1 form of an RSA key is that key too", () => {
  const pem = keys["ssh-rsa"]!.export({ type: "pkcs1", format: "pem" }).toString();
  expect(sshKey.checkWithPem(pem)).toBeUndefined();
  expect(same(sshKey, pem, openSshKey(keys["ssh-rsa"]!))).toBe(true);
});

test("Comment and white space do not make two keys, the key does", () => {
  expect(same(sshKey, ed25519, ` ${ed25519}  other\n`)).toBe(true);
  expect(same(sshKey, ed25519, openSshKey(keys["ssh-rsa"]!))).toBe(false);
  expect(same(sshKey, "no key", "no key ")).toBe(false);
});

const rsa = keys["ssh-rsa"]!.export({ format: "jwk" });
const point = keys["ecdsa-sha2-nistp256"]!.export({ format: "jwk" });
const besideY = Buffer.from(point.y!, "base64url");
besideY[besideY.length - 1]! ^= 1;
const besideCurve = Buffer.concat([Buffer.of(4), Buffer.from(point.x!, "base64url"), besideY]);

test.each([
  ["empty", "", "it lacks a type or the key behind it"],
  ["without key", "ssh-ed25519", "it lacks a type or the key behind it"],
  ["without type", ed25519.split(" ")[1]!, "it lacks a type or the key behind it"],
  ["with options", `no-pty ${ed25519}`, "it does not begin with the name of a type"],
  ["two keys", `${ed25519}\n${ed25519}`, "it has more than one line"],
  ["cut", ed25519.slice(0, 40), "the key behind the type is not complete"],
  ["not base64", ed25519.replace("AAAAC3", "AAAA#3"), "the key behind the type is not complete"],
  [
    "of another inner type",
    `ssh-rsa ${ed25519.split(" ")[1]}`,
    "the key is of another type than the word before it",
  ],
  [
    "of a short ed25519 key",
    sshLine("ssh-ed25519", chance.bytes(31)),
    "the key behind the type is not valid",
  ],
  [
    "followed by a field",
    sshLine("ssh-ed25519", chance.bytes(32), Buffer.of(1)),
    "the key behind the type is not valid",
  ],
  [
    "off the curve",
    sshLine("ecdsa-sha2-nistp256", Buffer.from("nistp256"), besideCurve),
    "the key behind the type is not valid",
  ],
  [
    "of another curve",
    sshLine("ecdsa-sha2-nistp384", Buffer.from("nistp256"), chance.bytes(97)),
    "not valid",
  ],
  ["an even modulus", sshLine("ssh-rsa", Buffer.of(1, 0, 1), Buffer.alloc(256, 0x7e)), "not valid"],
  ["an exponent of one", sshLine("ssh-rsa", Buffer.of(1), Buffer.from(rsa.n!, "base64url")), "not valid"],
  ["a negative modulus", sshLine("ssh-rsa", Buffer.of(1, 0, 1), Buffer.alloc(256, 0xff)), "not valid"],
  ["an empty modulus", sshLine("ssh-rsa", Buffer.of(1, 0, 1), Buffer.alloc(0)), "not valid"],
  ["of the type ssh-dss without numbers", "ssh-dss AAAAB3NzaC1kc3M=", "not valid"],
  ["on a token and cut", "sk-ssh-ed25519@openssh.com AAAA", "the key behind the type is not complete"],
  [
    "on a token and without its application",
    sshLine("sk-ssh-ed25519@openssh.com", chance.bytes(32)),
    "not valid",
  ],
  [
    "a certificate",
    "ssh-ed25519-cert-v01@openssh.com AAAA",
    "it is a certificate, and must be the key that it signs",
  ],
  [
    "in SSH2 form",
    "---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----",
    "it is in SSH2 form",
  ],
])("A key that is %s is refused", (_, value, reason) => {
  expect(sshKey.check(value)).toMatch(
    /^must be a public key of the type rsa, ecdsa or ed25519 in OpenSSH form /,
  );
  expect(sshKey.checkWithPem(value)).toMatch(/^must be a public key in OpenSSH form .* or in PEM form; /);
  for (const check of [sshKey.check, sshKey.checkWithPem]) expect(check(value)).toContain(reason);
  expect(sshKey.advise(value)).toBeUndefined();
  expect(sshKey.canonical(value)).toBe(value);
});

test.each([
  ["a certificate request", "CERTIFICATE REQUEST", chance.bytes(9), "it is a certificate request"],
  ["garbage", "PUBLIC KEY", chance.bytes(9), "it does not parse"],
])("A PEM text of %s is refused", (_, label, der, reason) => {
  expect(
    sshKey.checkWithPem(`-----BEGIN ${label}-----\n${der.toString("base64")}\n-----END ${label}-----\n`),
  ).toContain(reason);
});

const dsa = generateKeyPairSync("dsa", { modulusLength: 1024, divisorLength: 160 }).publicKey;
// Made with ssh-keygen -t dsa: the numbers p, q, g and y.
const others = {
  "ssh-dss": sshLine(
    "ssh-dss",
    ...[129, 21, 128, 128].map((length) => Buffer.concat([Buffer.of(1), chance.bytes(length)])),
  ),
  "sk-ssh-ed25519@openssh.com": sshLine("sk-ssh-ed25519@openssh.com", chance.bytes(32), Buffer.from("ssh:")),
  "sk-ecdsa-sha2-nistp256@openssh.com": sshLine(
    "sk-ecdsa-sha2-nistp256@openssh.com",
    Buffer.from("nistp256"),
    Buffer.concat([Buffer.of(4), chance.bytes(64)]),
    Buffer.from("ssh:"),
  ),
  "ssh-mldsa44-ed25519@openssh.com": sshLine("ssh-mldsa44-ed25519@openssh.com", chance.bytes(1344)),
};

test.each(Object.entries(others))(
  "A key of the type %s is a credential's key, and a certificate's only where it is on a security token",
  (name, value) => {
    expect(sshKey.checkWithPem(`${value} me@host`)).toBeUndefined();
    expect(sshKey.advise(value)).toBeUndefined();
    expect(same(sshKey, value, ` ${value}\tother\n`)).toBe(true);
    expect(same(sshKey, value, sshLine(name, chance.bytes(9)))).toBe(false);
    if (name.startsWith("sk-")) {
      expect(sshKey.check(value)).toBeUndefined();
      expect(sshKey.adviseSigned(value)).toMatch(/^is a key on a security token, .* services may refuse it$/);
      expect(
        sshKey.check(sshLine(name, chance.bytes(9), chance.bytes(9), chance.bytes(9), chance.bytes(9))),
      ).toBeDefined();
    } else {
      expect(sshKey.check(value)).toMatch(/^must be a public key of the type rsa, .* it is of another type$/);
    }
  },
);

test("The PEM form of a DSA key is the key of its OpenSSH form", () => {
  const pem = dsa.export({ type: "spki", format: "pem" }).toString();
  expect(sshKey.checkWithPem(pem)).toBeUndefined();
  expect(sshKey.canonical(pem)).toMatch(/^ssh-dss AAAAB3NzaC1kc3MAAA/);
  expect(sshKey.checkWithPem(sshKey.canonical(pem))).toBeUndefined();
  expect(same(sshKey, pem, `${sshKey.canonical(pem)} me@host`)).toBe(true);
});

test.each([
  ["ed448", generateKeyPairSync("ed448").publicKey],
  ["secp256k1", generateKeyPairSync("ec", { namedCurve: "secp256k1" }).publicKey],
])("A PEM key of the type %s, which OpenSSH does not know, is accepted with a warning", (_, key) => {
  const pem = key.export({ type: "spki", format: "pem" }).toString();
  expect(sshKey.checkWithPem(pem)).toBeUndefined();
  expect(sshKey.advise(pem)).toBe("is a key of a type that OpenSSH does not know");
  expect(same(sshKey, pem, pem.trimEnd())).toBe(true);
});

test("An RSA key of fewer than 2048 bits is accepted with a warning, in both forms and for certificates too", () => {
  for (const modulusLength of [768, 1024, 2047]) {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength });
    const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
    expect(sshKey.checkWithPem(pem)).toBeUndefined();
    expect(sshKey.check(sshKey.canonical(pem))).toBeUndefined();
    for (const value of [pem, sshKey.canonical(pem)]) {
      expect(sshKey.advise(value)).toBe(
        `is an RSA key of ${modulusLength} bits; services may refuse fewer than 2048 and more than 16384 bits`,
      );
    }
  }
  expect(sshKey.advise(openSshKey(keys["ssh-rsa"]!))).toBeUndefined();
});

test("A private key in the public one's place is reported and not shown", () => {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  for (const check of [sshKey.check, sshKey.checkWithPem]) {
    expect(check(pem)).toContain("it is a private key");
    expect(check(pem)).not.toContain(pem.split("\n")[1]);
    expect(check("hunter2 hunter3")).not.toContain("hunter");
  }
});
