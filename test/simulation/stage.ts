/** The small engine, the emulator without sockets and virtual time as the place of a world. */
import type { FaultRule, Snapshot } from "../../src/emulator";
import { hour } from "../../src/schema/text/phrase";
import type { Round, World } from "../worlds/plan";
import type { Disturbance, Sent, Stage, WorldAccount } from "../worlds/stage";
import type { Tally } from "../worlds/tally";
import { outsideOf } from "../worlds/values";
import type { DoorName } from "../support/engine";
import type { Loop, Process } from "./machine/loop";
import { Network, pageSize, type Strike } from "./machine/network";
import { SimulatedStack } from "./stack";

/** Something that happens at one moment of a world, beside what its rounds say. */
export type Moment =
  | { readonly request: number; readonly strike: Strike }
  | { readonly write: number; readonly when: "before" | "after" }
  /** For so many milliseconds the service does not show what was created: until the world ends. */
  | { readonly lag: number };

/** What each round begins after, so that its objects are younger than those that others made. */
const restMs = 5_000;

export class SimulatedStage implements Stage {
  readonly pageSize = pageSize;
  readonly stack: SimulatedStack;
  readonly other: SimulatedStack;
  readonly account: WorldAccount;
  /** How many requests and writes of the state the last disturbed deployment had. */
  ended = { requests: 0, writes: 0 };
  private counts = { requests: 0, writes: 0 };
  private readonly begun: number;
  /** What disturbs the round. */
  private kill: Round["kill"];
  private moment: Moment | undefined;
  private serviceWrites = 0;
  private onServed: ((request: string) => void) | undefined;

  private constructor(
    world: World,
    private readonly loop: Loop,
    readonly network: Network,
    private readonly lastMoment: Moment | undefined,
    private readonly tally: Tally | undefined,
    door: DoorName,
  ) {
    this.begun = loop.now();
    this.account = new SimulatedAccount(network);
    this.stack = new SimulatedStack("test", loop, network, world.stamps, door);
    this.other = new SimulatedStack("other", loop, network, world.stamps, door);
    network.onKill = (process, isAlone) => this.killFrom(process, isAlone);
    network.onDone = ({ method, path }) => {
      if (method !== "GET") this.onServed?.(`${method} ${path}`);
      this.done(method);
    };
    network.strikes = () => this.strikeAt(++this.counts.requests);
    this.stack.onWrite = (stack, when) => this.written(stack, when);
  }

  /** @param moment happens in the last round. */
  static async start(
    world: World,
    loop: Loop,
    moment: Moment | undefined,
    tally: Tally | undefined,
    door: DoorName,
  ) {
    const network = await Network.start(loop, world.ahead);
    await network.service.controls.seed(outsideOf(world));
    return new SimulatedStage(world, loop, network, moment, tally, door);
  }

  readonly now = (): number => this.loop.now() - this.begun;

  rest(hours = 0): Promise<void> {
    return this.loop.run(this.loop.sleep(restMs + hours * hour));
  }

  watch(onWrite: ((request: string) => void) | undefined): void {
    this.onServed = onWrite;
  }

  disturb({ faults, kill, late }: Round, isLast: boolean): () => Disturbance {
    this.counts = { requests: 0, writes: 0 };
    this.serviceWrites = 0;
    this.network.setFaults(faults, late);
    this.kill = kill;
    const moment = (this.moment = isLast ? this.lastMoment : undefined);
    this.network.setLag(moment && "lag" in moment ? moment.lag : 0);
    return () => {
      this.network.setFaults([]);
      this.kill = undefined;
      this.moment = undefined;
      this.ended = { ...this.counts };
      return { isDisturbed: moment !== undefined, isHarmless: isHarmless(moment) };
    };
  }

  private strikeAt(number: number): Strike | undefined {
    const { moment } = this;
    if (moment === undefined || !("request" in moment)) return undefined;
    return moment.request === number ? moment.strike : undefined;
  }

  private written(stack: SimulatedStack, when: "before" | "after"): void {
    if (when === "before") this.counts.writes += 1;
    const { moment } = this;
    if (moment === undefined || !("write" in moment)) return;
    if (moment.write !== this.counts.writes || moment.when !== when) return;
    this.tally?.count("kills");
    for (const { process } of stack.plugins) process.kill();
    stack.cli!.kill();
  }

  private killFrom(plugin: Process, isAlone: boolean): void {
    this.tally?.count("kills");
    plugin.kill();
    if (!isAlone) this.stack.cli!.kill();
  }

  /** After each request that the service has done. */
  private done(method: string): void {
    if (method === "GET") return;
    this.serviceWrites += 1;
    const { kill, stack } = this;
    if (kill === undefined || this.serviceWrites < kill.afterWrites) return;
    this.kill = undefined;
    // A moment later, so that the answer may or may not come through.
    this.loop.after(this.loop.chance.next() * 40, undefined, () => {
      if (!stack.cli!.isAlive || !stack.plugins.some(({ process }) => process.isAlive)) return;
      this.tally?.count("kills");
      if (kill.victim !== "the CLI") for (const { process } of stack.plugins) process.kill();
      if (kill.victim !== "the plugin") stack.cli!.kill();
    });
  }
}

/** Whether the package promises to overcome it. */
function isHarmless(moment: Moment | undefined): boolean {
  if (moment === undefined) return false;
  if ("lag" in moment) return true;
  if (!("request" in moment) || moment.strike.kind !== "fault") return false;
  const { kind, status } = moment.strike.rule;
  return (
    ["dropBefore", "dropAfter", "truncate", "slow"].includes(kind) ||
    [429, 502, 503, 504].includes(status ?? 0)
  );
}

class SimulatedAccount implements WorldAccount {
  constructor(private readonly network: Network) {}

  get apiKey(): string {
    return this.network.apiKey;
  }

  snapshot(): Snapshot {
    return this.network.service.controls.snapshot();
  }

  ask(method: string, path: string, body?: object) {
    return this.network.ask(method, path, body);
  }

  setBack(milliseconds: number): void {
    const { controls } = this.network.service;
    controls.setClock(milliseconds === 0 ? undefined : new Date(this.network.now() - milliseconds));
  }

  setFaults(rules: readonly FaultRule[]): void {
    this.network.setFaults(rules);
  }

  accessHistory() {
    return this.network.service.controls.accessHistory();
  }

  takeSent(): readonly Sent[] {
    this.network.service.controls.clearRequests();
    return this.network.sent.splice(0);
  }
}
