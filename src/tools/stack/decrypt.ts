/**
 * Decrypts only the secrets of an export that a command needs. Pulumi decrypts an export as a whole or not at all. A file in the
 * form of a stack's configuration therefore gets the ciphertexts, and Pulumi decrypts those: the same key encrypts both.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { GatewayError } from "../../provider/errors";
import type { Json } from "../../schema/json";
import { isSigned, secretSignature } from "../../schema/secrets";
import { asText, contains, mapDeep, membersOf } from "../../schema/unknown";
import { stackConfig } from "./config";
import { isProject, projectAbove } from "./project-folder";

/** The stack: its name, its project's name, and the folder of the project. */
export interface EncryptedStack {
  readonly stack: string;
  readonly project: string;
  readonly cwd: string | undefined;
}

/**
 * The export with the secrets inside the roots, which are parts of it, in plaintext. Writes no plaintext to a file.
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
