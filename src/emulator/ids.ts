import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 27;

/** A type prefix and 27 random base62 characters. */
export function newId(prefix: string): string {
  let id = prefix;
  while (id.length < prefix.length + LENGTH) {
    for (const byte of randomBytes(LENGTH + 8)) {
      // Bytes beyond the last whole multiple of 62 would favour the first characters.
      if (byte < 248 && id.length < prefix.length + LENGTH) id += ALPHABET[byte % 62];
    }
  }
  return id;
}
