/** A plugin process: the package's hooks, over the network of the world. */
import { hooksOver, type Hooks } from "../../../src/plugin/hooks";
import { connectionOver, type Connection } from "../../../src/provider/connection";
import { Diagnostics } from "../../../src/provider/diagnostics";
import { DebugLog } from "../../../src/provider/http/debug-log";
import { Http } from "../../../src/provider/http/http";
import { declarationOf } from "../../../src/resources/registry";
import type { Settings } from "../../../src/settings";
import { Process, type Loop } from "./loop";
import type { Network } from "./network";

export class Plugin {
  readonly process: Process;
  private readonly hooks = new Map<string, Hooks>();
  private readonly connection: Connection;
  private readonly diagnostics: Diagnostics;

  /** @param print gets every line that the process prints. */
  constructor(
    name: string,
    private readonly loop: Loop,
    network: Network,
    settings: Settings,
    logs: boolean,
    print: (line: string) => void,
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
  }

  hooksOf(type: string): Hooks {
    let hooks = this.hooks.get(type);
    if (!hooks) {
      const context = { now: () => this.loop.now(), diagnostics: this.diagnostics };
      hooks = hooksOver(declarationOf(type), () => this.connection, context);
      this.hooks.set(type, hooks);
    }
    return hooks;
  }
}
