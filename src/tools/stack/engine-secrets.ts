/**
 * Secrets in the input and output of the Pulumi CLI: import files, stack exports and previews. Secrets in previews are masked on
 * input, so no other code sees them.
 */
import { oncePer } from "../../schema/once-per";
import { isSigned, secretSignature, holdsSecret, mapSecrets, notReturned } from "../../schema/secrets";
import { isPlaintextHint, withoutShim } from "../../schema/recorded-state";
import { contains, isRecord, isUnknown, mapDeep, mapValues, unknown } from "../../schema/unknown";
import { secretMask } from "./mask";
import { printedJson } from "./pulumi";
import { accessArguments } from "../../schema/access-fields";
import type { Declaration } from "../../schema/declaration";
import type { Fields } from "../../schema/field";
import type { Json } from "../../schema/json";

const [signatureKey = ""] = Object.keys(secretSignature);

/** The notation in which an import file holds a secret, so that the engine encrypts it. */
export function secretInFile(value: unknown): unknown {
  return { ...secretSignature, plaintext: JSON.stringify(value) };
}

/** Whether a value of an import file holds a known secret, not only places of unknown secrets. */
export function hasSecretInFile(value: unknown): boolean {
  return contains(value, (part) => isSigned(part) && !placeholders.includes(part.plaintext));
}

const placeholders: readonly unknown[] = [undefined, null, "", notReturned].map((each) =>
  JSON.stringify(each),
);

/** The value with plaintext secrets; an encrypted secret becomes undefined. */
export function plaintextOf(value: unknown): unknown {
  return mapDeep(value, (part) => {
    if (!isSigned(part)) return part;
    return typeof part.plaintext === "string"
      ? printedJson(part.plaintext, "a secret of the stack")
      : undefined;
  });
}

/**
 * The values with every secret masked: those of the fields, those that the program marked (`hidden`), and those that look
 * like one, so that a preview made with --show-secrets shows no more than any other.
 */
export function masked(fields: Fields, values: Json, hidden: readonly string[]): Json {
  const shown = withoutShim(values);
  // Most of the thousands of rules in a preview are returned unchanged.
  const needsMask = declaresSecret(fields) || hidden.length > 0 || contains(shown, isSecretForm);
  if (!needsMask) return shown;
  const marked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(shown)) {
    const isHidden = hidden.includes(name) && value !== undefined;
    if (isPlaintextHint(name)) marked[name] = value;
    else if (isHidden) marked[name] = secretMask;
    else marked[name] = mapDeep(value, (part) => (isSecretForm(part) ? secretMask : part));
  }
  return mapSecrets(fields, marked, (value) => (isUnknown(value) ? value : secretMask));
}

const declaresSecret = oncePer((fields: Fields) => Object.values(fields).some(holdsSecret));

/** Whether a value is a secret in the engine's notation, or a text that looks like one. */
function isSecretForm(value: unknown): boolean {
  return typeof value === "string"
    ? value.includes("PRIVATE KEY-----")
    : isRecord(value) && signatureKey in value;
}

/** Whether the value contains a secret. */
export function hasSecret(value: unknown): boolean {
  return contains(value, (part) => part === secretMask);
}

/** What decides access and is hidden as a secret is unknown: a rule that reads the mask as a value finds nothing. */
export function hiddenAsUnknown({ fields }: Declaration, values: Json): Json {
  const hidden = accessArguments(fields).filter((name) => hasSecret(values[name]));
  if (hidden.length === 0) return values;
  return mapValues(values, (value, name) => (hidden.includes(name) ? unmasked(value) : value));
}

function unmasked(value: unknown): unknown {
  return mapDeep(value, (part) => (part === secretMask ? unknown : part));
}
