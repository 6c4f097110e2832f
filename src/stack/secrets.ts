/** Secrets in what the Pulumi CLI reads and writes: import files and exports of stacks. */
import { secretSignature } from "../schema/secrets";

const [signatureKey, signatureValue] = Object.entries(secretSignature)[0]!;

/** The notation in which an import file holds a secret, so that the engine encrypts it. */
export function secretInFile(value: unknown): unknown {
  return { ...secretSignature, plaintext: JSON.stringify(value) };
}

/** The value with its secrets in plaintext; a secret that is encrypted is undefined. */
export function plaintextOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plaintextOf);
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record<string, unknown>;
  if (record[signatureKey] === signatureValue) {
    return typeof record.plaintext === "string" ? (JSON.parse(record.plaintext) as unknown) : undefined;
  }
  return Object.fromEntries(Object.entries(record).map(([name, member]) => [name, plaintextOf(member)]));
}
