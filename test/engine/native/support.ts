/** Stacks that change between the dynamic resources and the native provider. */
import { readFileSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Stack } from "../../support/engine";

/** The import paths of the package's classes: over dynamic resources, and over the native provider. */
export type Door = "" | "/native";

const page = readFileSync(resolve(__dirname, "../../../docs/native-provider.md"), "utf8");

/** What docs/native-provider.md has a program say before its first resource on its way back. */
export const wayBack = /^```typescript\nimport .*\n([^]*?)^```/m.exec(page)![1]!;

/** Deploys what changes nothing, and leaves nothing to change. */
export async function upWithoutChange(stack: Stack): Promise<void> {
  await stack.up({ args: ["--expect-no-changes"] });
  await stack.previewNoChanges();
}

/** The texts that the state holds as secrets, in plaintext. */
export async function secretsOf(stack: Stack): Promise<string[]> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { plaintext, ...others } = value as { plaintext?: string };
    if (plaintext !== undefined) for (const text of textsIn(JSON.parse(plaintext))) found.add(text);
    Object.values(others).forEach(visit);
  };
  visit((await stack.exportState(true)).deployment);
  return [...found];
}

/** Every text within a value. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Expects that none of the texts is in the stack's export, nor in any file of its backend: states, backups, history. */
export async function expectEncrypted(stack: Stack, secrets: readonly string[]): Promise<void> {
  const files = readdirSync(stack.backend, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const texts = files.map((each) => readFileSync(join(each.parentPath, each.name), "utf8"));
  texts.push(JSON.stringify(await stack.exportState()));
  expect(texts.length).toBeGreaterThan(4);
  const shown = secrets.filter((secret) => {
    const inJson = JSON.stringify(secret).slice(1, -1);
    return texts.some((text) => text.includes(inJson));
  });
  expect(shown).toEqual([]);
}
