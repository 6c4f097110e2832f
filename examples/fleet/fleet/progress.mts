/** What is done, in a file that a kill at any moment leaves whole. */
import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

export class Progress {
  private readonly file: string;
  /** The digest of what was done, by command and account. */
  private readonly done: Record<string, string>;

  /** @param resume whether to continue from what the file says. */
  constructor(file: string, resume: boolean) {
    this.file = file;
    this.done =
      resume && existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as typeof this.done) : {};
  }

  /** Whether exactly this was done. */
  has(work: string, digest: string): boolean {
    return this.done[work] === digest;
  }

  add(work: string, digest: string): void {
    this.done[work] = digest;
    const handle = openSync(`${this.file}.new`, "w");
    writeSync(handle, JSON.stringify(this.done, undefined, 2));
    fsyncSync(handle);
    closeSync(handle);
    renameSync(`${this.file}.new`, this.file);
  }
}

/** A digest of all files that the program may read, without those of stacks. */
export function digestOfProgram(folder: string): string {
  const hash = createHash("sha256");
  for (const path of filesOf(folder, "").sort()) {
    hash.update(JSON.stringify([path, readFileSync(join(folder, path)).toString("base64")]));
  }
  return hash.digest("hex");
}

/** A digest of what a deployment depends on. */
export function digestOf(program: string, config: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([program, config]))
    .digest("hex");
}

function filesOf(folder: string, path: string): string[] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    const own = join(path, entry.name);
    if (entry.name.startsWith(".") || entry.name === "node_modules") return [];
    if (path === "" && (/^Pulumi\..+\.yaml/.test(entry.name) || entry.name === "accounts.yaml")) return [];
    return entry.isDirectory() ? filesOf(folder, own) : [own];
  });
}
