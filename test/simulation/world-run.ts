/** Takes one world through its rounds, on the small engine and the emulator without sockets, in virtual time. */
import type { World } from "../worlds/plan";
import { Finding, runRounds, type RunOptions } from "../worlds/run";
import { beginning, enter } from "./machine/entropy";
import { Chance } from "../worlds/chance";
import type { DoorName } from "../support/engine";
import { Loop } from "./machine/loop";
import { SimulatedStage, type Moment } from "./stage";

export { Finding };
export type { Moment };

export interface SimulationOptions extends RunOptions {
  /** Happens in the last round. */
  readonly moment?: Moment | undefined;
  /** When the world begins, in milliseconds since 1970; default: in 2030. */
  readonly begins?: number;
  /** Default: dynamic. */
  readonly door?: DoorName;
}

/** What a world had done: the moments of its last round. */
export interface Ended {
  readonly requests: number;
  readonly writes: number;
  readonly trace: readonly string[];
}

/** Runs all rounds of a world; throws a Finding at the first one that does not end as it should. */
export async function runWorld(
  world: World,
  { moment, begins = beginning, door = "dynamic", ...options }: SimulationOptions = {},
): Promise<Ended> {
  const seed = world.seed * 100_003 + world.number;
  const loop = new Loop(begins, new Chance(seed));
  enter(seed, () => loop.now());
  const stage = await SimulatedStage.start(world, loop, moment, options.tally, door);
  const trace = await runRounds(world, stage, options);
  return { ...stage.ended, trace };
}
