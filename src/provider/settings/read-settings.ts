import { configKey, configuredAccount, environmentNames, nameKey, withoutFinalSlashes } from "./settings";
import type { Environment, Settings } from "./settings";
import { brokerIn } from "./broker-settings";
import type { BrokerSettings } from "./broker-settings";
import { SettingsError } from "../errors";

/** A source of settings besides the environment: a stack's configuration or a Provider's arguments. */
export interface ConfigSource {
  get(key: string): string | undefined;
}

/** Settings, and the provider that uses them. */
export interface AccountSettings extends Settings {
  /** The name of the explicit provider; null for the default provider, undefined for a command. */
  readonly provider?: string | null;
  /** Whether the key comes from the environment. A refresh then does not use the key of an earlier run. */
  readonly isKeyOfEnvironment?: boolean;
  /** The broker that requests go through. The key is then the broker's token. */
  readonly broker?: BrokerSettings;
}

/** What is wrong with the text of a setting: a clause that completes its name. */
class Wrong {
  constructor(readonly clause: string) {}
}

function readBoolean(text: string): boolean | Wrong {
  return text === "true" || text === "false"
    ? text === "true"
    : new Wrong(`must be "true" or "false"${insteadOf(text)}`);
}

/** The wrong value, for a message. A long value is not shown: it may be a misplaced secret. */
function insteadOf(text: string): string {
  return text.length > 8 ? "" : `, not ${JSON.stringify(text)}`;
}

function numberReader(what: string, most: number): (text: string) => number | Wrong {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value))
      return new Wrong(`must be a number of ${what}, such as "60"${insteadOf(text)}`);
    if (value < 1) return new Wrong(`must be at least 1${insteadOf(text)}`);
    return value <= most ? value : new Wrong(`must be at most ${most} ${what}${insteadOf(text)}`);
  };
}

function readBaseUrl(text: string): string | Wrong {
  // "host:443/path" would be a URL with the scheme "host".
  if (!/^https?:|:\/\//i.test(text)) return new Wrong("must begin with https://; the value has no scheme");
  if (!URL.canParse(text)) return new Wrong("must be a URL such as https://api.example.com");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return new Wrong("must not contain a user name or password");
  // White space at the end and an empty query or fragment would become part of every request's address.
  if (/\s/.test(text)) return new Wrong(`must not contain white space: ${quoted(text)}`);
  if (/[?#]/.test(text)) return new Wrong(`must not contain a query or fragment: ${quoted(text)}`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return new Wrong(`must be an https URL, not ${quoted(text)}`);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return new Wrong(`must be an https URL: http is only for loopback hosts, not for ${quoted(text)}`);
  }
  return withoutFinalSlashes(text);
}

function readApiKey(text: string): string | Wrong {
  return /^[\x21-\x7e]+$/.test(text) ? text : new Wrong("must be a token of an API key, without white space");
}

function readPerMinute(text: string): number | Wrong {
  const value = numberReader("requests", 100_000)(text);
  return value instanceof Wrong ? value : Math.floor(value);
}

/** The reader of each setting's text. */
const readers = {
  apiKey: readApiKey,
  baseUrl: readBaseUrl,
  patchUndocumented: readBoolean,
  requestTimeout: numberReader("seconds", 3600),
  retryTimeout: numberReader("seconds", 86_400),
  listTimeout: numberReader("seconds", 86_400),
  listObjects: numberReader("objects", 100_000_000),
  listMebibytes: numberReader("MiB", 65_536),
  requestsPerMinute: readPerMinute,
  stampMetadata: readBoolean,
} satisfies {
  readonly [Name in keyof Required<Settings>]: (text: string) => Required<Settings>[Name] | Wrong;
};

/** The problem with the text of a setting, as a clause that completes its name. Undefined for other names. */
export function wrongSetting(name: string, text: string): string | undefined {
  const isRead = text !== "" && Object.hasOwn(readers, name);
  const value = isRead ? readers[name as keyof Settings](text) : undefined;
  return value instanceof Wrong ? value.clause : undefined;
}

function quoted(value: string): string {
  // A value that is not a URL may be a misplaced secret.
  return URL.canParse(value) && new URL(value).password === ""
    ? JSON.stringify(value)
    : "the value that is set";
}

/** Whether the host name of a URL is that of this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * The settings of the plugin. If the default provider has no key in the state or the environment, it uses that of the stack's
 * configuration, provided that its base URL is the same. An explicit provider does not: it may use another account.
 */
export function withConfiguredAccount(source: ConfigSource, environment: Environment): ConfigSource {
  const text = environment[configuredAccount];
  if (text === undefined || source.get(nameKey) !== undefined) return source;
  const own = (name: keyof Settings): string =>
    source.get(configKey(name)) ?? environment[environmentNames[name]] ?? "";
  const { apiKey, baseUrl } = JSON.parse(text) as Pick<Settings, "apiKey" | "baseUrl">;
  if (own("apiKey") !== "" || ![baseUrl, ""].includes(own("baseUrl"))) return source;
  const given = new Map([
    [configKey("apiKey"), apiKey],
    [configKey("baseUrl"), baseUrl],
  ]);
  return { get: (key) => given.get(key) ?? source.get(key) };
}

/**
 * The settings, from the source or else the environment. Throws one SettingsError that lists all problems.
 * @param counts whether a problem is an error.
 */
export function readSettings(
  source: ConfigSource,
  environment: Environment,
  counts: (problem: SettingProblem) => boolean = () => true,
): AccountSettings {
  const { settings, problems } = parseSettings(source, environment);
  const errors = problems.filter(counts);
  if (errors.length === 0) return settings;
  const isIncomplete = errors.some(({ isMissing }) => isMissing);
  throw new SettingsError(errors.map(({ message }) => message).join("; "), isIncomplete);
}

/**
 * The settings of the plugin. A missing key is not an error yet: a preview sends no request, and the first request throws the
 * error of `missingKey`. All other problems throw one SettingsError.
 */
export function readPluginSettings(source: ConfigSource, environment: Environment): AccountSettings {
  return readSettings(source, environment, isOfPreview);
}

/** Whether a preview cannot work until the problem is fixed. */
export function isOfPreview({ name, isMissing }: SettingProblem): boolean {
  return !isMissing || name !== "apiKey";
}

/** The error of a request that has no key. */
export function missingKey({ provider }: Pick<AccountSettings, "provider">): SettingsError {
  return new SettingsError(missing("apiKey", provider), true);
}

interface SettingProblem {
  readonly name: keyof Settings;
  readonly message: string;
  readonly isMissing: boolean;
}

interface ParsedSettings {
  /** A setting with a problem has its default, or is empty. */
  readonly settings: AccountSettings;
  readonly problems: readonly SettingProblem[];
}

/** The settings, from the source or else the environment, and the problems with them. */
export function parseSettings(source: ConfigSource, environment: Environment): ParsedSettings {
  const provider = source.get(nameKey);
  const problems: SettingProblem[] = [];
  const textOf = (name: keyof Settings): string =>
    source.get(configKey(name)) ?? environment[environmentNames[name]] ?? "";
  const optional = <Name extends keyof Settings>(name: Name): Settings[Name] | undefined => {
    const text = textOf(name);
    const value = text === "" ? undefined : readers[name](text);
    if (!(value instanceof Wrong)) return value as Settings[Name] | undefined;
    problems.push({ name, message: `${nameOfSetting(name, provider)} ${value.clause}`, isMissing: false });
    return undefined;
  };
  const required = (name: "apiKey" | "baseUrl"): string => {
    if (textOf(name) === "") problems.push({ name, message: missing(name, provider), isMissing: true });
    return optional(name) ?? "";
  };
  // The broker has the keys, so the source does not matter.
  const broker = brokerIn(environment);
  const settings: AccountSettings = {
    ...(broker && { broker }),
    ...(provider === undefined ? {} : { provider }),
    ...(broker !== undefined || source.get(configKey("apiKey")) === undefined
      ? { isKeyOfEnvironment: true }
      : {}),
    apiKey: broker?.token ?? required("apiKey"),
    baseUrl: required("baseUrl"),
    patchUndocumented: optional("patchUndocumented") ?? false,
    requestTimeout: optional("requestTimeout") ?? 60,
    retryTimeout: optional("retryTimeout") ?? 300,
    listTimeout: optional("listTimeout") ?? 3600,
    listObjects: optional("listObjects") ?? 250_000,
    listMebibytes: optional("listMebibytes") ?? 512,
    requestsPerMinute: optional("requestsPerMinute"),
    stampMetadata: optional("stampMetadata") ?? false,
  };
  return { settings, problems };
}

/** The name of a setting for a message: an argument of the explicit provider, or a setting of the stack. */
export function nameOfSetting(name: keyof Settings, provider: AccountSettings["provider"]): string {
  const own =
    provider === undefined || provider === null
      ? `the setting ${configKey(name)}`
      : `the argument ${name} of the Provider ${JSON.stringify(provider)}`;
  return `${own} (or ${environmentNames[name]})`;
}

function missing(name: keyof Settings, provider: AccountSettings["provider"]): string {
  const what = nameOfSetting(name, provider);
  return `${what} ${typeof provider === "string" ? missingArgument : missingClause(name)}`;
}

/** Advice for a setting that an explicit provider lacks, as a clause that completes its name. */
export const missingArgument =
  "is not set: pass a value, or leave the argument out and set the environment variable";

/** Advice for a setting of the stack that has no value, as a clause that completes its name. */
export function missingClause(name: keyof Settings): string {
  const key = configKey(name);
  // Pulumi prompts for a secret. Other processes could read a secret on the command line.
  const args = name === "apiKey" ? `--secret ${key}` : `${key} <value>`;
  return (
    `is not set: run "pulumi config set ${args}", ` +
    `set the environment variable, or pass an explicit Provider with ${name}`
  );
}
