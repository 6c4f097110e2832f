/** Who opens sealed boxes: libsodium itself, which the package does not use. */
import { generateKeyPairSync } from "node:crypto";

export interface Recipient {
  /** In base64, as GitHub gives it. */
  readonly publicKey: string;
  /** The text in a sealed box in base64. Fails where it is for another key. */
  open(sealed: unknown): Promise<string>;
}

export function recipient(): Recipient {
  const { x, d } = generateKeyPairSync("x25519").privateKey.export({ format: "jwk" });
  const [publicKey, privateKey] = [Buffer.from(x!, "base64url"), Buffer.from(d!, "base64url")];
  return {
    publicKey: publicKey.toString("base64"),
    async open(sealed) {
      const { default: sodium } = await import("libsodium-wrappers");
      await sodium.ready;
      const box = Buffer.from(String(sealed), "base64");
      return Buffer.from(sodium.crypto_box_seal_open(box, publicKey, privateKey)).toString("utf8");
    },
  };
}
