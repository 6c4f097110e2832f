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

/** The value that a text stands for, and the value where there is no text; none for a setting that must be given. */
interface Reader<T> {
  readonly read: (text: string) => T | Wrong;
  readonly absent?: { readonly value: T };
}

const boolean: Reader<boolean> = {
  read: (text) =>
    text === "true" || text === "false" ? text === "true" : new Wrong('must be "true" or "false"'),
  absent: { value: false },
};

function number(what: string, most: number): Reader<number>["read"] {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value)) return new Wrong(`must be a number of ${what}, such as "60"`);
    if (value < 1) return new Wrong("must be at least 1");
    return value <= most ? value : new Wrong(`must be at most ${most} ${what}`);
  };
}

function readBaseUrl(text: string): string | Wrong {
  if (!URL.canParse(text))
    return new Wrong(`must be a URL such as https://api.example.com, not ${quoted(text)}`);
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") return new Wrong("must hold no user name and no password");
  if (url.search !== "" || url.hash !== "")
    return new Wrong(`must hold no query and no fragment: ${quoted(text)}`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return new Wrong(`must be an https URL, not ${quoted(text)}`);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return new Wrong(`must be an https URL: http is for loopback hosts only, and ${quoted(text)} is none`);
  }
  return text.replace(/\/+$/, "");
}

function readApiKey(text: string): string | Wrong {
  return /^[\x21-\x7e]+$/.test(text) ? text : new Wrong("must be a token of an API key, without white space");
}

function readPerMinute(text: string): number | Wrong {
  const value = number("requests", 100_000)(text);
  return value instanceof Wrong ? value : Math.floor(value);
}

function quoted(value: string): string {
  // What is set by mistake in the place of a URL may well be a secret.
  return URL.canParse(value) && new URL(value).password === "" ? JSON.stringify(value) : "what is set";
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The settings, from the source or else the environment. Throws one SettingsError with all problems. */
export function readSettings(source: ConfigSource, environment: Environment): Settings {
  const problems: string[] = [];
  const setting = <T>(name: keyof Settings, { read, absent }: Reader<T>): T => {
    const text = source.get(configKey(name)) ?? environment[environmentNames[name]];
    if (text === undefined || text === "") {
      if (absent) return absent.value;
      problems.push(missing(name));
    } else {
      const value = read(text);
      if (!(value instanceof Wrong)) return value;
      problems.push(`${origin(name)} ${value.clause}`);
    }
    return undefined as never;
  };
  const settings: Settings = {
    apiKey: setting("apiKey", { read: readApiKey }),
    baseUrl: setting("baseUrl", { read: readBaseUrl }),
    patchUndocumented: setting("patchUndocumented", boolean),
    requestTimeout: setting("requestTimeout", { read: number("seconds", 3600), absent: { value: 60 } }),
    retryTimeout: setting("retryTimeout", { read: number("seconds", 86_400), absent: { value: 300 } }),
    requestsPerMinute: setting("requestsPerMinute", { read: readPerMinute, absent: { value: undefined } }),
    stampMetadata: setting("stampMetadata", boolean),
  };
  if (problems.length > 0) throw new SettingsError(problems.join("; "));
  return settings;
}

function origin(name: keyof Settings): string {
  return `the setting ${configKey(name)} (or ${environmentNames[name]})`;
}

function missing(name: keyof Settings): string {
  const secret = name === "apiKey" ? "--secret " : "";
  return (
    `${origin(name)} is not set: run "pulumi config set ${secret}${configKey(name)} <value>", ` +
    `set the environment variable, or pass an explicit Provider with ${name}`
  );
}
