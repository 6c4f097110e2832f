/** The accounts of a broker, each with its key. */
import { readFileSync, statSync } from "node:fs";
import { GatewayError } from "../../provider/errors";
import { readSettings } from "../../provider/settings/read-settings";
import type { AccountSettings } from "../../provider/settings/read-settings";
import { configKey, environmentNames } from "../../provider/settings/settings";
import { digestOf } from "../approval/write-log";
import { listText, quote } from "../../schema/text/phrase";

/** How long the broker waits for an answer, in seconds: longer than its clients, so that it knows what was done. */
const requestTimeout = "600";

export interface Keys {
  /** The key of the one account that has none of its own. */
  readonly default: string | undefined;
  /** By base URL. */
  readonly own: ReadonlyMap<string, string>;
}

/** Throws a GatewayError where an account has no key, or a wrong one. */
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

/** What seals the log of writes: whoever has the keys, and nobody else, knows it. */
export function sealOf(keys: Keys): string {
  return digestOf([keys.default, ...[...keys.own].sort()]);
}

/** Reads the key in a file that only its owner can read. Throws a GatewayError where others can. */
export function keyIn(file: string): string {
  // Windows has no such bits.
  if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0)
    throw new GatewayError(`other users can read the key in ${file}: run chmod 600 on it`);
  return readFileSync(file, "utf8").trim();
}
