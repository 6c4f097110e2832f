/** The checks of `doctor`: each says what is, and what to do where it is wrong. */
import { clientWith } from "../account/client";
import type { Client } from "../account/client";
import { AnswerError, ApiError, TransportError } from "../provider/errors";
import { readSettings } from "../provider/settings";
import { configKey, environmentNames } from "../settings";
import type { Settings } from "../settings";
import type { AccountFlags } from "./command";
import { UsageError } from "./command";
import { sourceFor } from "./connect";
import { note } from "./progress";

export interface Check {
  name: "settings" | "base URL" | "key" | "version" | "clock";
  status: "ok" | "warning" | "failed" | "skipped";
  message: string;
  /** What to do. */
  advice?: string;
}

/** All checks, in the order in which they build on each other. */
export async function diagnose(flags: AccountFlags): Promise<Check[]> {
  const { check, settings } = await checkSettings(flags);
  if (settings === undefined) return [check, ...skipped("base URL", "key", "version", "clock")];
  // Somebody waits for the answer, so an outage is told at once.
  const client = clientWith({ ...settings, retryTimeout: Math.min(settings.retryTimeout, 5) }, note);
  return [check, ...(await checkService(client)), checkClock(client, Date.now())];
}

async function checkSettings(flags: AccountFlags): Promise<{ check: Check; settings?: Settings }> {
  const name = "settings";
  try {
    const source = await sourceFor(flags);
    const settings = readSettings(source, process.env);
    const stack = `the stack ${flags.stack ?? ""}`;
    const origin = (setting: "apiKey" | "baseUrl"): string =>
      source.get(configKey(setting)) === undefined ? environmentNames[setting] : stack;
    const message = `the key is from ${origin("apiKey")}, the base URL from ${origin("baseUrl")}: ${settings.baseUrl}`;
    return { check: { name, status: "ok", message }, settings };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return { check: { name, status: "failed", message: (error as Error).message } };
  }
}

/** One request tells most: a list that every key should be allowed to read. */
async function checkService(client: Client): Promise<Check[]> {
  const list = { path: "/ip_policies", listKey: "ip_policies", operation: "listing the IP policies" };
  const origin = client.settings.baseUrl;
  const reached: Check = { name: "base URL", status: "ok", message: `the API answers at ${origin}` };
  const accepted: Check = { name: "key", status: "ok", message: "it is accepted" };
  try {
    // An answer that is no list as specified fails here.
    for await (const _ of client.pages(list)) break;
    return [
      reached,
      accepted,
      { name: "version", status: "ok", message: "the service answers as version 2" },
    ];
  } catch (error) {
    const { message } = error as Error;
    if (!(error instanceof ApiError)) return [unreached(error, message), ...skipped("key", "version")];
    if (!error.refused.own || error.status === 404) {
      const advice = "Set the base URL to where the API is, with its path prefix";
      return [{ name: "base URL", status: "failed", message, advice }, ...skipped("key", "version")];
    }
    if (error.status === 401) {
      return [reached, { name: "key", status: "failed", message }, ...skipped("version")];
    }
    if (error.status === 403) {
      const advice = "It may still do other things; ask an administrator of the account";
      return [reached, { name: "key", status: "warning", message, advice }, ...skipped("version")];
    }
    if (/version/i.test(error.serviceMessage ?? "")) {
      const advice = "This package speaks version 2: the service must take the header Service-Version: 2";
      return [reached, ...skipped("key"), { name: "version", status: "failed", message, advice }];
    }
    return [{ ...reached, status: "failed", message }, ...skipped("key", "version")];
  }
}

function unreached(error: unknown, message: string): Check {
  const name = "base URL";
  if (error instanceof TransportError) {
    const advice = {
      unsent: "Check its host name and port, the network, and HTTPS_PROXY where a proxy stands between",
      hopeless:
        "Check the certificate (NODE_EXTRA_CA_CERTS names a file with an authority of your own) and the proxy",
      broken:
        "The service, or a proxy before it, broke the connection or is too slow (setting requestTimeout)",
    }[error.outcome];
    return { name, status: "failed", message, advice };
  }
  const isAnswer = error instanceof AnswerError;
  return {
    name,
    status: "failed",
    message,
    advice: isAnswer
      ? "Something else than the API answers: set the base URL to where the API is"
      : undefined,
  };
}

const seconds = 1000;

/** Times of certificates and the following of restarts compare this clock with the service's. */
export function checkClock({ http }: Pick<Client, "http">, now: number): Check {
  const theirs = http.serverTime(now);
  if (theirs === undefined) {
    return { name: "clock", status: "skipped", message: "no answer of the service told its time" };
  }
  // The service tells whole seconds.
  const ahead = Math.round((now - theirs) / seconds);
  const size = Math.abs(ahead);
  const message = `this clock is ${size} seconds ${ahead < 0 ? "behind" : "ahead of"} the service's`;
  if (size <= 5) return { name: "clock", status: "ok", message: "it agrees with the service's" };
  const advice = "Set this machine's clock, such as by NTP";
  return { name: "clock", status: size <= 60 ? "warning" : "failed", message, advice };
}

function skipped(...names: Check["name"][]): Check[] {
  return names.map((name) => ({ name, status: "skipped", message: "not known" }));
}
