import { z } from "zod";
import { configKey, environmentNames } from "../settings";
import type { Environment, Settings } from "../settings";
import { SettingsError } from "./errors";

/** Where settings come from beside the environment: a stack's configuration or a Provider's arguments. */
export interface ConfigSource {
  get(key: string): string | undefined;
}

const boolean = z.enum(["true", "false"], 'must be "true" or "false"').transform((text) => text === "true");

function number(what: string, most: number): z.ZodType<number> {
  return z.coerce
    .number(`must be a number of ${what}, such as "60"`)
    .min(1, "must be at least 1")
    .max(most, `must be at most ${most} ${what}`);
}

const apiKey = z.string().regex(/^[\x21-\x7e]+$/, "must be a token of an API key, without white space");

const baseUrl = z.string().transform((value, context) => {
  const wrong = (message: string): never => {
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  };
  if (!URL.canParse(value))
    return wrong(`must be a URL such as https://api.example.com, not ${quoted(value)}`);
  const url = new URL(value);
  if (url.username !== "" || url.password !== "") return wrong("must hold no user name and no password");
  if (url.search !== "" || url.hash !== "")
    return wrong(`must hold no query and no fragment: ${quoted(value)}`);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return wrong(`must be an https URL, not ${quoted(value)}`);
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    return wrong(`must be an https URL: http is for loopback hosts only, and ${quoted(value)} is none`);
  }
  return value.replace(/\/+$/, "");
});

const readers: { readonly [K in keyof Settings]-?: z.ZodType<Settings[K], string> | z.ZodType<Settings[K]> } =
  {
    apiKey,
    baseUrl,
    patchUndocumented: boolean.default(false),
    requestTimeout: number("seconds", 3600).default(60),
    retryTimeout: number("seconds", 86_400).default(300),
    requestsPerMinute: number("requests", 100_000).transform(Math.floor).optional(),
    stampMetadata: boolean.default(false),
  };

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
  const read = <K extends keyof Settings>(name: K): Settings[K] => {
    const text = source.get(configKey(name)) ?? environment[environmentNames[name]];
    const result = readers[name].safeParse(text === "" ? undefined : text);
    if (result.success) return result.data as Settings[K];
    problems.push(
      text === undefined || text === ""
        ? missing(name)
        : `${origin(name)} ${result.error.issues[0]!.message}`,
    );
    return undefined as never;
  };
  const settings: Settings = {
    apiKey: read("apiKey"),
    baseUrl: read("baseUrl"),
    patchUndocumented: read("patchUndocumented"),
    requestTimeout: read("requestTimeout"),
    retryTimeout: read("retryTimeout"),
    requestsPerMinute: read("requestsPerMinute"),
    stampMetadata: read("stampMetadata"),
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
