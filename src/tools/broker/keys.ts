/** The accounts of a broker, each with its key. */
import { readFileSync, statSync } from "node:fs";
import { GatewayError } from "../../provider/errors";
import { readSettings } from "../../provider/settings/read-settings";
import type { AccountSettings } from "../../provider/settings/read-settings";
import { configKey, environmentNames } from "../../provider/settings/settings";
import { digestOf } from "../approval/write-log";
import { listText, quote } from "../../schema/text/phrase";

/** The broker's request timeout in seconds: longer than that of its clients, so that it learns the outcome of each write. */
const requestTimeout = "600";

export interface Keys {
  /** The key of the one account that has no key of its own. */
  readonly default: string | undefined;
  /** By base URL. */
  readonly own: ReadonlyMap<string, string>;
}

/** Throws a GatewayError if a key of an account is missing or invalid. */
export function accountsWith(urls: readonly string[], keys: Keys): AccountSettings[] {
  const without = urls.filter((url) => !keys.own.has(url));
  if (without.length > 1)
    throw new GatewayError(
      `the deployment works with several accounts, so name the key of each with --key-file <base URL>=<file>: ${listText(without.map(quote), "account")}`,
    );
  return urls.map((baseUrl) => {
    const key = keys.own.get(baseUrl) ?? keys.default ?? "";
    if (key === "")
      throw new GatewayError(
        `there is no key for the account at ${baseUrl}: set ${environmentNames.apiKey} for this command, or use --key-file or --key-stdin`,
      );
    const values = new Map([
      [configKey("baseUrl"), baseUrl],
      [configKey("apiKey"), key],
      [configKey("requestTimeout"), requestTimeout],
    ]);
    return readSettings({ get: (key) => values.get(key) }, {});
  });
}

/** The key that seals the log of writes. Only holders of the accounts' keys can derive it. */
export function sealOf(keys: Keys): string {
  return digestOf([keys.default, ...[...keys.own].sort()]);
}

/** Reads the key in a file that only its owner can read. Throws a GatewayError if others can. */
export function keyIn(file: string): string {
  // Windows has no such permission bits.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0)
    throw new GatewayError(`other users can read the key in ${file}: run chmod 600 on it`);
  return readFileSync(file, "utf8").trim();
}
