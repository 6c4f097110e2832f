/**
 * Sealed boxes as crypto_box_seal of libsodium makes them: the public key of a sender that nobody keeps, and a crypto_box from it
 * to the recipient. docs/architecture.md says why it is not libsodium itself.
 */
import { diffieHellman, generateKeyPairSync } from "node:crypto";
import { bytesOf, publicKeyOf } from "../../schema/formats/sealing-key";

/** Seals texts to the 32 bytes of an X25519 public key, in base64. Only the creation of a key with `sealTo` loads the ciphers. */
export async function sealedBoxFor(recipient: Uint8Array): Promise<(text: string) => string> {
  const [{ hsalsa, secretbox }, { u32, u8, utf8ToBytes }, { blake2b }] = await Promise.all([
    import("@noble/ciphers/salsa.js"),
    import("@noble/ciphers/utils.js"),
    import("@noble/hashes/blake2.js"),
  ]);
  const publicKey = publicKeyOf(recipient);
  const seal = (text: string): string => {
    const sender = generateKeyPairSync("x25519");
    const shared = diffieHellman({ privateKey: sender.privateKey, publicKey });
    // crypto_box_beforenm: the shared point is no key yet. The copies begin at a whole word of their memory.
    const key = new Uint32Array(8);
    hsalsa(u32(utf8ToBytes("expand 32-byte k")), u32(Uint8Array.from(shared)), new Uint32Array(4), key);
    const from = bytesOf(sender.publicKey);
    const nonce = blake2b(Buffer.concat([from, recipient]), { dkLen: 24 });
    const box = secretbox(u8(key), nonce).seal(utf8ToBytes(text));
    return Buffer.concat([from, box]).toString("base64");
  };
  seal("");
  return seal;
}
