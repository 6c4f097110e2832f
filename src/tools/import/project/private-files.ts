/** Private files of a run, in a folder that only its owner can read and that git ignores. */
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GatewayError } from "../../../provider/errors";

const folderName = ".tunnel-gateway";
const stagingName = "new";

/** Makes the folder. Throws if a repository may have put something else in its place, such as a link. */
function privateFolder(folder: string): string {
  const own = join(folder, folderName);
  mkdirSync(folder, { recursive: true });
  if (!isThere(own, "folder")) mkdirSync(own, { mode: 0o700 });
  // An existing folder keeps its mode, and the umask may restrict that of a new one.
  chmodSync(own, 0o700);
  const ignore = join(own, ".gitignore");
  if (!isThere(ignore, "file")) writeFileSync(ignore, "*\n", { flag: "wx" });
  return own;
}

/** Whether the path exists. Throws if it is a link or not of the expected kind. */
function isThere(path: string, kind: "file" | "folder"): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (kind === "file" ? found.isFile() : found.isDirectory()) return true;
  const is = found.isSymbolicLink() ? "a link" : `not a ${kind}`;
  throw new GatewayError(
    `${path} is ${is}, so nothing was written or removed there: remove it, and run the command again`,
  );
}

/** Writes a file that may hold secrets in plaintext, and returns its path. */
export function writePrivate(folder: string, name: string, text: string): string {
  const file = join(privateFolder(folder), name);
  rmSync(file, { force: true });
  writeFileSync(file, text, { mode: 0o600, flag: "wx" });
  return file;
}

/** Removes such files, and the remains of a run that was killed. */
export function removePrivate(folder: string, ...names: readonly string[]): void {
  const own = join(folder, folderName);
  if (!isThere(own, "folder")) return;
  for (const name of [...names, stagingName]) rmSync(join(own, name), { recursive: true, force: true });
  if (readdirSync(own).every((file) => file === ".gitignore")) {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Writes files into the folder. Each file gets its name when it is complete, so a killed run leaves no partial file. */
export function writeComplete(folder: string, texts: ReadonlyMap<string, string>): void {
  const staging = join(privateFolder(folder), stagingName);
  // The remains of a run that was killed.
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging);
  for (const [name, text] of texts) writeFileSync(join(staging, name), text, { flag: "wx" });
  for (const name of texts.keys()) renameSync(join(staging, name), join(folder, name));
  removePrivate(folder);
}
