/** The hooks of a type: the life cycle of its declaration, over one connection for each configuration. */
import type { dynamic } from "@pulumi/pulumi";
import { keepShim, recordedState, shimIn } from "../../schema/recorded-state";
import { mapSecrets } from "../../schema/secrets";
import type { Declaration } from "../../schema/declaration";
import { isRecord, membersOf } from "../../schema/unknown";
import type { StoredOutputs } from "../../schema/values";
import { escapeMessage } from "../../schema/text/escape";
import { shimOf } from "../../program/shim";
import { declarationOf, readable } from "../../resources/registry";
import { engineAddress, watchEngine, engineLogAt, withLines } from "./engine";
import { Deployment } from "../deployment";
import { diagnostics } from "../diagnostics";
import { connectionFor } from "../life-cycle/connection";
import type { Connection } from "../life-cycle/connection";
import { GatewayError, scrub } from "../errors";
import { OwnAccount, acceptDeleted, accountMark } from "../settings/own-account";
import { readPluginSettings, withConfiguredAccount } from "../settings/read-settings";
import type { AccountSettings, ConfigSource } from "../settings/read-settings";
import { settingText, settingsIn } from "../settings/settings";
import { startTracing, stopTracing, traced } from "../tracing/tracing";
import { LifeCycle } from "../life-cycle/life-cycle";
import type { HookContext } from "../life-cycle/life-cycle";

type HookName = "check" | "diff" | "create" | "read" | "update" | "delete";
type Hook = (...values: unknown[]) => Promise<unknown>;
/** The hooks of a type, by name. */
export type Hooks = (name: HookName) => Hook;
/** What Pulumi's plugin works with: it calls `configure` once, and then the hooks. */
export interface ConfiguredHooks extends Readonly<Record<HookName, Hook>> {
  configure(request: dynamic.ConfigureRequest): Promise<void>;
}

/** Each provider of a stack has a plugin of its own. */
const account = new OwnAccount();

/**
 * The hooks of a type. Throws for an unknown type. @public The entry loads it by require.
 * @param since when the provider began to load, in milliseconds of `performance`.
 */
export function hooksOfType(type: string, since = 0): ConfiguredHooks {
  if (startPlugin(since)) diagnostics.showBy(engineLogAt(engineAddress(process.argv)));
  const declaration = declarationOf(type);
  let connect: () => Connection;
  const named = hooksOver(declaration, () => connect());
  const hook =
    (name: HookName): Hook =>
    (...values) =>
      withLines(() => named(name)(...values));
  return {
    // The plugin does not wait for its end before it calls a hook, so it works synchronously.
    configure: ({ config }) => {
      let connection: Connection | undefined;
      connect = () => {
        const source = withConfiguredAccount(sourceOf(config), process.env);
        const deployment = Deployment.of(engineAddress(process.argv));
        return (connection ??= connectionFor(readPluginSettings(source, process.env), { deployment }));
      };
      return Promise.resolve();
    },
    check: hook("check"),
    create: hook("create"),
    diff: async (...values) => withMissingShim(values, (await hook("diff")(...values)) as dynamic.DiffResult),
    read: async (...values) => {
      const state = membersOf(values[1]);
      const read = hook("read")(...values) as Promise<dynamic.ReadResult>;
      const found = await confirmed(read, state, () => connect().settings);
      return withCurrentShim(type, found);
    },
    update: hook("update"),
    delete: hook("delete"),
  };
}

/** The settings of a provider. Pulumi's own method reads no name without a namespace. */
function sourceOf(config: dynamic.Config): ConfigSource {
  const inputs = settingsIn(membersOf((config as { rawConfig?: unknown }).rawConfig));
  return { get: (key) => settingText(config.get(key) ?? inputs[key]) };
}

/**
 * Pulumi's plugin reads and deletes with the text in the outputs. The state that a native provider has left holds none, so
 * the next update, which sends nothing, writes it.
 */
function withMissingShim([, outputs, inputs]: unknown[], result: dynamic.DiffResult): dynamic.DiffResult {
  const isMissing = shimIn(membersOf(outputs)) === undefined && shimIn(membersOf(inputs)) !== undefined;
  return isMissing && result.changes === false ? { ...result, changes: true } : result;
}

/**
 * The result of a read in a refresh. Throws where the object is gone and the account may be another one: the state does not name this
 * account, and no object of the stack exists.
 */
export async function confirmed<Read extends dynamic.ReadResult>(
  read: Promise<Read>,
  state: StoredOutputs,
  settings: () => AccountSettings,
): Promise<Read> {
  const { account: mark } = recordedState(state);
  const isAccepted = process.env[acceptDeleted] === "true";
  const isForeign = ({ id }: Read): boolean => id === "" && mark !== accountMark(settings());
  return isAccepted ? read : account.confirmed(read, isForeign);
}

/**
 * Pulumi's plugin sets the provider's text of the state in what a read returns. It becomes the text of this version, so
 * that a refresh makes the state of an earlier version smaller.
 */
function withCurrentShim(type: string, result: dynamic.ReadResult): dynamic.ReadResult {
  for (const values of [result.props, result.inputs]) if (isRecord(values)) keepShim(values, shimOf(type));
  return result;
}

/** The hooks of a declaration over a connection, by name. */
export function hooksOver(declaration: Declaration, connect: () => Connection, context?: HookContext): Hooks {
  const cycle = new LifeCycle(declaration, connect, context);
  return (name) =>
    (...values) =>
      asHook({ name, declaration }, values, () => (cycle[name] as Hook).apply(cycle, values));
}

/** A call of a hook. */
export interface HookCall {
  /** What it does: check, diff, create … */
  readonly name: string;
  readonly declaration: Declaration;
  /** The resource, where the engine names it. */
  readonly urn?: string;
}

/**
 * Works as a hook, which gets these values: it is a span, the plugin does not end meanwhile, and an error shows no secret of the
 * values.
 */
export async function asHook<T>(
  { name, declaration, urn }: HookCall,
  values: readonly unknown[],
  work: () => Promise<T>,
): Promise<T> {
  const { type, path } = declaration;
  runningHooks += 1;
  try {
    const attributes = { "resource.type": type, "resource.collection": path, "resource.urn": urn };
    return await traced(`${name} ${type}`, attributes, work);
  } catch (error) {
    throw presented(error, declaration, values);
  } finally {
    runningHooks -= 1;
  }
}

let runningHooks = 0;

let isStarted = false;

/**
 * What a plugin does once: spans begin, and it ends after the engine.
 * @param since when the plugin began to start, in milliseconds of `performance`.
 * @returns whether it had not begun before.
 */
export function startPlugin(since: number): boolean {
  if (isStarted) return false;
  isStarted = true;
  const paths = readable.map(({ path }) => path);
  if (startTracing(paths, since)) sendLastSpans();
  outliveTheEngine();
  return true;
}

/** Pulumi ends its plugins with a signal, and kills them five seconds later. */
function sendLastSpans(): void {
  for (const signal of ["SIGINT", "SIGBREAK"] as const) {
    process.once(signal, () => void stopTracing().then(() => process.exit()));
  }
}

/**
 * Where the engine is killed, the plugin continues and nothing reads its output. Pulumi's handler of uncaught errors
 * would try to print the failed print, endlessly, at full load and with growing memory. The plugin ends its hooks, whose
 * requests `orphans` finds, and then itself: its environment may hold the key.
 */
function outliveTheEngine(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  watchEngine(process.argv, () => {
    if (runningHooks === 0) process.exit();
  });
}

/**
 * The error as it leaves a hook. A service may echo a request, so the secrets of the hook's values are removed. Pulumi's
 * plugin prints `${error}: ${error.stack}` beside the message: the text names the package, the stack holds the message.
 * Only an error that is not the package's own is a defect, and keeps its stack.
 */
function presented(error: unknown, declaration: Declaration, values: readonly unknown[]): unknown {
  if (!(error instanceof Error)) return error;
  const secrets: string[] = [];
  for (const value of values.filter(isRecord)) {
    mapSecrets(declaration.fields, value, (secret) =>
      typeof secret === "string" ? secrets.push(secret) : 0,
    );
  }
  const stack = error instanceof GatewayError ? error.message : (error.stack ?? "");
  const clean = (text: string): string => escapeMessage(scrub(text, secrets));
  error.message = clean(error.message);
  // The members of the error, such as the service's message, must hold neither secrets nor control characters.
  for (const [name, value] of Object.entries(error)) {
    if (typeof value === "string") Object.assign(error, { [name]: clean(value) });
  }
  return Object.assign(error, { stack: clean(stack), toString: () => "tunnel-gateway" });
}
