/**
 * Secrets in the input and output of the Pulumi CLI: import files, stack exports and previews. Secrets in previews are masked on
 * input, so no other code sees them.
 */
import { oncePer } from "../../schema/once-per";
import { isSigned, secretSignature, holdsSecret, mapSecrets, notReturned } from "../../schema/secrets";
import { isPlaintextHint, withoutShim } from "../../schema/recorded-state";
import {
  contains,
  isRecord,
  isUnknown,
  mapDeep,
  mapValues,
  unknown,
  asText,
  membersOf,
} from "../../schema/unknown";
import { secretMask } from "./mask";
import { printedJson } from "./pulumi";
import { accessArguments } from "../../schema/access-fields";
import type { Declaration } from "../../schema/declaration";
import type { Fields } from "../../schema/field";
import type { Json } from "../../schema/json";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { GatewayError } from "../../provider/errors";
import { stackConfig } from "./config";
import { isProject, projectAbove } from "./project-folder";

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

/** The stack: its name, its project's name, and the folder of the project. */
interface EncryptedStack {
  readonly stack: string;
  readonly project: string;
  readonly cwd: string | undefined;
}

/**
 * The export with the secrets inside the roots, which are parts of it, in plaintext. Pulumi decrypts an export as a whole or not at
 * all. A file in the form of a stack's configuration therefore gets the ciphertexts, and Pulumi decrypts those: the same key
 * encrypts both. Writes no plaintext to a file.
 */
export async function withDecrypted(
  exported: unknown,
  roots: readonly unknown[],
  of: EncryptedStack,
): Promise<unknown> {
  const ciphertexts = new Set<string>();
  for (const root of roots) contains(root, (part) => (addTo(ciphertexts, part), false));
  if (ciphertexts.size === 0) return exported;
  const { secrets_providers } = membersOf(membersOf(exported).deployment);
  const texts = await decrypted([...ciphertexts], membersOf(secrets_providers), of);
  return mapDeep(exported, (part) => {
    const plaintext = texts.get(ciphertextIn(part) ?? "");
    return plaintext === undefined ? part : { ...secretSignature, plaintext };
  });
}

function addTo(ciphertexts: Set<string>, part: unknown): void {
  const ciphertext = ciphertextIn(part);
  if (ciphertext !== undefined) ciphertexts.add(ciphertext);
}

function ciphertextIn(part: unknown): string | undefined {
  return isSigned(part) ? asText(part.ciphertext) : undefined;
}

/** The plaintexts by ciphertext. */
async function decrypted(
  ciphertexts: readonly string[],
  { type, state }: Json,
  { stack, project, cwd }: EncryptedStack,
): Promise<Map<string, string>> {
  const folder = mkdtempSync(join(tmpdir(), "tunnel-gateway-"));
  try {
    const keyOf = (i: number): string => `${project}:secret${i}`;
    const config = Object.fromEntries(ciphertexts.map((secure, i) => [keyOf(i), { secure }]));
    const file = join(folder, "config.yaml");
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ ...keyMembers(type, membersOf(state)), config }), { mode: 0o600 });
    const isInProject = isProject(cwd ?? ".") || projectAbove(resolve(cwd ?? ".")) !== undefined;
    if (!isInProject)
      writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: project, runtime: "nodejs" }));
    const values = await stackConfig(stack, { cwd: isInProject ? cwd : folder }, file);
    return new Map(
      ciphertexts.map((ciphertext, i) => {
        const plaintext = values.get(keyOf(i));
        if (plaintext === undefined)
          throw new GatewayError(`the secrets of the stack ${stack} could not be decrypted`);
        return [ciphertext, plaintext];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The part of a configuration that identifies its encryption key, from a state; empty if the backend has the key. */
function keyMembers(type: unknown, { salt, url, encryptedkey }: Json): Json {
  if (type === "passphrase") return { encryptionsalt: salt };
  return type === "cloud" ? { secretsprovider: url, encryptedkey } : {};
}
