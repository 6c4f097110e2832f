/** The two doors to the life cycle, and what the stacks of both do. */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../src/schema/unknown";
import type { EmulatorClient } from "../support/emulator-process";
import type { DoorName } from "../support/engine";
import { writesTo } from "./requests";
import { SteadyTexts } from "./steady";
import { idsIn, type LookUp, type Outcome, type World, type WorldResource, type WorldState } from "./world";

export type Door = DoorName;
export const doors = ["dynamic", "native"] as const satisfies readonly Door[];

/** An operation and what it did, in words that are the same in every run. */
export interface Deed {
  readonly operation: string;
  readonly outcome: Outcome | undefined;
  /** The writes, in an order of their own: the scenario says where the order matters. */
  readonly writes: readonly string[];
  /** The objects of the account, in an order of their own. */
  readonly account: readonly string[];
  /** The outputs in the state. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A world that notes what each of its operations does. */
export class NotedWorld implements World {
  readonly deeds: Deed[] = [];
  private readonly steady: SteadyTexts;

  constructor(private readonly world: World) {
    this.steady = new SteadyTexts(world.emulator.baseUrl);
  }

  get emulator(): EmulatorClient {
    return this.world.emulator;
  }

  get texts(): readonly string[] {
    return this.world.texts;
  }

  declare(declared: readonly WorldResource[], lookUps?: readonly LookUp[]): void {
    this.world.declare(declared, lookUps);
  }

  preview(): Promise<Outcome> {
    return this.noted("preview", () => this.world.preview());
  }

  up(): Promise<Outcome> {
    return this.noted("up", () => this.world.up());
  }

  refresh(): Promise<void> {
    return this.noted("refresh", () => this.world.refresh());
  }

  destroy(): Promise<void> {
    return this.noted("destroy", () => this.world.destroy());
  }

  resources(): Readonly<Record<string, WorldState>> {
    return this.world.resources();
  }

  inputs(): Promise<Record<string, unknown>> {
    return this.world.inputs();
  }

  stateText(): string {
    return this.world.stateText();
  }

  private async noted<T extends Outcome | void>(operation: string, work: () => Promise<T>): Promise<T> {
    const { emulator } = this;
    const before = (await writesTo(emulator)).length;
    const outcome = await work();
    for (const [name, id] of Object.entries(idsIn(this))) this.steady.name(id, name);
    const sorted = (values: readonly unknown[]) => values.map((value) => this.steady.of(value)).sort();
    const writes = (await writesTo(emulator)).slice(before);
    // Each emulator has authorities of its own.
    const { ssh_certificate_authorities: _, ...others } = await emulator.state();
    const account = Object.entries(others).flatMap(([path, objects]) =>
      objects.map((object) => ({ path, ...object })),
    );
    const outputs = Object.entries(this.resources()).map(([name, state]) => [name, this.outputsOf(state)]);
    this.deeds.push({
      operation,
      outcome: outcome ?? undefined,
      ...{ writes: sorted(writes), account: sorted(account) },
      outputs: Object.fromEntries(outputs) as Deed["outputs"],
    });
    return outcome;
  }

  /** The outputs without the code of a dynamic resource. */
  private outputsOf({ outputs = {} }: WorldState): unknown {
    const { __provider: _, ...others } = outputs;
    return JSON.parse(this.steady.of(others));
  }
}

/** Where two deeds are not the same, with the value of each door. */
interface Difference {
  readonly place: string;
  readonly dynamic: unknown;
  readonly native: unknown;
}

/** Where the doors may differ: what the place begins with, and the reason. */
const allowedDifferences: Readonly<Record<string, string>> = {
  "outputs destination target":
    "where a read finds another target in the place of one with keys, the native provider hides all of it until the next write",
};

/** Where the doors differ and may not, and what they may differ in and do not. */
export function differences(dynamic: readonly Deed[], native: readonly Deed[]): unknown[] {
  const found = dynamic.flatMap((deed, i) => differing([], deed, native[i]));
  const reasonOf = ({ place }: Difference) =>
    Object.keys(allowedDifferences).find((start) => place.startsWith(start));
  const used = new Set(found.map(reasonOf));
  const unused = Object.keys(allowedDifferences).filter((start) => !used.has(start));
  return [...found.filter((difference) => reasonOf(difference) === undefined), ...unused];
}

function differing(path: readonly string[], dynamic: unknown, native: unknown): Difference[] {
  if (isDeepStrictEqual(dynamic, native)) return [];
  if (!isRecord(dynamic) || !isRecord(native)) return [{ place: path.join(" "), dynamic, native }];
  const names = [...new Set([...Object.keys(dynamic), ...Object.keys(native)])];
  return names.flatMap((name) => differing([...path, name], dynamic[name], native[name]));
}
