import { configKey, environmentNames } from "../settings";
import type { Environment, Settings } from "../settings";
import { SettingsError } from "./errors";

/** Where settings come from beside the environment: a stack's configuration or a Provider's arguments. */
export interface ConfigSource {
  get(key: string): string | undefined;
}

/** What is wrong with the text of a setting: a clause that completes its name. */
class Wrong {
  constructor(readonly clause: string) {}
}

function readBoolean(text: string): boolean | Wrong {
  return text === "true" || text === "false" ? text === "true" : new Wrong('must be "true" or "false"');
}

function numberReader(what: string, most: number): (text: string) => number | Wrong {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value)) return new Wrong(`must be a number of ${what}, such as "60"`);
    if (value < 1) return new Wrong("must be at least 1");
    return value <= most ? value : new Wrong(`must be at most ${most} ${what}`);
  };
}

function readBaseUrl(text: string): string | Wrong {
  // "host:443/path" would be a URL with the scheme "host".
  if (!/^https?:|:\/\//i.test(text)) return new Wrong("must begin with https://; the value has no scheme");
  if (!URL.canParse(text)) return new Wrong("must be a URL such as https://api.example.com");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "")
    return new Wrong("must not contain a user name or password");
  if (url.search !== "" || url.hash !== "")
    return new Wrong(`must not contain a query or fragment: ${quoted(text)}`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return new Wrong(`must be an https URL, not ${quoted(text)}`);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return new Wrong(`must be an https URL: http is only for loopback hosts, not for ${quoted(text)}`);
  }
  return text.replace(/\/+$/, "");
}

function readApiKey(text: string): string | Wrong {
  return /^[\x21-\x7e]+$/.test(text) ? text : new Wrong("must be a token of an API key, without white space");
}

function readPerMinute(text: string): number | Wrong {
  const value = numberReader("requests", 100_000)(text);
  return value instanceof Wrong ? value : Math.floor(value);
}

function quoted(value: string): string {
  // What is set by mistake in the place of a URL may well be a secret.
  return URL.canParse(value) && new URL(value).password === ""
    ? JSON.stringify(value)
    : "the value that is set";
}

/** Whether the host name of a URL is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The settings, from the source or else the environment. Throws one SettingsError with all problems. */
export function readSettings(source: ConfigSource, environment: Environment): Settings {
  const problems: string[] = [];
  const textOf = (name: keyof Settings): string =>
    source.get(configKey(name)) ?? environment[environmentNames[name]] ?? "";
  const optional = <T>(name: keyof Settings, read: (text: string) => T | Wrong): T | undefined => {
    const text = textOf(name);
    const value = text === "" ? undefined : read(text);
    if (!(value instanceof Wrong)) return value;
    problems.push(`${origin(name)} ${value.clause}`);
    return undefined;
  };
  const required = (name: keyof Settings, read: (text: string) => string | Wrong): string => {
    if (textOf(name) === "") problems.push(missing(name));
    return optional(name, read) ?? "";
  };
  const settings: Settings = {
    apiKey: required("apiKey", readApiKey),
    baseUrl: required("baseUrl", readBaseUrl),
    patchUndocumented: optional("patchUndocumented", readBoolean) ?? false,
    requestTimeout: optional("requestTimeout", numberReader("seconds", 3600)) ?? 60,
    retryTimeout: optional("retryTimeout", numberReader("seconds", 86_400)) ?? 300,
    listTimeout: optional("listTimeout", numberReader("seconds", 86_400)) ?? 3600,
    listObjects: optional("listObjects", numberReader("objects", 100_000_000)) ?? 250_000,
    listMebibytes: optional("listMebibytes", numberReader("MiB", 65_536)) ?? 512,
    requestsPerMinute: optional("requestsPerMinute", readPerMinute),
    stampMetadata: optional("stampMetadata", readBoolean) ?? false,
  };
  if (problems.length > 0) throw new SettingsError(problems.join("; "));
  return settings;
}

function origin(name: keyof Settings): string {
  return `the setting ${configKey(name)} (or ${environmentNames[name]})`;
}

function missing(name: keyof Settings): string {
  const key = configKey(name);
  // Pulumi asks for a secret. One in a command line could be read by other processes.
  const args = name === "apiKey" ? `--secret ${key}` : `${key} <value>`;
  return (
    `${origin(name)} is not set: run "pulumi config set ${args}", ` +
    `set the environment variable, or pass an explicit Provider with ${name}`
  );
}
