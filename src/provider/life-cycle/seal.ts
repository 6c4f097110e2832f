/** Seals the secret of a creation to the public key that the program gives, before anything else sees the answer. */
import type { Declaration } from "../../schema/declaration";
import { wireName } from "../../schema/field";
import { isHiddenSecret } from "../../schema/secrets";
import type { Answer, Arguments } from "../../schema/values";
import { GatewayError } from "../errors";
import { diffieHellman, generateKeyPairSync } from "node:crypto";
import { bytesOf, publicKeyOf } from "../../schema/formats/sealing-key";

/** Replaces the secret in the answer to a creation by the sealed secret. */
type Seal = (answer: Answer) => Answer;

/**
 * How the answer to a creation with these arguments is sealed. It tries the key, so it runs before the creation: a failure
 * afterwards would lose the secret.
 */
export async function sealFor({ seals, fields, noun }: Declaration, args: Arguments): Promise<Seal> {
  const to = seals && args[seals.to];
  if (typeof to !== "string") return (answer) => answer;
  const [secret, sealed] = [seals!.secret, seals!.as].map((name) => wireName(name, fields[name]!));
  const seal = await sealedBoxFor(Buffer.from(to, "base64")).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new GatewayError(
      `the ${noun} was not created, because its ${seals!.secret} cannot be sealed to ${seals!.to}: ${reason}. ` +
        "Check the key and that the package is installed with its dependencies",
    );
  });
  return ({ [secret!]: open, ...answer }) =>
    isHiddenSecret(open) ? answer : { ...answer, [sealed!]: seal(open as string) };
}

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
    // crypto_box_beforenm: the shared point is not a key yet. The copies begin at a whole word of their memory.
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
