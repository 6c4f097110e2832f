/** The checks of `doctor`. Each reports what it found, and what to do about a problem. */
import { clientWith } from "../../account/client";
import type { AccountClient } from "../../account/client";
import { AnswerError, ApiError, TransportError } from "../../provider/errors";
import type { ConfigSource } from "../../provider/settings";
import { configKey, environmentNames, requiredSettings, settingNames } from "../../settings";
import type { Settings } from "../../settings";
import type { AccountFlags } from "../command";
import { UsageError } from "../command";
import { plainList, settingsFrom, sourceFor } from "../input/connect";
import { note } from "../terminal/progress";
import { counted } from "../../text/phrase";

export interface Check {
  name: "settings" | "base URL" | "key" | "version" | "clock";
  status: "ok" | "warning" | "failed" | "skipped";
  message: string;
  advice?: string;
}

interface SettingOrigin {
  readonly name: keyof Settings;
  /** "not set" is a required setting that nothing gives. */
  readonly from: string;
  /** Undefined for the key, for a setting without a value, and where a setting is wrong: it may be a secret in a wrong place. */
  readonly value?: string | number | boolean;
}

export interface Diagnosis {
  /** In the order in which they build on each other. */
  readonly checks: readonly Check[];
  readonly settings: readonly SettingOrigin[];
}

/** Runs all checks, and says where each setting comes from. */
export async function diagnose(flags: AccountFlags): Promise<Diagnosis> {
  const { check, settings, origins } = await checkSettings(flags);
  if (settings === undefined) {
    return { checks: [check, ...skipped("base URL", "key", "version", "clock")], settings: origins };
  }
  // The user waits for the result, so an outage is reported soon.
  const client = clientWith({ ...settings, retryTimeout: Math.min(settings.retryTimeout, 5) }, note);
  const checks = [check, ...(await checkService(client)), checkClock(client, Date.now())];
  return { checks, settings: origins };
}

interface ReadSettings {
  readonly check: Check;
  readonly settings?: Settings;
  readonly origins: readonly SettingOrigin[];
}

async function checkSettings(flags: AccountFlags): Promise<ReadSettings> {
  const name = "settings";
  let source: ConfigSource | undefined;
  try {
    source = await sourceFor(flags);
    const settings = settingsFrom(source, flags);
    const origins = originsOf(flags, source, settings);
    const from = (setting: keyof Settings): string => origins.find((each) => each.name === setting)!.from;
    const message = `the key is from ${from("apiKey")}, the base URL from ${from("baseUrl")}: ${settings.baseUrl}`;
    return { check: { name, status: "ok", message }, settings, origins };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const check: Check = { name, status: "failed", message: (error as Error).message };
    return { check, origins: source === undefined ? [] : originsOf(flags, source, undefined) };
  }
}

function originsOf(
  { stack }: AccountFlags,
  source: ConfigSource,
  settings: Settings | undefined,
): SettingOrigin[] {
  return settingNames.map((name) => {
    const variable = environmentNames[name];
    const isInStack = source.get(configKey(name)) !== undefined;
    const isInEnvironment = (process.env[variable] ?? "") !== "";
    const otherwise = requiredSettings.includes(name) ? "not set" : "default";
    const from = isInStack ? `the stack ${stack}` : isInEnvironment ? variable : otherwise;
    const value = name === "apiKey" ? undefined : settings?.[name];
    return { name, from, ...(value !== undefined && { value }) };
  });
}

/** One request answers most checks. */
async function checkService(client: AccountClient): Promise<Check[]> {
  const origin = client.settings.baseUrl;
  const reached: Check = { name: "base URL", status: "ok", message: `the API answers at ${origin}` };
  const accepted: Check = { name: "key", status: "ok", message: "the service accepts it" };
  try {
    // An answer that is not the specified list throws.
    for await (const _ of client.pages(plainList)) break;
    return [
      reached,
      accepted,
      { name: "version", status: "ok", message: "the service answers in version 2" },
    ];
  } catch (error) {
    const failed = { status: "failed", message: (error as Error).message } as const;
    const unreached = (advice?: string): Check[] => [
      { name: "base URL", ...failed, advice },
      ...skipped("key", "version"),
    ];
    if (!(error instanceof ApiError)) return unreached(adviceWithoutAnswer(error));
    if (!error.refused.own || error.status === 404) {
      return unreached("Set the base URL to the address of the API, with its path prefix");
    }
    if (error.status === 401) return [reached, { name: "key", ...failed }, ...skipped("version")];
    if (error.status === 403) {
      const advice = "The key may have other permissions; ask an administrator of the account";
      return [reached, { name: "key", ...failed, status: "warning", advice }, ...skipped("version")];
    }
    if (error.status === 429 || error.status >= 500) return unreached();
    // The request has nothing else that a service could refuse.
    const advice = "This package uses version 2: the service must accept the header Service-Version: 2";
    return [reached, ...skipped("key"), { name: "version", ...failed, advice }];
  }
}

function adviceWithoutAnswer(error: unknown): string | undefined {
  if (error instanceof AnswerError) {
    return "Something other than the API answers: set the base URL to the address of the API";
  }
  if (!(error instanceof TransportError)) return undefined;
  return {
    unsent: "Check the host name and port, the network, and HTTPS_PROXY if you use a proxy",
    hopeless:
      "Check the certificate (set NODE_EXTRA_CA_CERTS to a file with your own authority) and the proxy",
    broken:
      "The service or a proxy in front of it broke the connection or is too slow (setting requestTimeout)",
  }[error.outcome];
}

const seconds = 1000;

/** Compares the clocks, on which the times of certificates and the tracking of restarts depend. */
export function checkClock({ http }: Pick<AccountClient, "http">, now: number): Check {
  const theirs = http.serverTime(now);
  if (theirs === undefined) {
    return { name: "clock", status: "skipped", message: "no answer of the service showed its time" };
  }
  // The service reports whole seconds.
  const ahead = Math.round((now - theirs) / seconds);
  const size = Math.abs(ahead);
  const message = `this clock is ${counted(size, "second")} ${ahead < 0 ? "behind" : "ahead of"} the service's clock`;
  if (size <= 5) return { name: "clock", status: "ok", message: "it agrees with the service's clock" };
  const advice = "Set this machine's clock, for example with NTP";
  return { name: "clock", status: size <= 60 ? "warning" : "failed", message, advice };
}

function skipped(...names: Check["name"][]): Check[] {
  return names.map((name) => ({ name, status: "skipped", message: "not known" }));
}
