/** Deployments in the process of the test: programs run on Pulumi's mocks, and resources go through the plugin's hooks. */
import { isDeepStrictEqual } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { hooksOf } from "../../src/plugin";
import { tokenPrefix } from "../../src/runtime/type-token";
import { plaintextOf } from "../../src/stack/secrets";
import { argumentsIn } from "../../src/stack/import-entry";
import type { ImportEntry } from "../../src/stack/import-entry";

type Json = Record<string, unknown>;

/** A resource as the state holds it; secrets are plain values here. */
export interface Recorded {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly inputs: Json;
  readonly outputs: Json;
}

export type Operation = "create" | "update" | "same" | "read";

/** What a program is run with beside the settings. */
export interface RunOptions {
  /** The project's name, the namespace of the program's own configuration. Default: "program". */
  readonly project?: string;
  /** The configuration that the program reads, by full keys. */
  readonly config?: Readonly<Record<string, string>>;
  /** Changes the arguments of a resource on their way to the hooks. */
  readonly change?: (type: string, args: Json) => Json;
}

/**
 * A stack whose resources go through check, diff, create, read, update and delete as the engine calls them, without
 * the engine. There are no previews, no replacements, and one account for all providers.
 */
export class ProcessStack {
  private readonly resources = new Map<string, Recorded>();
  private readonly settings: pulumi.dynamic.Config;

  /** `settings` are those of the stack's configuration, without their namespace. */
  constructor(settings: Readonly<Record<string, string>>) {
    const get = (key: string): string | undefined => settings[key.replace("tunnel-gateway:", "")];
    this.settings = { get, require: (key) => get(key)! };
  }

  get recorded(): readonly Recorded[] {
    return [...this.resources.values()];
  }

  /** Takes resources into the state as `pulumi import` does. */
  adopt(entries: readonly ImportEntry[]): void {
    for (const { type, name, id, inputs, outputs } of entries) {
      this.record({
        ...{ type: type.slice(tokenPrefix.length), name, id },
        ...{ inputs: plaintextOf(inputs) as Json, outputs: plaintextOf(outputs) as Json },
      });
    }
  }

  /** Runs the program and does what it asks for. @returns what was done, by `Type name`. */
  async up(
    program: () => unknown,
    { project = "program", config = {}, change = (_, args) => args }: RunOptions = {},
  ): Promise<Record<string, Operation>> {
    const done: Record<string, Operation> = {};
    const failures: unknown[] = [];
    const newResource = async (args: pulumi.runtime.MockResourceArgs) => {
      if (!args.type.startsWith(tokenPrefix)) return { id: `${args.name}_id`, state: args.inputs as Json };
      const type = args.type.slice(tokenPrefix.length);
      try {
        const given = plain(args.inputs) as Json;
        const [operation, { id, outputs }] = args.id
          ? await this.found(type, args.name, args.id)
          : await this.reconciled(type, args.name, change(type, given));
        done[`${type} ${args.name}`] = operation;
        return { id, state: outputs };
      } catch (error) {
        failures.push(error);
        throw error;
      }
    };
    pulumi.runtime.setAllConfig({ ...config });
    await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, project, "test");
    try {
      await program();
    } finally {
      await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
    }
    if (failures.length > 0) throw failures[0];
    return done;
  }

  /** Reads all resources. @returns what is found of each, by `Type name`: "update" where it drifted. */
  async refresh(): Promise<Record<string, Operation>> {
    const found = await Promise.all(
      this.recorded.map(async (before) => {
        const { type, name, id, inputs } = before;
        const read = (await this.hook(type, "read", id, before.outputs)) as { props: Json; inputs?: Json };
        const outputs = plain(read.props) as Json;
        const now = read.inputs === undefined ? inputs : (plain(read.inputs) as Json);
        const operation = await this.compared(type, { ...before, outputs, inputs: now }, inputs);
        this.record({ type, name, id, inputs: now, outputs });
        return [`${type} ${name}`, operation] as const;
      }),
    );
    return Object.fromEntries(found);
  }

  /** Deletes all resources, the last one first. */
  async destroy(): Promise<void> {
    for (const { type, name, id, outputs } of this.recorded.toReversed()) {
      await this.hook(type, "delete", id, outputs);
      this.resources.delete(`${type} ${name}`);
    }
  }

  private async reconciled(type: string, name: string, news: Json): Promise<[Operation, Recorded]> {
    const before = this.resources.get(`${type} ${name}`);
    const checked = (await this.hook(type, "check", before?.inputs ?? {}, news)) as {
      inputs: Json;
      failures?: { reason: string }[];
    };
    if (checked.failures?.length) throw new Error(`${type} ${name}: ${checked.failures[0]!.reason}`);
    const inputs = plain(checked.inputs) as Json;
    if (before === undefined) {
      const { id, outs } = (await this.hook(type, "create", inputs)) as { id: string; outs: Json };
      return ["create", this.record({ type, name, id, inputs, outputs: plain(outs) as Json })];
    }
    const { id, outputs } = before;
    if ((await this.compared(type, before, inputs)) === "same") {
      return ["same", this.record({ ...before, inputs })];
    }
    const { outs } = (await this.hook(type, "update", id, outputs, inputs)) as { outs: Json };
    return ["update", this.record({ type, name, id, inputs, outputs: plain(outs) as Json })];
  }

  /** What the engine does with the answer of diff; where it leaves the question open, inputs decide. */
  private async compared(
    type: string,
    { id, outputs, inputs: olds }: Recorded,
    news: Json,
  ): Promise<Operation> {
    const diff = (await this.hook(type, "diff", id, outputs, news)) as pulumi.dynamic.DiffResult;
    if (diff.replaces?.length)
      throw new Error(`${type} ${id} would be replaced: ${diff.replaces.join(", ")}`);
    return (diff.changes ?? !isDeepStrictEqual(argumentsIn(olds), argumentsIn(news))) ? "update" : "same";
  }

  private async found(type: string, name: string, id: string): Promise<[Operation, Recorded]> {
    const { props } = (await this.hook(type, "read", id, {})) as { props: Json };
    return ["read", { type, name, id, inputs: {}, outputs: plain(props) as Json }];
  }

  private record(resource: Recorded): Recorded {
    this.resources.set(`${resource.type} ${resource.name}`, resource);
    return resource;
  }

  private hook(
    type: string,
    name: Parameters<ReturnType<typeof hooksOf>>[0],
    ...values: unknown[]
  ): Promise<unknown> {
    return hooksOf(type, this.settings)(name)(...values);
  }
}

/** What the SDK or a hook wrote, with its secrets as plain values: so the engine hands it to hooks. */
function plain(value: unknown): unknown {
  if (pulumi.runtime.isRpcSecret(value)) return plain(pulumi.runtime.unwrapRpcSecret(value));
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}
