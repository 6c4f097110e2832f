/** The placeholder of a secret, and texts of others that may quote one. */

/** The placeholder of a secret here and in the output of the engine. */
export const secretMask = "[secret]";

const privateKeys = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/gs;

/** A text, such as an error that quotes a file, with its private keys masked. One without an end masks the rest. */
export function maskedText(text: string): string {
  return text.replace(privateKeys, secretMask);
}
