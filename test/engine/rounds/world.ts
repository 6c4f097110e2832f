/** A world on the real engine: its program reads its resources from a file, so that a round only rewrites that file. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { EmulatorProcess } from "../../support/emulator-process";
import { Program, type Plan, type Result, type Stack, type StackOptions } from "../../support/engine";
import type { Door } from "../../rounds/doors";
import { writesTo, type Write } from "../../rounds/requests";
import {
  idsIn,
  outcomeOf,
  resolvedIn,
  type LookUp,
  type Outcome,
  type World as AnyWorld,
  type WorldResource,
  type WorldState,
} from "../../rounds/world";
import { resources } from "../support";

export type { WorldResource } from "../../rounds/world";

/** The files of a program with the classes of a door. */
function filesOf(door: Door): Record<string, string> {
  const entry = door === "native" ? "pulumi-tunnel-gateway/native" : "pulumi-tunnel-gateway";
  return {
    "program.cjs": readFileSync(join(__dirname, "../../rounds/program.cjs"), "utf8"),
    "index.js": `
    const world = JSON.parse(require("node:fs").readFileSync(__dirname + "/world.json", "utf8"));
    require("./program.cjs")(world, require("${entry}"), require("@pulumi/pulumi"));
  `,
  };
}

/** `up --json` tells the SDK's own trace of its calls, which holds the outputs of any provider in plaintext. */
const ownTrace = `"prefix":"debug: ","message":"RegisterResource RPC finished`;

export class World implements AnyWorld {
  readonly texts: string[] = [];

  private constructor(
    readonly emulator: EmulatorProcess,
    readonly stack: Stack,
  ) {}

  static async start(
    emulator: EmulatorProcess,
    options: StackOptions = {},
    door: Door = "dynamic",
  ): Promise<World> {
    const own = new Program({ kind: "cjs", door, files: filesOf(door) });
    return new World(emulator, await own.stack({ ...options, env: { ...emulator.env, ...options.env } }));
  }

  declare(declared: readonly WorldResource[], lookUps: readonly LookUp[] = []): void {
    this.stack.program.write({ "world.json": JSON.stringify({ resources: declared, lookUps }) });
  }

  async preview(): Promise<Outcome> {
    return outcome(this.noted(await this.stack.previewJson()));
  }

  async up(): Promise<Outcome> {
    return outcome(this.noted(await this.stack.upJson()));
  }

  async refresh(): Promise<void> {
    this.noted(await this.stack.refresh({ args: ["--diff"] }));
  }

  async destroy(): Promise<void> {
    this.noted(await this.stack.destroy());
  }

  resources(): Record<string, WorldState> {
    return resources(this.stack);
  }

  async inputs(): Promise<Record<string, unknown>> {
    const { deployment } = await this.stack.exportState(true);
    return Object.fromEntries(
      (deployment.resources ?? []).map((each) => [each.urn.split("::").at(-1)!, each.inputs]),
    );
  }

  stateText(): string {
    return this.stack.stateText();
  }

  resolved<T>(value: T): T {
    return resolvedIn(this, value);
  }

  ids(): Record<string, string> {
    return idsIn(this);
  }

  writes(): Promise<Write[]> {
    return writesTo(this.emulator);
  }

  /** Remembers what the user sees of a call. */
  noted<T extends Plan | Result>(result: T): T {
    const { output } = "result" in result ? result.result : result;
    const lines = output.split("\n").filter((line) => !line.includes(ownTrace));
    this.texts.push(lines.join("\n"));
    return result;
  }
}

/** What is done to each resource, by name, without those to which nothing is. */
export function operations(plan: Plan): Record<string, string> {
  return outcome(plan).ops;
}

function outcome({ changes }: Plan): Outcome {
  // An update reports a replacement in three steps, a preview in one.
  return outcomeOf(changes.filter(({ op }) => !["create-replacement", "delete-replaced"].includes(op)));
}
