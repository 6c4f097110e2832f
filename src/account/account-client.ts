/** The account that functions and commands read: the source of its settings, and the connection to it. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { argumentsOf } from "../program/explicit-provider";
import type { Provider } from "../program/explicit-provider";
import { warnOfUnknownSettings } from "../program/setting-warnings";
import type { Connection } from "../provider/life-cycle/connection";
import { GatewayError, SettingsError } from "../provider/errors";
import type { ConfigSource } from "../provider/settings/read-settings";
import type { Settings } from "../provider/settings/settings";
import { configKey, settingText } from "../provider/settings/settings";

/** The part of a connection that functions and commands use. */
export type AccountClient = Pick<Connection, "settings" | "http" | "read" | "pages">;

/** The client for the settings of the source and the environment. Throws a SettingsError if a setting is wrong. */
export function clientFor(source: ConfigSource): AccountClient {
  const { connection, settings } = load();
  const report = (line: string): void => void sdk.log.info(line);
  return connection.connectionFor(settings.readSettings(source, process.env), { report });
}

/**
 * A client with a connection of its own. `report` prints why a request takes long; `patience` is the longest time for one, in
 * seconds.
 */
export function clientWith(
  settings: Settings,
  report: (line: string) => void,
  patience?: number,
): AccountClient {
  const { connection, http } = load();
  return connection.connectionOver(new http.Http(settings, { report, patience }));
}

/* eslint-disable @typescript-eslint/no-require-imports -- a program loads what sends requests at its first call */
function load() {
  return {
    connection:
      require("../provider/life-cycle/connection") as typeof import("../provider/life-cycle/connection"),
    http: require("../provider/http/http") as typeof import("../provider/http/http"),
    settings:
      require("../provider/settings/read-settings") as typeof import("../provider/settings/read-settings"),
  };
}
/* eslint-enable @typescript-eslint/no-require-imports */

/**
 * The account to read. Settings that are left out come from the stack's configuration, then from the environment, so
 * the same call works inside and outside of a Pulumi program.
 */
export interface AccountOptions {
  /** Settings that take precedence over all others. */
  settings?: Partial<Settings>;
  /**
   * An explicit provider, whose arguments replace the stack's configuration. If a preview does not know them yet,
   * only the function's Output form works.
   */
  provider?: Provider;
}

/** The source of settings that a plain function reads before the environment. */
export async function sourceOf(options: AccountOptions): Promise<ConfigSource> {
  return source(options, (await valueOf(given(options))) ?? unknown());
}

/** The same for an Output form, which waits for unknown values. A secret setting does not make results secret. */
export function sourceOutput(options: AccountOptions): pulumi.Output<ConfigSource> {
  return sdk.unsecret(given(options)).apply((texts) => source(options, texts));
}

type Texts = Readonly<Record<string, string | undefined>>;

function source({ provider }: AccountOptions, texts: Texts): ConfigSource {
  if (!provider) warnOfUnknownSettings();
  const beside = provider ? () => undefined : (key: string) => sdk.getConfig(key);
  return { get: (key) => texts[key] ?? beside(key) };
}

/** The settings of the function's options and of its Provider, by configuration key. */
function given({ settings, provider }: AccountOptions): pulumi.Output<Texts> {
  const plain = Object.entries({ ...settings })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [configKey(name as keyof Settings), settingText(value)]);
  const inputs = provider ? argumentsOf(provider) : sdk.output<Texts>({});
  return inputs.apply((texts) => ({ ...texts, ...(Object.fromEntries(plain) as Texts) }));
}

/** The value of an Output; undefined if it is unknown. Pulumi's type declarations leave out the members used here. */
async function valueOf<T>(output: pulumi.Output<T>): Promise<T | undefined> {
  const inner = output as unknown as { isKnown: Promise<boolean>; promise(): Promise<T> };
  return (await inner.isKnown) ? inner.promise() : undefined;
}

function unknown(): never {
  throw new SettingsError(
    "the arguments of the Provider are not known in this preview; use the function's Output form, or settings " +
      "that are known, such as a key from secret configuration",
  );
}

/** The value of an option. Throws a GatewayError if it is less than the minimum. */
export function atLeast(least: number, option: Readonly<Record<string, number>>): number {
  const [name, value] = Object.entries(option)[0]!;
  if (value >= least) return value;
  throw new GatewayError(`${name}: must be a number from ${least}, not ${String(value)}`);
}
