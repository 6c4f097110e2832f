/** Secrets in what the Pulumi CLI reads and writes: import files and exports of stacks. */
import { mapValues } from "../schema/parts";
import { secretSignature } from "../schema/secrets";
import { isRecord } from "../schema/unknown";
import { printedJson } from "./pulumi";

const [signatureKey, signatureValue] = Object.entries(secretSignature)[0]!;

/** The notation in which an import file holds a secret, so that the engine encrypts it. */
export function secretInFile(value: unknown): unknown {
  return { ...secretSignature, plaintext: JSON.stringify(value) };
}

/** The value with its secrets in plaintext; a secret that is encrypted is undefined. */
export function plaintextOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plaintextOf);
  if (!isRecord(value)) return value;
  if (value[signatureKey] !== signatureValue) return mapValues(value, plaintextOf);
  return typeof value.plaintext === "string"
    ? printedJson(value.plaintext, "a secret of the stack")
    : undefined;
}
