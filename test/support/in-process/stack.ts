/**
 * A small engine: it runs a program of this package in this process, calls the hooks as Pulumi's plugin calls them
 * and does the steps in the order of Pulumi's engine. Aliases, parents and ignored changes are tested on the real
 * engine. test/engine/rounds runs the same programs on the real engine, which shows that this one does the same.
 */
import { classIn } from "../../../src/program/shim";
import type { ImportEntry } from "../../../src/tools/stack/import-file";
import { inProgram, urnOf, type Registration } from "./program";
import { Deployment, type Operation } from "./deployment";
import { overHooks, type ProviderProcess } from "./provider";
import { emptySnapshot, nothing, type Snapshot, type Stored } from "./snapshot";
import { ofFile, shown, type Values } from "./values";
import { configuredHooks } from "../configured-hooks";

export type { Operation } from "./deployment";
export type { Stored } from "./snapshot";

export interface StackOptions {
  /** The project's name. Default: "program". */
  readonly project?: string;
  /** The configuration that the program reads, by full keys. Default: none. */
  readonly config?: Readonly<Record<string, string>>;
  /** A new plugin process, with the stack's settings. Default: Pulumi's plugin for dynamic resources. */
  readonly plugin?: (
    settings: Readonly<Record<string, string>>,
  ) => ProviderProcess | Promise<ProviderProcess>;
}

/** Of all stacks of this process. */
let operations = 0;

/** A stack of programs that run in this process, one after the other. */
export class InProcessStack {
  private state: Snapshot = emptySnapshot;
  private readonly project: string;
  private readonly config: Readonly<Record<string, string>>;
  private readonly newPlugin: NonNullable<StackOptions["plugin"]>;

  /** @param settings those of the stack's configuration, without their namespace; they may be replaced. */
  constructor(
    public settings: Readonly<Record<string, string>>,
    { project = "program", config = {}, plugin = dynamicPlugin }: StackOptions = {},
  ) {
    this.project = project;
    this.config = config;
    this.newPlugin = plugin;
  }

  /** Imports resources into the state, as `pulumi import --file` does. */
  adopt(entries: readonly ImportEntry[]): void {
    const adopted = entries.map(({ type, name, id, inputs, outputs }) => ({
      urn: urnOf(this.project, type, name),
      ...nothing,
      ...{ type: classIn(type)!, name, id },
      ...{ inputs: ofFile(inputs), outputs: ofFile(outputs) },
    }));
    this.state = { ...this.state, resources: [...this.state.resources, ...adopted] };
  }

  /** Lets every resource be deleted, as `pulumi state unprotect --all` does. */
  unprotect(): void {
    const resources = this.state.resources.map((stored) => ({ ...stored, protect: false }));
    this.state = { ...this.state, resources };
  }

  /** What `up` would do. */
  async preview(program: () => unknown): Promise<Operation> {
    return this.operation({ isPreview: true }, async (run) => {
      await inProgram(program, { isPreview: true, project: this.project, config: this.config }, run);
      await run.end();
    });
  }

  /**
   * Deploys the program. If it fails, the state contains what was done before.
   * @param change changes the arguments of a class on their way to the hooks.
   */
  async up(
    program: () => unknown,
    change: (type: string, args: Values) => Values = (_, args) => args,
  ): Promise<Operation> {
    return this.operation({ isPreview: false }, async (run) => {
      const registry = {
        register: (given: Registration) =>
          run.register({ ...given, inputs: change(given.type, given.inputs) }),
        lookUp: run.lookUp.bind(run),
      };
      try {
        await inProgram(program, { isPreview: false, project: this.project, config: this.config }, registry);
        await run.end();
      } catch (error) {
        await run.abandon().catch(() => undefined);
        throw error;
      }
    });
  }

  /** Deletes every object, dependents first. */
  destroy(): Promise<Operation> {
    return this.up(() => undefined);
  }

  /** Reads every object into the state. */
  refresh(): Promise<Operation> {
    return this.operation({ isPreview: false }, (run) => run.refresh());
  }

  /** The resources by name. */
  get resources(): Readonly<Record<string, Stored>> {
    return Object.fromEntries(this.state.resources.map((stored) => [stored.name, stored]));
  }

  /** The state as Pulumi stores it, with secrets masked. */
  get text(): string {
    return JSON.stringify(this.state.resources.map(shown));
  }

  /** Runs an operation with a plugin process of its own. The state keeps what was done, also where it fails. */
  private async operation(
    { isPreview }: { isPreview: boolean },
    work: (run: Deployment) => Promise<void>,
  ): Promise<Operation> {
    // Providers with the same settings share a connection and its memory.
    const plugin = await this.newPlugin({ ...this.settings, retryTimeout: String(300 + ++operations) });
    const run = new Deployment(this.state, {
      providerOf: (resource) => plugin.providerOf(resource),
      isPreview,
    });
    try {
      await work(run);
      return run.result();
    } finally {
      if (!isPreview) this.state = run.snapshot;
      plugin.close?.();
    }
  }
}

/** Pulumi's plugin for dynamic resources. */
function dynamicPlugin(settings: Readonly<Record<string, string>>): ProviderProcess {
  return { providerOf: ({ type }) => overHooks(configuredHooks(type, settings)) };
}
