/** What was done, and with which keys, in a file that a kill at any moment leaves whole. */
import { createHash, createHmac, randomBytes } from "node:crypto";
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
import { isMap } from "./accounts.mts";
import type { Account } from "./accounts.mts";
import { UserError } from "./errors.mts";

/** What is known of an account. */
interface Entry {
  /** What was done, such as "up", and the digest of all that it depends on. */
  readonly done?: { readonly command: string; readonly digest: string };
  /** The fingerprint of the key that the account was deployed with. */
  readonly key?: string;
}

export class Progress {
  private readonly file: string;
  /** Makes the fingerprints of keys useless to others. */
  private readonly salt: string;
  private readonly accounts: Record<string, Entry>;

  constructor(file: string) {
    this.file = file;
    const content = existsSync(file)
      ? contentOf(file)
      : { salt: randomBytes(16).toString("hex"), accounts: {} };
    this.salt = content.salt;
    this.accounts = content.accounts;
  }

  /** Tells keys apart without holding them. */
  fingerprint({ baseUrl }: Account, key: string): string {
    const address = new URL(baseUrl).href.replace(/\/$/, "");
    return createHmac("sha256", this.salt)
      .update(JSON.stringify([address, key]))
      .digest("hex");
  }

  /** Whether exactly this was done. */
  isDone(account: string, command: string, digest: string): boolean {
    const { done } = this.accounts[account] ?? {};
    return done?.command === command && done.digest === digest;
  }

  /** The key that the account was deployed with. */
  keyOf(account: string): string | undefined {
    return this.accounts[account]?.key;
  }

  /** What was done with the accounts before is of no use to `--resume`. */
  forget(accounts: readonly string[]): void {
    for (const account of accounts) this.accounts[account] = { key: this.keyOf(account) };
    this.write();
  }

  /** `key` is the key that objects of the account may be made with from now on. */
  begin(account: string, key: string | undefined): void {
    this.accounts[account] = { key };
    this.write();
  }

  end(account: string, command: string, digest: string, key: string | undefined): void {
    this.accounts[account] = { done: { command, digest }, key };
    this.write();
  }

  private write(): void {
    const handle = openSync(`${this.file}.new`, "w", 0o600);
    writeSync(handle, JSON.stringify({ salt: this.salt, accounts: this.accounts }, undefined, 2));
    fsyncSync(handle);
    closeSync(handle);
    renameSync(`${this.file}.new`, this.file);
  }
}

function contentOf(file: string): { salt: string; accounts: Record<string, Entry> } {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // It is not JSON.
  }
  if (isMap(content) && typeof content.salt === "string" && isMap(content.accounts))
    if (Object.values(content.accounts).every(isEntry))
      return { salt: content.salt, accounts: content.accounts as Record<string, Entry> };
  throw new UserError(
    `${file} is damaged, so it is not known which accounts are done: delete it and run the command without --resume`,
  );
}

function isEntry(value: unknown): value is Entry {
  if (!isMap(value)) return false;
  const { done = { command: "", digest: "" }, key = "" } = value;
  return (
    isMap(done) &&
    typeof done.command === "string" &&
    typeof done.digest === "string" &&
    typeof key === "string"
  );
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
