/** The placeholders of a secret and of a hidden base URL, and the masking of private keys in texts from elsewhere. */

import { isUnknown } from "../../schema/unknown";

/** The placeholder of a secret, here and in the engine's output. */
export const secretMask = "[secret]";

/** The address of an account whose base URL the preview does not show. */
export const hiddenUrl = "https://not-shown.invalid";

/** What stands for a base URL that the option `envVarMappings` takes from a variable of the environment. */
export function urlOfVariable(name: string): string {
  return `[variable ${name}]`;
}

/** The variable of such a base URL. */
export function variableIn(url: string): string | undefined {
  return /^\[variable (.*)\]$/s.exec(url)?.[1];
}

/** Whether a base URL or another setting is not shown. */
export function isHidden(setting: unknown): boolean {
  if (isUnknown(setting) || setting === secretMask) return true;
  return typeof setting === "string" && variableIn(setting) !== undefined;
}

const privateKeys = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY-----|$)/gs;

/** A text, such as an error that quotes a file, with private keys masked. A key without an end masks the rest. */
export function maskedText(text: string): string {
  return text.replace(privateKeys, secretMask);
}
