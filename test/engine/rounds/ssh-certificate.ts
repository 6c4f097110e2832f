/** Reads an SSH certificate (PROTOCOL.certkeys of OpenSSH) and checks its signature; imports nothing of the package. */
import { createPublicKey, verify } from "node:crypto";
import { sshFields } from "../../support/ssh";

export interface SshCertificate {
  readonly kind: "user" | "host";
  /** The type of the key that is signed, and the key in base64 as an authorized-keys line holds it. */
  readonly keyType: string;
  readonly publicKey: string;
  readonly keyId: string;
  readonly principals: string[];
  /** Seconds since 1970. */
  readonly validAfter: number;
  readonly validBefore: number;
  readonly criticalOptions: Record<string, string>;
  readonly extensions: Record<string, string>;
  /** The authority's key, in base64. */
  readonly signedBy: string;
  /** Whether the authority signed what is before the signature, with `more` behind it. */
  isSigned(more?: Buffer): boolean;
}

class Reader {
  offset = 0;
  constructor(readonly bytes: Buffer) {}

  string(): Buffer {
    const start = this.offset + 4;
    this.offset = start + this.bytes.readUInt32BE(this.offset);
    if (this.offset > this.bytes.length) throw new RangeError("a string goes beyond the end");
    return this.bytes.subarray(start, this.offset);
  }

  uint32(): number {
    return this.bytes.readUInt32BE((this.offset += 4) - 4);
  }

  uint64(): number {
    return Number(this.bytes.readBigUInt64BE((this.offset += 8) - 8));
  }

  strings(): Buffer[] {
    const all: Buffer[] = [];
    while (this.offset < this.bytes.length) all.push(this.string());
    return all;
  }
}

const named = (bytes: Buffer): Record<string, string> => {
  const reader = new Reader(bytes);
  const entries: [string, string][] = [];
  while (reader.offset < bytes.length) {
    const [name, value] = [reader.string(), reader.string()];
    entries.push([name.toString(), value.length === 0 ? "" : new Reader(value).string().toString()]);
  }
  return Object.fromEntries(entries);
};

/** A certificate for an ed25519 key by an ed25519 authority, as the emulator's are. */
export function readSshCertificate(line: string): SshCertificate {
  const [type, base64 = ""] = line.split(" ");
  const reader = new Reader(Buffer.from(base64, "base64"));
  if (reader.string().toString() !== type || type !== "ssh-ed25519-cert-v01@openssh.com") {
    throw new Error(`no certificate for an ed25519 key: ${type}`);
  }
  reader.string(); // nonce
  const key = reader.string();
  reader.uint64(); // serial
  const kind = ({ 1: "user", 2: "host" } as const)[reader.uint32()]!;
  const keyId = reader.string().toString();
  const principals = new Reader(reader.string()).strings().map(String);
  const [validAfter, validBefore] = [reader.uint64(), reader.uint64()];
  const [criticalOptions, extensions] = [named(reader.string()), named(reader.string())];
  reader.string(); // reserved
  const authority = reader.string();
  const signedBytes = reader.bytes.subarray(0, reader.offset);
  const signature = new Reader(reader.string());
  if (reader.offset !== reader.bytes.length) throw new Error("there is something behind the signature");
  if (signature.string().toString() !== "ssh-ed25519") throw new Error("no ed25519 signature");
  const signatureBytes = signature.string();
  return {
    kind,
    keyType: "ssh-ed25519",
    publicKey: sshFields(Buffer.from("ssh-ed25519"), key).toString("base64"),
    keyId,
    principals,
    validAfter,
    validBefore,
    criticalOptions,
    extensions,
    signedBy: authority.toString("base64"),
    isSigned(more = Buffer.alloc(0)) {
      const x = authority.subarray(-32).toString("base64url");
      const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
      return verify(null, Buffer.concat([signedBytes, more]), publicKey, signatureBytes);
    },
  };
}
