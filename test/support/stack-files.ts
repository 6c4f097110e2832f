/** The files of a stack as `pulumi stack init` and `pulumi config set` write them, without starting the CLI. */
import { createCipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Encrypts for a passphrase, as Pulumi's secrets provider of that name does. */
interface Encryption {
  /** How a stack's configuration and state describe it. */
  readonly salt: string;
  encrypt(text: string): string;
}

const encryptions = new Map<string, Encryption>();

export function encryptionOf(passphrase: string): Encryption {
  let encryption = encryptions.get(passphrase);
  if (!encryption) encryptions.set(passphrase, (encryption = makeEncryption(passphrase)));
  return encryption;
}

function makeEncryption(passphrase: string): Encryption {
  const salt = randomBytes(8);
  const key = pbkdf2Sync(passphrase, salt, 1_000_000, 32, "sha256");
  const encrypt = (text: string): string => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce);
    const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return `v1:${nonce.toString("base64")}:${sealed.toString("base64")}`;
  };
  // Pulumi recognizes the passphrase by this word.
  return { salt: `v1:${salt.toString("base64")}:${encrypt("pulumi")}`, encrypt };
}

/** Writes an empty stack into a backend's folder. */
export function writeStack(backend: string, project: string, name: string, { salt }: Encryption): void {
  const checkpoint = {
    stack: `organization/${project}/${name}`,
    latest: {
      manifest: { time: "0001-01-01T00:00:00Z", magic: "", version: "" },
      secrets_providers: { type: "passphrase", state: { salt } },
      metadata: {},
    },
  };
  write(join(backend, ".pulumi/meta.yaml"), "version: 1\n");
  const file = join(backend, ".pulumi/stacks", project, `${name}.json`);
  write(file, JSON.stringify({ version: 3, checkpoint }));
}

/** Writes a stack's configuration; a key without a namespace gets the project's. */
export function writeConfig(
  folder: string,
  project: string,
  name: string,
  encryption: Encryption,
  values: ReadonlyMap<string, string | { secret: string }>,
): void {
  const config = Object.fromEntries(
    [...values].map(([key, value]) => [
      key.includes(":") ? key : `${project}:${key}`,
      typeof value === "string" ? value : { secure: encryption.encrypt(value.secret) },
    ]),
  );
  const settings = { encryptionsalt: encryption.salt, config };
  write(join(folder, `Pulumi.${name}.yaml`), JSON.stringify(settings)); // JSON is YAML
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
