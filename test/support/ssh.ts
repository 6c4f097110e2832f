import type { KeyObject } from "node:crypto";

/** Public SSH keys for tests, made by other code than the package's and the emulator's. */

/** Fields in SSH's binary form: each behind its length (RFC 4251, section 5). */
export function sshFields(...fields: Buffer[]): Buffer {
  return Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(field.length);
      return [length, field];
    }),
  );
}

/** A public key of this type in OpenSSH form, with these fields behind the type. */
export function sshLine(type: string, ...fields: Buffer[]): string {
  return `${type} ${sshFields(Buffer.from(type), ...fields).toString("base64")}`;
}

/** A public key in OpenSSH form (RFC 4253, section 6.6, RFC 5656, section 3.1 and RFC 8709, section 4). */
export function openSshKey(key: KeyObject): string {
  const { crv, e, kty, n, x, y } = key.export({ format: "jwk" });
  if (kty === "RSA") return sshLine("ssh-rsa", positive(bytes(e)), positive(bytes(n)));
  if (kty === "OKP") return sshLine("ssh-ed25519", bytes(x));
  const curve = `nistp${crv?.slice(2)}`;
  return sshLine(
    `ecdsa-sha2-${curve}`,
    Buffer.from(curve),
    Buffer.concat([Buffer.of(4), bytes(x), bytes(y)]),
  );
}

function bytes(base64url = ""): Buffer {
  return Buffer.from(base64url, "base64url");
}

function positive(number: Buffer): Buffer {
  return number[0]! & 0x80 ? Buffer.concat([Buffer.of(0), number]) : number;
}
