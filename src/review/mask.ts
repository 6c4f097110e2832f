/** Masks the secrets of a preview when it is read, so that the rest of the review never sees them. */
import type { Declaration } from "../schema/declaration";
import { plaintextKey, mapSecrets, secretSignature } from "../schema/secrets";
import { isRecord, isUnknown } from "../schema/unknown";

/** The placeholder of a secret, here and in the output of the engine. */
const secret = "[secret]";

const [signatureKey] = Object.keys(secretSignature) as [string];

/**
 * The values with every secret masked: those of the declaration, those that the program marked (`hidden`), and
 * those that look like one, so that a preview made with --show-secrets tells no more than any other.
 */
export function masked(
  declaration: Declaration,
  values: Readonly<Record<string, unknown>>,
  hidden: readonly string[],
): Record<string, unknown> {
  const { __provider: _, ...rest } = values;
  const marked = Object.entries(rest).map(([name, value]): [string, unknown] => [
    name,
    hidden.includes(name) && value !== undefined ? secret : withoutSecrets(value),
  ]);
  const all = mapSecrets(declaration.fields, Object.fromEntries(marked), (value) =>
    isUnknown(value) ? value : secret,
  );
  return plaintextKey in all ? { ...all, [plaintextKey]: rest[plaintextKey] } : all;
}

function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return value.includes("PRIVATE KEY-----") ? secret : value;
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  if (signatureKey in value) return secret;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]));
}

/** Whether anything in the value is a secret. */
export function hasSecret(value: unknown): boolean {
  if (value === secret) return true;
  if (Array.isArray(value)) return value.some(hasSecret);
  return isRecord(value) && Object.values(value).some(hasSecret);
}
