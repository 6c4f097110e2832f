import { textTable } from "../../../output/document";
import { ReportedFailure } from "../../command";
import type { AccountFlags, OutputFlags } from "../../shared-options";
import { printBlocks, printJson } from "../../terminal/output";
import { clientWith } from "../../../../account/account-client";
import type { AccountClient } from "../../../../account/account-client";
import { AnswerError, ApiError, TransportError } from "../../../../provider/errors";
import { parseSettings } from "../../../../provider/settings/read-settings";
import type { ConfigSource } from "../../../../provider/settings/read-settings";
import { quote, counted, durationText, second } from "../../../../schema/text/phrase";
import {
  configKey,
  environmentNames,
  nameKey,
  requiredSettings,
  settingNames,
} from "../../../../provider/settings/settings";
import type { Settings } from "../../../../provider/settings/settings";
import { plainList, settingsFrom, settingsSource } from "../../../inventory/connect";
import type { AccountChoice } from "../../../inventory/connect";
import { readStack } from "../../../inventory/stack";
import { configOnce } from "../../../stack/config";
import type { StackConfig } from "../../../stack/config";
import { isFailure } from "../../../stack/pulumi";
import { unknownKeys } from "../../../../provider/settings/unknown-settings";
import { shellWord } from "../../../../schema/text/escape";
import { accountOf } from "../../shared-options";
import { note } from "../../terminal/progress";

export async function run(flags: AccountFlags & OutputFlags): Promise<void> {
  const { checks, settings } = await diagnose(flags);
  const ok = checks.every(({ status }) => status !== "failed");
  if (flags.json) printJson({ ok, checks, settings });
  else {
    const rows = checks.map(({ status, name, message, advice }) => [
      status,
      name,
      advice === undefined ? message : `${message}. ${advice}`,
    ]);
    const origins = settings.map(({ name, value = "", from }) => [name, String(value), from]);
    printBlocks([
      textTable(["status", "check", "finding"], rows, "check"),
      textTable(["setting", "value", "from"], origins, "setting"),
    ]);
  }
  if (!ok) throw new ReportedFailure();
}

interface Check {
  name: "settings" | "unknown settings" | "base URL" | "key" | "version" | "clock" | "pending creates";
  status: "ok" | "warning" | "failed" | "skipped";
  message: string;
  advice?: string;
}

interface SettingOrigin {
  readonly name: keyof Settings;
  /** "not set" is a required setting without a source. */
  readonly from: string;
  /** Undefined for the key, for a setting without a value, and for a wrong value, which may be a misplaced secret. */
  readonly value?: string | number | boolean;
}

/** Runs all checks, in the order in which they build on each other, and finds the source of each setting. */
async function diagnose(flags: AccountFlags) {
  const choice = accountOf(flags);
  const { stack, cwd } = choice;
  const config = stack === undefined ? undefined : configOnce(stack, { cwd, mayAsk: true });
  const { check, settings, origins } = await checkSettings(choice, config);
  // The user waits for the result, so an outage is reported soon.
  const client = settings && clientWith(settings, note, 5);
  const checks = [
    check,
    ...(await checkKeys(choice, config)),
    ...(client ? await checkService(client) : skipped("base URL", "key", "version")),
    ...(client ? [checkClock(client, Date.now())] : skipped("clock")),
    ...(await checkPending(choice)),
  ];
  return { checks, settings: origins };
}

async function checkSettings(choice: AccountChoice, config: StackConfig | undefined) {
  const checked = (status: Check["status"], message: string): Check => ({
    ...{ name: "settings", status, message },
  });
  // If the stack's configuration cannot be read, the table shows the settings of the environment.
  let source: ConfigSource = { get: () => undefined };
  try {
    source = await settingsSource(choice, config);
    const settings = settingsFrom(source, choice);
    const origins = originsOf(choice, source);
    const from = (setting: keyof Settings): string => origins.find((each) => each.name === setting)!.from;
    const message = `the key is from ${from("apiKey")}, the base URL from ${from("baseUrl")}: ${settings.baseUrl}`;
    return { check: checked("ok", message), settings, origins };
  } catch (error) {
    return { check: checked("failed", (error as Error).message), origins: originsOf(choice, source) };
  }
}

/** Unknown keys in the configuration of the stack. An explicit provider does not read the configuration. */
async function checkKeys(
  { stack, cwd, provider }: AccountChoice,
  config: StackConfig | undefined,
): Promise<Check[]> {
  if (stack === undefined || config === undefined || provider !== undefined) return [];
  try {
    const keys = [...(await config()).keys()];
    if (unknownKeys(keys, undefined).length === 0) return [];
    const { project } = await readStack({ stack, cwd, note: () => undefined });
    return unknownKeys(keys, project).map((message) => ({
      name: "unknown settings",
      status: "warning",
      message,
    }));
  } catch (error) {
    // The other checks of the stack report the reason.
    if (!isFailure(error)) throw error;
    return [];
  }
}

function originsOf({ stack }: AccountChoice, source: ConfigSource): SettingOrigin[] {
  const provider = source.get(nameKey);
  const own =
    provider === undefined ? `the stack ${stack}` : `the Provider ${quote(provider)} of the stack ${stack}`;
  const { settings, problems } = parseSettings(source, process.env);
  const wrong = new Set(problems.map((problem) => problem.name));
  return settingNames.map((name) => {
    const variable = environmentNames[name];
    const isGiven = source.get(configKey(name)) !== undefined;
    const isInEnvironment = (process.env[variable] ?? "") !== "";
    const otherwise = requiredSettings.includes(name) ? "not set" : "default";
    const from = isGiven ? own : isInEnvironment ? variable : otherwise;
    const value = name === "apiKey" || wrong.has(name) ? undefined : settings[name];
    const shown = typeof value === "object" ? JSON.stringify(value) : value;
    return { name, from, ...(shown !== undefined && { value: shown }) };
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
    const failed = { status: "failed" as const, message: (error as Error).message };
    const unreached = (advice?: string, status: Check["status"] = "failed"): Check[] => [
      { name: "base URL", ...failed, status, advice },
      ...skipped("key", "version"),
    ];
    if (!(error instanceof ApiError)) return unreached(adviceWithoutAnswer(error));
    // A proxy may limit the rate, or hide a service that is down.
    if (error.status === 429)
      return unreached("The rate limit is exhausted: run the command again in a minute", "warning");
    if (error.status >= 500)
      return unreached(
        "The service or a proxy in front of it is down or overloaded: try again later, or ask its operator",
      );
    if (!error.refused.own || error.status === 404) {
      failed.message = error.summary;
      return unreached("Set the base URL to the address of the API, with its path prefix");
    }
    if (error.status === 401) return [reached, { name: "key", ...failed }, ...skipped("version")];
    if (error.status === 403) {
      const advice = "The key may have other permissions; ask an administrator of the account";
      return [reached, { name: "key", ...failed, status: "warning", advice }, ...skipped("version")];
    }
    // The request has no other part that a service could refuse.
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

/** Compares the clocks. The times of certificates and the tracking of restarts depend on them. */
export function checkClock({ http }: Pick<AccountClient, "http">, now: number): Check {
  const theirs = http.serverTime(now);
  if (theirs === undefined) {
    return { name: "clock", status: "skipped", message: "no answer of the service showed its time" };
  }
  // The service reports whole seconds.
  const ahead = Math.round((now - theirs) / second);
  const size = Math.abs(ahead);
  const message = `this clock is ${durationText(size * second, "second")} ${ahead < 0 ? "behind" : "ahead of"} the service's clock`;
  if (size <= 5) return { name: "clock", status: "ok", message: "it agrees with the service's clock" };
  const advice = "Set this machine's clock, for example with NTP";
  return { name: "clock", status: size <= 60 ? "warning" : "failed", message, advice };
}

/** Whether the state of the stack has pending creates from an interrupted deployment: the next update would repeat them. */
async function checkPending({ stack, cwd }: AccountChoice): Promise<Check[]> {
  if (stack === undefined) return [];
  const name = "pending creates";
  try {
    const { pending, urns } = await readStack({ stack, cwd, note: () => undefined });
    if (pending.length === 0) return [{ name, status: "ok", message: "the stack has none" }];
    const where = ` --stack ${shellWord(stack)}${cwd === undefined ? "" : ` --cwd ${shellWord(cwd)}`}`;
    const open = pending.filter(({ urn }) => !urns.has(urn));
    if (open.length === 0) {
      // A later update created the objects, or the creates were those of replacements.
      const message = `pulumi was ended during ${counted(pending.length, "create")}, and the state has the ${pending.length === 1 ? "resource" : "resources"}`;
      const advice = `To end the warnings of pulumi up, run "pulumi refresh${where} --clear-pending-creates"`;
      return [{ name, status: "warning", message, advice }];
    }
    const message = `pulumi was ended during ${counted(open.length, "create")}, and the next update creates ${open.length === 1 ? "the object" : "the objects"} again`;
    const commands = [...new Set(open.map(({ provider }) => provider))].map((provider) => {
      const of = provider === undefined ? "" : ` --provider ${shellWord(provider)}`;
      return `"npx pulumi-tunnel-gateway orphans${where}${of} --write import.json"`;
    });
    const advice = `Before the next pulumi up, run ${commands.join(" and ")}`;
    return [{ name, status: "warning", message, advice }];
  } catch (error) {
    if (!isFailure(error)) throw error;
    return [{ name, status: "skipped", message: error.message }];
  }
}

function skipped(...names: Check["name"][]): Check[] {
  return names.map((name) => ({ name, status: "skipped", message: "not known" }));
}
