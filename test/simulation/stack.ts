/** A stack of a world: the commands of Pulumi and of the package as processes that can be killed. */
import { expireRules, type Expiry } from "../../src/tools/expire/expire";
import { StackRules } from "../../src/tools/expire/stack-rules";
import { findOrphans } from "../../src/tools/orphans/find";
import { plannedIn } from "../../src/tools/orphans/planned-creates";
import { recoveryFile } from "../../src/tools/orphans/recovery-file";
import { connectionOver } from "../../src/provider/life-cycle/connection";
import { readSettings } from "../../src/provider/settings/read-settings";
import { notReturned } from "../../src/schema/secrets";
import { Http } from "../../src/provider/http/http";
import type { ImportFile } from "../../src/tools/stack/import-file";
import { contentsOf } from "../../src/tools/inventory/stack";
import { readPreview } from "../../src/tools/inventory/read-preview";
import type { Settings } from "../../src/provider/settings/settings";
import type { WorldResource } from "../rounds/world";
import type { State } from "../worlds/agreement";
import type { Change, Ending, Found, UpOptions, WorldStack } from "../worlds/stage";
import { Deployment, type Operation } from "../support/in-process/deployment";
import type { Answer } from "../support/in-process/program";
import type { ProviderProcess } from "../support/in-process/provider";
import { emptySnapshot, nothing, type Snapshot, type Stored } from "../support/in-process/snapshot";
import { ofFile, shown, shownOrNull } from "../support/in-process/values";
import { componentOf, exported, stateShown } from "./export";
import { Process, type Loop } from "./machine/loop";
import { baseUrl, type Network } from "./machine/network";
import { SimulatedPlugin } from "./machine/simulated-plugin";
import type { DoorName } from "../support/engine";
import { declared } from "./program";

/** When a process writes the state, for those who kill it there. */
export type OnWrite = (stack: SimulatedStack, when: "before" | "after") => void;

const project = "program";

/** A command that ended, with what the package's own commands read of it. */
interface Ended extends Ending {
  readonly operation?: Operation;
}

export class SimulatedStack implements WorldStack {
  /** The file. */
  saved: Snapshot = emptySnapshot;
  /** The command that runs. */
  cli: Process | undefined;
  plugins: SimulatedPlugin[] = [];
  onWrite: OnWrite = () => undefined;
  /** The URNs of components in the state. */
  private components = new Set<string>();
  private readonly failed: { from: number; until: number }[] = [];
  private commands = 0;

  constructor(
    readonly name: string,
    private readonly loop: Loop,
    private readonly network: Network,
    private readonly stamps: boolean,
    private readonly door: DoorName,
  ) {}

  /** What `up` would do. */
  preview(
    program: readonly WorldResource[],
    options: { refreshes?: boolean; targets?: readonly string[] | undefined } = {},
  ): Promise<Ended> {
    return this.command({ logs: false }, async (providerOf) => {
      let base = this.saved;
      if (options.refreshes) {
        const refresh = new Deployment(base, { providerOf, isPreview: false });
        await refresh.refresh();
        base = refresh.snapshot;
      }
      const targets = options.targets && this.urnsOf(program, options.targets);
      const deployment = new Deployment(base, { providerOf, isPreview: true, targets });
      await this.through(program, deployment);
      return deployment.result();
    });
  }

  /** Deploys the program. */
  async up({ program, refreshes = false, logs = false, targets }: UpOptions): Promise<Ending> {
    const from = this.loop.now();
    const components = declared(program, this.place).flatMap((each) => componentOf(each) ?? []);
    for (const each of components) this.components.add(each);
    const parallel = [1, 2, 8, 16][this.loop.chance.below(4)]!;
    const ending = await this.command({ logs }, async (providerOf, write) => {
      if (refreshes)
        await new Deployment(this.saved, { providerOf, isPreview: false, parallel, write }).refresh();
      const urns = targets && this.urnsOf(program, targets);
      const deployment = new Deployment(this.saved, {
        providerOf,
        isPreview: false,
        parallel,
        write,
        targets: urns,
      });
      await this.through(program, deployment);
      return deployment.result();
    });
    if (ending.how === "well") {
      this.failed.splice(0);
      if (!targets) this.components = new Set(components);
    } else this.failed.push({ from, until: this.loop.now() });
    return ending;
  }

  /** Reads every object into the state. */
  refresh(options: { clearsPending?: boolean; logs?: boolean } = {}): Promise<Ending> {
    return this.command({ logs: options.logs ?? false }, async (providerOf, write) => {
      if (options.clearsPending) this.saved = { ...this.saved, pending: [] };
      const deployment = new Deployment(this.saved, { providerOf, isPreview: false, write });
      await deployment.refresh();
      return deployment.result();
    });
  }

  /** Deletes every object, dependents first. */
  destroy(options: { logs?: boolean } = {}): Promise<Ending> {
    return this.up({ ...options, program: [] });
  }

  unprotect(): Promise<void> {
    const resources = this.saved.resources.map((stored) => ({ ...stored, protect: false }));
    this.saved = { ...this.saved, resources };
    return Promise.resolve();
  }

  async orphans(program?: readonly WorldResource[]): Promise<Found> {
    const process = new Process(`orphans of ${this.name}`);
    const timing = this.loop.timing(process);
    const dispatcher = this.network.dispatcher(process);
    const http = new Http(this.settings, { dispatcher, timing, report: () => undefined });
    const client = connectionOver(http);
    const contents = contentsOf(exported(this.saved, [...this.components], this.door), this.name);
    const planned = program && this.failed.length > 0 ? await this.planned(program) : undefined;
    const search = findOrphans(client, { ...contents, project, stack: this.name }, planned, () => undefined);
    const { orphans, outcomes } = await this.loop.run(search);
    const file = recoveryFile(outcomes, contents, this.loop.now());
    const imports = file.resources.map(({ name, id, inputs }) => {
      return { name, id, lacksSecret: JSON.stringify(inputs).includes(notReturned) };
    });
    return { orphans, imports, import: () => Promise.resolve(this.import(file)) };
  }

  /**
   * `tunnel-gateway expire`, beside whatever else happens: the caller runs the loop. Undefined where its process is killed.
   * Only the answers of the service say what time it is.
   */
  async expire(isDryRun = false): Promise<Expiry | undefined> {
    const process = new Process(`expire of ${this.name}`);
    const dispatcher = this.network.dispatcher(process);
    const timing = { ...this.loop.timing(process), now: () => this.loop.chance.below(2 ** 40) };
    const http = new Http(this.settings, { dispatcher, timing, report: () => undefined });
    const read = async (): Promise<StackRules> => {
      await this.loop.sleep(this.loop.chance.next() * 500, process);
      const state = exported(this.saved, [...this.components], this.door);
      await this.loop.sleep(this.loop.chance.next() * 500, process);
      return new StackRules(contentsOf(state, this.name));
    };
    const connect = () => Promise.resolve(connectionOver(http));
    const killed = new Promise<undefined>((resolve) => process.watch(() => resolve(undefined)));
    return Promise.race([expireRules({ isDryRun, read, connect, note: () => undefined }), killed]);
  }

  /** `pulumi import` of a file. */
  private import({ resources, nameTable = {} }: ImportFile): void {
    const urnPrefix = `urn:pulumi:${this.name}::${project}::`;
    const imported = resources.map(({ type, name, id, inputs, outputs, parent }): Stored => {
      const component = parent === undefined ? undefined : nameTable[parent]!;
      const path = component === undefined ? "" : `${component.split("::")[2]}$`;
      return {
        ...nothing,
        urn: `${urnPrefix}${path}${type}::${name}`,
        type: type.split(":").at(-1)!,
        name,
        id,
        inputs: ofFile(inputs),
        outputs: ofFile(outputs),
        parent: component?.split("::").at(-1),
      };
    });
    this.saved = { ...this.saved, resources: [...this.saved.resources, ...imported] };
  }

  /** What the checks read of the file: secrets are masked. */
  get state(): State {
    const entries = this.saved.resources.map(({ urn, type, id, outputs, isReplaced, isDeletedFirst }) => ({
      urn,
      type,
      id,
      outputs: shownOrNull(outputs) as Record<string, unknown>,
      isReplaced: isReplaced || isDeletedFirst,
    }));
    return { entries, pending: this.saved.pending };
  }

  /** The file, as somebody reads it who cannot decrypt it. */
  texts(): [string, string][] {
    return [["the state", JSON.stringify(shown(this.saved))]];
  }

  private get settings(): Settings {
    const given: Record<string, string> = {
      "tunnel-gateway:apiKey": this.network.apiKey,
      "tunnel-gateway:baseUrl": baseUrl,
      "tunnel-gateway:stampMetadata": String(this.stamps),
    };
    return readSettings({ get: (key) => given[key] }, {});
  }

  private async planned(program: readonly WorldResource[]) {
    const { operation } = await this.preview(program);
    const planned = (operation?.steps ?? []).filter(({ after }) => after !== undefined);
    const steps = planned.map(({ op, after }) => ({
      ...{ op, urn: after!.urn, newState: stateShown(after!, this.door) },
    }));
    const time = { from: this.failed[0]!.from, until: this.failed.at(-1)!.until };
    return { time, creates: plannedIn(readPreview(JSON.stringify({ steps }))) };
  }

  private urnsOf(program: readonly WorldResource[], names: readonly string[]): ReadonlySet<string> {
    const parts = declared(program, this.place).map((each) => each.urn);
    return new Set(parts.filter((urn) => names.includes(urn.split("::").at(-1)!)));
  }

  private get place() {
    return { project, stack: this.name, stamps: this.stamps, door: this.door };
  }

  /** Runs a program: each resource is registered when those that it waits for are. */
  private async through(program: readonly WorldResource[], deployment: Deployment): Promise<void> {
    const answers = new Map<string, Answer>();
    const begun = new Map<string, Promise<void>>();
    const cli = this.cli;
    for (const { name, after, registration } of declared(program, this.place)) {
      const registered = async () => {
        await Promise.all(after.map((other) => begun.get(other)!));
        // The order of those that are ready is a matter of chance.
        await this.loop.sleep(this.loop.chance.next() * 3, cli);
        answers.set(name, await deployment.register(registration(answers)));
      };
      begun.set(name, registered());
    }
    const outcomes = await Promise.allSettled(begun.values());
    const failed = outcomes.find((each) => each.status === "rejected");
    if (failed === undefined) return deployment.end();
    await deployment.abandon();
    throw failed.reason as Error;
  }

  /** Runs a command to its end, and what it left behind too. */
  private async command(options: { logs: boolean }, work: Work): Promise<Ended> {
    const ended = await this.loop.run(this.run(options, work));
    await this.loop.settle();
    return ended;
  }

  /** A process of Pulumi's CLI with its plugins. Ends where it ends, or where it is killed. */
  private async run({ logs }: { logs: boolean }, work: Work): Promise<Ended> {
    const number = ++this.commands;
    const cli = (this.cli = new Process(`CLI ${number} of ${this.name}`));
    const lines: string[] = [];
    const say = (line: string) => void lines.push(line);
    const plugins = new Map<string | undefined, SimulatedPlugin>();
    this.plugins = [];
    const pluginOf = (provider: string | undefined): SimulatedPlugin => {
      let plugin = plugins.get(provider);
      if (!plugin) {
        const name = `plugin ${number} of ${this.name}${provider === undefined ? "" : ` for ${provider}`}`;
        const { door, settings } = this;
        plugin = new SimulatedPlugin(name, this.loop, this.network, { door, settings, logs, print: say });
        plugins.set(provider, plugin);
        this.plugins.push(plugin);
      }
      return plugin;
    };
    const providerOf: ProviderOf = (resource) => {
      const plugin = pluginOf(resource.provider);
      return plugin.providerOf(resource, (work) => this.called(cli, plugin.process, work));
    };
    const write = async (snapshot: Snapshot): Promise<void> => {
      await this.loop.sleep(0.1, cli);
      this.onWrite(this, "before");
      if (!cli.isAlive) return this.loop.sleep(0, cli);
      this.saved = snapshot;
      this.onWrite(this, "after");
      if (!cli.isAlive) return this.loop.sleep(0, cli);
    };
    const killed = new Promise<"killed">((resolve) => cli.watch(() => resolve("killed")));
    const ended = work(providerOf, write).then(
      (operation): Ended => ({ ...endingOf("well", lines, operation), operation }),
      (error: unknown): Ended => {
        if (!(error instanceof Error)) throw error;
        const isKilled = [...plugins.values()].some(({ process }) => !process.isAlive);
        return endingOf(isKilled ? "plugin killed" : "failed", [...lines, error.message]);
      },
    );
    const ending = await Promise.race([ended, killed]);
    if (ending !== "killed") {
      for (const { process } of plugins.values()) process.kill();
      return ending;
    }
    return endingOf("CLI killed", lines);
  }

  /** A call from the engine to a plugin. */
  private called<T>(cli: Process, plugin: Process, work: () => Promise<T>): Promise<T> {
    const pause = () => this.loop.chance.next() * 2;
    return new Promise((resolve, reject) => {
      const gone = () => reject(new Error("error reading from server: EOF (the plugin exited)"));
      this.loop.after(pause(), cli, () => {
        if (!plugin.isAlive) return gone();
        const unwatch = plugin.watch(() => this.loop.after(1, cli, gone));
        const back = (then: () => void) => {
          unwatch();
          if (plugin.isAlive) this.loop.after(pause(), cli, then);
        };
        work().then(
          (value) => back(() => resolve(value)),
          (error: Error) => back(() => reject(error)),
        );
      });
    });
  }
}

type ProviderOf = ProviderProcess["providerOf"];
type Work = (providerOf: ProviderOf, write: (snapshot: Snapshot) => Promise<void>) => Promise<Operation>;

function endingOf(how: Ending["how"], lines: readonly string[], operation?: Operation): Ending {
  const changes = (operation?.changes ?? []).map(({ op, name, urn }): Change => ({ op, name, urn }));
  return { how, output: lines.join("\n"), display: operation?.text ?? "", changes };
}
