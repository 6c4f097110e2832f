/** The keys of the accounts. They come from a file or from stdin, or they are secrets of the stacks. */
import { readFileSync, statSync } from "node:fs";
import { YAMLParseError, parse } from "yaml";
import { isMap } from "./accounts.mts";
import type { Account } from "./accounts.mts";
import { UserError } from "./errors.mts";
import type { Progress } from "./progress.mts";

/**
 * Throws where the environment contains a key. A program can read the environment of the processes above it, so with keys
 * there, the program of one account could read those of all others.
 */
export function requireEnvironmentWithoutKeys(env: NodeJS.ProcessEnv): void {
  const names = Object.keys(env).filter((name) => name.startsWith("TUNNEL_GATEWAY_API_KEY"));
  if (names.length === 0) return;
  throw new UserError(
    `the environment contains ${names.join(", ")}, which the program of every stack could read: remove ` +
      `${names.length === 1 ? "it" : "them"} from the environment, and pass the keys with --keys. Nothing was started`,
  );
}

/** The keys by account, from a file that only its owner can read, or from stdin (`-`). No message shows a key. */
export function readKeys(file: string | undefined): ReadonlyMap<string, string> {
  if (file === undefined) return new Map();
  const name = file === "-" ? "the text on stdin" : file;
  let text: string;
  try {
    const stats = statSync(file === "-" ? "/dev/null" : file);
    if (stats.isFile() && process.platform !== "win32" && (stats.mode & 0o077) !== 0)
      throw new UserError(`others can read ${file}: run chmod 600 ${file}`);
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw error instanceof UserError
      ? error
      : new UserError(`${name} could not be read: ${(error as Error).message}`);
  }
  const entries = Object.entries(mapIn(text, name));
  const wrong = entries.filter(([, key]) => typeof key !== "string" || key.trim() === "");
  if (wrong.length > 0)
    throw new UserError(`${name}: the key of ${wrong.map(([account]) => account).join(", ")} must be a text`);
  return new Map(entries as [string, string][]);
}

function mapIn(text: string, name: string): Record<string, unknown> {
  const expected = "must be a YAML map from the name of each account to its key";
  try {
    const content: unknown = parse(text);
    if (isMap(content)) return content;
  } catch (error) {
    // The message of the parser quotes the line.
    const line = error instanceof YAMLParseError ? error.linePos?.[0].line : undefined;
    throw new UserError(`${name} ${expected}${line === undefined ? "" : `: line ${line} is not valid`}`);
  }
  throw new UserError(`${name} ${expected}`);
}

/**
 * The fingerprints of the keys by account. Only the service knows which account a key belongs to, so each must be the key of one
 * account alone, now and in the last deployment of the others. Throws otherwise.
 */
export function requireOwnKeys(
  accounts: readonly Account[],
  keys: ReadonlyMap<string, string>,
  progress: Progress,
): ReadonlyMap<string, string> {
  const fingerprints = new Map(
    accounts.flatMap((account) => {
      const key = keys.get(account.name);
      return key === undefined ? [] : [[account.name, progress.fingerprint(account, key)]];
    }),
  );
  const problems = [...Map.groupBy(fingerprints.keys(), (name) => fingerprints.get(name)!).values()]
    .filter(({ length }) => length > 1)
    .map((names) => `${names.join(" and ")} have the same base URL and the same key`);
  for (const [name, fingerprint] of fingerprints) {
    const other = accounts.find((each) => each.name !== name && progress.keyOf(each.name) === fingerprint);
    // What two accounts share is said once.
    if (other !== undefined && fingerprints.get(other.name) !== fingerprint)
      problems.push(`${name} has the key that ${other.name} was deployed with`);
  }
  if (problems.length === 0) return fingerprints;
  throw new UserError(
    `${problems.join("; ")}: one account would be deployed into another. Correct the keys. Nothing was started`,
  );
}
