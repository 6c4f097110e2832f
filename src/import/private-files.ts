/** Files that a run keeps for itself in a folder that only its owner can read and that git ignores. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const folderName = ".tunnel-gateway";
const stagingName = "new";

function privateFolder(folder: string): string {
  const own = join(folder, folderName);
  mkdirSync(folder, { recursive: true });
  mkdirSync(own, { recursive: true, mode: 0o700 });
  writeFileSync(join(own, ".gitignore"), "*\n");
  return own;
}

/** Writes a file that may hold secrets in plaintext, and returns its path. */
export function writePrivate(folder: string, name: string, text: string): string {
  const file = join(privateFolder(folder), name);
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

/** Removes such files, and what a run that was killed left. */
export function removePrivate(folder: string, ...names: readonly string[]): void {
  const own = join(folder, folderName);
  for (const name of [...names, stagingName]) rmSync(join(own, name), { recursive: true, force: true });
  if (existsSync(own) && readdirSync(own).every((file) => file === ".gitignore")) {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Writes files into the folder. Each is complete before it gets its name, so that a killed run leaves no half file. */
export function writeComplete(folder: string, texts: ReadonlyMap<string, string>): void {
  const staging = join(privateFolder(folder), stagingName);
  mkdirSync(staging, { recursive: true });
  for (const [name, text] of texts) writeFileSync(join(staging, name), text);
  for (const name of texts.keys()) renameSync(join(staging, name), join(folder, name));
  removePrivate(folder);
}
