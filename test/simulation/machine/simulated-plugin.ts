/** A plugin process: the package's hooks or its native provider, over the network of the world. */
import { NativeProvider } from "../../../src/provider/native/provider";
import { hooksOver, type Hooks } from "../../../src/provider/dynamic/hooks";
import { connectionOver, type Connection } from "../../../src/provider/life-cycle/connection";
import { Diagnostics } from "../../../src/provider/diagnostics";
import { DebugLog } from "../../../src/provider/http/debug-log";
import { Http } from "../../../src/provider/http/http";
import { acceptDeleted } from "../../../src/provider/settings/own-account";
import { declarationOf } from "../../../src/resources/registry";
import type { Settings } from "../../../src/provider/settings/settings";
import { overHooks, overProtocol, type ResourceProvider } from "../../support/in-process/provider";
import { secretOf } from "../../support/in-process/values";
import { NativeClient } from "../../support/native-client";
import type { DoorName } from "../../support/engine";
import type { Stored } from "../../support/in-process/snapshot";
import { Process, type Loop } from "./loop";
import type { Network } from "./network";

/** Takes the time of a call from the engine to the plugin, and does its work. */
type Call = <T>(work: () => Promise<T>) => Promise<T>;

export interface PluginOptions {
  readonly door: DoorName;
  readonly settings: Settings;
  readonly logs: boolean;
  /** Gets every line that the process prints. */
  readonly print: (line: string) => void;
}

export class SimulatedPlugin {
  readonly process: Process;
  private readonly hooks = new Map<string, Hooks>();
  private readonly connection: Connection;
  private readonly diagnostics: Diagnostics;
  private readonly client: NativeClient | undefined;

  constructor(
    name: string,
    private readonly loop: Loop,
    network: Network,
    { door, settings, logs, print }: PluginOptions,
  ) {
    this.process = new Process(name);
    const say = (line: string) => this.process.isAlive && print(line);
    this.diagnostics = new Diagnostics(say);
    const http = new Http(settings, {
      dispatcher: network.dispatcher(this.process),
      timing: loop.timing(this.process),
      report: (line) => this.diagnostics.print(line),
      ...(logs ? { log: new DebugLog(settings.apiKey, say) } : {}),
    });
    this.connection = connectionOver(http);
    if (door === "native") this.client = this.nativeClient(settings, say);
  }

  /** The provider of a resource. Each call but those of a preview to create and update takes its time. */
  providerOf({ urn, type }: Pick<Stored, "urn" | "type">, call: Call): ResourceProvider {
    if (this.client) return inTransit(overProtocol(this.client, urn), call);
    return overHooks(
      (name) =>
        (...values) =>
          call(() => this.hooksOf(type)(name)(...values)),
    );
  }

  private hooksOf(type: string): Hooks {
    let hooks = this.hooks.get(type);
    if (!hooks) {
      const context = { now: () => this.loop.now(), diagnostics: this.diagnostics };
      hooks = hooksOver(declarationOf(type), () => this.connection, context);
      this.hooks.set(type, hooks);
    }
    return hooks;
  }

  private nativeClient(settings: Settings, say: (line: string) => unknown): NativeClient {
    // Worlds delete all objects of a stack by hand.
    process.env[acceptDeleted] = "true";
    const provider = new NativeProvider(
      { warn: (urn, text) => say(`${urn}: ${text}`), print: say },
      () => this.connection,
    );
    const client = NativeClient.inProcess(provider);
    const { apiKey, baseUrl, stampMetadata } = settings;
    // It is done long before the first call arrives.
    void client.configure({ apiKey: secretOf(apiKey), baseUrl, stampMetadata: String(stampMetadata) });
    return client;
  }
}

/** A preview asks what is planned without a moment between, so that a world goes on as it does without the question. */
function inTransit(provider: ResourceProvider, call: Call): ResourceProvider {
  return {
    check: (olds, news) => call(() => provider.check(olds, news)),
    diff: (stored, news) => call(() => provider.diff(stored, news)),
    create: (inputs, isPreview) =>
      isPreview ? provider.create(inputs, true) : call(() => provider.create(inputs, false)),
    update: (stored, inputs, isPreview) =>
      isPreview ? provider.update(stored, inputs, true) : call(() => provider.update(stored, inputs, false)),
    read: (stored) => call(() => provider.read(stored)),
    delete: (stored) => call(() => provider.delete(stored)),
  };
}
