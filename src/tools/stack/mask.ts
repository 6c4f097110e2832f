/** The placeholders of a secret and of a hidden base URL, and the masking of private keys in texts from elsewhere. */

/** The placeholder of a secret, here and in the engine's output. */
export const secretMask = "[secret]";

/** The address of an account whose base URL the preview does not show. */
export const hiddenUrl = "https://not-shown.invalid";

const privateKeys = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/gs;

/** A text, such as an error that quotes a file, with private keys masked. A key without an end masks the rest. */
export function maskedText(text: string): string {
  return text.replace(privateKeys, secretMask);
}
