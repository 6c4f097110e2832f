/** The real Pulumi CLI, the packed package and an emulator on loopback as the place of a world. */
import type { Emulator, FaultRule } from "../../../src/emulator";
import type { Program } from "../../support/engine";
import type { Round, World } from "../../worlds/plan";
import { runRounds, type RunOptions } from "../../worlds/run";
import type { Disturbance, Sent, Stage, WorldAccount } from "../../worlds/stage";
import { outsideOf } from "../../worlds/values";
import { RealStack } from "./stack";

/** What all worlds of a run share. */
export interface Setting {
  readonly emulator: Emulator;
  readonly program: Program;
}

/** Runs all rounds of a world; throws a Finding at the first one that does not end as it should. */
export async function runReally(world: World, setting: Setting, options: RunOptions): Promise<void> {
  await onRealEngine(world, setting, (stage) => runRounds(world, stage, options), options.tally);
}

/** Does work with a new stack and an account for the world. */
export async function onRealEngine<T>(
  world: World,
  { emulator, program }: Setting,
  work: (stage: RealStage) => Promise<T>,
  tally?: RunOptions["tally"],
): Promise<T> {
  await emulator.reset();
  await emulator.seed(outsideOf(world));
  const config = {
    "tunnel-gateway:baseUrl": emulator.baseUrl,
    "tunnel-gateway:apiKey": { secret: emulator.apiKey },
    "tunnel-gateway:stampMetadata": String(world.stamps),
  };
  const count = () => tally?.count("kills");
  // Others may delete all objects of a small world.
  const env = { TUNNEL_GATEWAY_ACCEPT_DELETED: "true" };
  const stack = new RealStack(await program.stack({ config, env }), emulator, count);
  try {
    return await work(new RealStage(stack, emulator));
  } finally {
    stack.end();
  }
}

class RealStage implements Stage {
  readonly pageSize = 100;
  readonly other = undefined;
  readonly account: WorldAccount;
  private readonly begun = performance.now();

  constructor(
    readonly stack: RealStack,
    emulator: Emulator,
  ) {
    this.account = new RealAccount(emulator);
  }

  readonly now = (): number => Math.round(performance.now() - this.begun);

  /** Commands take long enough. */
  rest(): Promise<void> {
    return Promise.resolve();
  }

  disturb({ faults, kill }: Round): () => Disturbance {
    this.account.setFaults(faults.map(shortened));
    this.stack.kill = kill;
    return () => {
      this.account.setFaults([]);
      this.stack.kill = undefined;
      return { isDisturbed: false, isHarmless: false };
    };
  }
}

/** Nobody has the time to wait until a request is given up. */
function shortened(rule: FaultRule): FaultRule {
  const isSlow = ["hang", "slow"].includes(rule.kind);
  return { ...rule, times: Math.min(rule.times ?? 8, 8), ...(isSlow ? { delayMs: 50 } : {}) };
}

class RealAccount implements WorldAccount {
  constructor(private readonly emulator: Emulator) {}

  get apiKey(): string {
    return this.emulator.apiKey;
  }

  snapshot() {
    return this.emulator.snapshot();
  }

  /** The requests of nobody in the world are not recorded. */
  async ask(method: string, path: string, body?: object) {
    const { apiKey, baseUrl, requests } = this.emulator;
    const headers = { Authorization: `Bearer ${apiKey}`, "Service-Version": "2" };
    const response = await fetch(baseUrl + path, {
      method,
      headers: { ...headers, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    requests.pop();
    return { status: response.status, text };
  }

  setBack(milliseconds: number): void {
    this.emulator.setClock(milliseconds === 0 ? undefined : new Date(Date.now() - milliseconds));
  }

  setFaults(rules: readonly FaultRule[]): void {
    this.emulator.setFaults({ rules: [...rules] });
  }

  accessHistory() {
    return this.emulator.accessHistory();
  }

  takeSent(): readonly Sent[] {
    const sent = this.emulator.requests.map(({ method, path, query, body, status, fault }): Sent => {
      const text = new URLSearchParams(query).toString();
      return { method, path: text === "" ? path : `${path}?${text}`, body, status, fault };
    });
    this.emulator.clearRequests();
    return sent;
  }
}
