/** The update of many agents, few at a time. */
import { setTimeout as pause } from "node:timers/promises";
import { GatewayError, UndecidedError } from "../provider/errors";
import { command, isWindows, onWindows, restart } from "./commands";
import { Census } from "./session-tracker";
import { clientFor } from "../account/client";
import type { Client } from "../account/client";
import { all, each } from "../account/objects";
import { inProgram } from "../account/readers";
import { inWords, matcher } from "../account/filter";
import type { Filter } from "../account/filter";
import { sourceOf } from "../account/settings";
import type { AccountOptions } from "../account/settings";
import type { TunnelSession } from "../resources";
import { declarationOf } from "../resources/registry";

/** How {@link rollOut} goes on. */
export interface RollOutOptions extends AccountOptions {
  /** How many agents are worked on at once, from 1. Default: 1. */
  concurrency?: number;
  /** After so many failures no further agent is begun, from 1. Default: 1. */
  stopAfterFailures?: number;
  /** Seconds between an agent's update and its restart, from 10. Default: 10. Specification: Limits. */
  waitSeconds?: number;
  /** For how many seconds an agent is waited for after its restart. Default: 120. */
  followSeconds?: number;
  /** Seconds between two looks at the list of sessions. Default: 5. */
  pollSeconds?: number;
  /** Told of every step. */
  onProgress?: (progress: RollOutProgress) => void;
  /** Once aborted, no further agent is begun; those that were are seen through. */
  signal?: AbortSignal;
  /** The service's time in milliseconds since 1970. Default: as its answers tell it. */
  now?: () => number;
  /** Waits. Default: a timer. */
  sleep?: (milliseconds: number) => Promise<void>;
}

/** What an agent goes through. */
export const RollOutStep = { Update: "update", Wait: "wait", Restart: "restart", Follow: "follow" } as const;
export type RollOutStep = "update" | "wait" | "restart" | "follow";

/**
 * What became of an agent. "updated": updated, restarted and seen again. "notIdentified": updated and restarted,
 * but nothing tells which new session is its own. "failed": a step failed. "unsupported": it runs on Windows and
 * was left alone. "notStarted": others failed before, or the work was aborted.
 */
export const RollOutOutcome = {
  Updated: "updated",
  NotIdentified: "notIdentified",
  Failed: "failed",
  Unsupported: "unsupported",
  NotStarted: "notStarted",
} as const;
export type RollOutOutcome = "updated" | "notIdentified" | "failed" | "unsupported" | "notStarted";

/** One step of one agent. */
export interface RollOutProgress {
  /** The agent's session before. */
  session: TunnelSession;
  /** The step that begins, or how it ended. */
  event: RollOutStep | RollOutOutcome;
  /** How many agents are through, of how many. */
  done: number;
  total: number;
}

/** What became of one agent. */
export interface RollOutEntry {
  /** The agent's session before. */
  session: TunnelSession;
  outcome: RollOutOutcome;
  /** The agent's new session, where it is certain. */
  newSession?: TunnelSession;
  /** The step that failed. */
  step?: RollOutStep;
  /** Why the outcome is not "updated". */
  message?: string;
}

/** What became of all of them. */
export interface RollOutReport {
  /** Whether every agent was updated and restarted. */
  ok: boolean;
  /** In the order in which they were given or listed. */
  sessions: RollOutEntry[];
}

/**
 * Updates agents: each is told to update, and after at least 10 seconds to restart, and is then followed to its
 * new session, which is told from others by credential, ip, os, metadata and start time, or reported as not
 * identified. No command is sent twice. After the first failures no further agent is begun.
 *
 * ## Example: all agents on Linux, three at a time
 *
 * ```typescript
 * import { rollOut } from "pulumi-tunnel-gateway";
 *
 * const report = await rollOut({ os: "linux" }, { concurrency: 3 });
 * for (const { session, outcome, message } of report.sessions) console.log(session.id, outcome, message ?? "");
 * ```
 *
 * Specification: Tunnel sessions; States and transitions; Limits.
 *
 * @param which the ids of sessions, or what they hold; `{}` means all.
 * @param options how to go on, and whose account.
 * @throws GatewayError where no session is meant, an id is not online, or an option is wrong.
 */
export function rollOut(
  which: readonly string[] | Filter<TunnelSession>,
  options: RollOutOptions = {},
): Promise<RollOutReport> {
  return inProgram(async () => rollOutWith(clientFor(await sourceOf(options)), which, options));
}

export async function rollOutWith(
  client: Client,
  which: readonly string[] | Filter<TunnelSession>,
  options: RollOutOptions,
): Promise<RollOutReport> {
  const { http } = client;
  const fleet: Fleet = {
    sessions: () => all(each<TunnelSession>(client, declarationOf("TunnelSession"), undefined, {})),
    update: (session) => command(client, session.id, "update"),
    restart: (session) => restart(client, session),
    now: options.now ?? (() => http.serverTime(Date.now()) ?? Date.now()),
    sleep: options.sleep ?? ((milliseconds) => pause(milliseconds)),
  };
  return new RollOut(fleet, checked(options)).run(which);
}

/** What a roll-out works with. */
export interface Fleet {
  sessions(): Promise<TunnelSession[]>;
  update(session: TunnelSession): Promise<void>;
  restart(session: TunnelSession): Promise<void>;
  now(): number;
  sleep(milliseconds: number): Promise<void>;
}

const defaults = {
  concurrency: 1,
  stopAfterFailures: 1,
  waitSeconds: 10,
  followSeconds: 120,
  pollSeconds: 5,
};
type Plan = typeof defaults & Pick<RollOutOptions, "onProgress" | "signal">;

function checked(options: RollOutOptions): Plan {
  const least = { concurrency: 1, stopAfterFailures: 1, waitSeconds: 10, followSeconds: 0, pollSeconds: 0.1 };
  const numbers = Object.fromEntries(
    (Object.keys(defaults) as (keyof typeof defaults)[]).map((name) => {
      const value = options[name] ?? defaults[name];
      if (!(value >= least[name])) {
        throw new GatewayError(`${name}: must be a number from ${least[name]}, not ${String(value)}`);
      }
      return [name, value];
    }),
  ) as typeof defaults;
  return { ...numbers, onProgress: options.onProgress, signal: options.signal };
}

export class RollOut {
  private readonly census = new Census();
  private observing: { at: number; done: Promise<void>; ended: boolean } | undefined;
  private failures = 0;
  private done = 0;
  private total = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly plan: Plan,
  ) {}

  async run(which: readonly string[] | Filter<TunnelSession>): Promise<RollOutReport> {
    const online = await this.fleet.sessions();
    this.census.take(online);
    const chosen = choose(online, which);
    this.total = chosen.length;
    const entries = chosen.map((session): RollOutEntry => {
      if (!isWindows(session.os)) return { session, outcome: "notStarted", message: "it was not begun" };
      return { session, outcome: "unsupported", message: onWindows };
    });
    const waiting = entries.filter(({ outcome }) => outcome === "notStarted");
    const worker = async (): Promise<void> => {
      while (this.mayBegin() && waiting.length > 0) await this.workOn(waiting.shift()!);
    };
    const workers = Math.min(this.plan.concurrency, waiting.length);
    await Promise.all(Array.from({ length: workers }, worker));
    const isDone = ({ outcome }: RollOutEntry): boolean =>
      outcome === "updated" || outcome === "notIdentified";
    return { ok: entries.every(isDone), sessions: entries };
  }

  private mayBegin(): boolean {
    return this.failures < this.plan.stopAfterFailures && this.plan.signal?.aborted !== true;
  }

  private async workOn(entry: RollOutEntry): Promise<void> {
    const { session } = entry;
    delete entry.message;
    const begin = (step: RollOutStep): void => {
      entry.step = step;
      this.tell(session, step);
    };
    try {
      begin("update");
      await this.fleet.update(session);
      begin("wait");
      await this.fleet.sleep(this.plan.waitSeconds * 1000);
      begin("restart");
      const lost = await this.restart(session);
      begin("follow");
      Object.assign(entry, await this.follow(session, lost));
      delete entry.step;
    } catch (error) {
      entry.outcome = "failed";
      entry.message = error instanceof Error ? error.message : String(error);
      this.failures += 1;
    }
    this.done += 1;
    this.tell(session, entry.outcome);
  }

  /** Restarts the agent. Where the answer was lost, what becomes of the agent tells whether it was told. */
  private async restart(session: TunnelSession): Promise<UndecidedError | undefined> {
    await this.observe(0);
    const at = this.fleet.now();
    let lost: UndecidedError | undefined;
    try {
      await this.fleet.restart(session);
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error;
      lost = error;
    }
    this.census.restarted(session.id, at);
    return lost;
  }

  private async follow(
    session: TunnelSession,
    lost: UndecidedError | undefined,
  ): Promise<Pick<RollOutEntry, "outcome" | "newSession" | "message">> {
    const { pollSeconds, followSeconds } = this.plan;
    const end = this.fleet.now() + followSeconds * 1000;
    for (;;) {
      await this.fleet.sleep(pollSeconds * 1000);
      await this.observe((pollSeconds * 1000) / 2);
      const successor = this.census.successorOf(session.id);
      if (successor.kind === "found") return { outcome: "updated", newSession: successor.session };
      const isLate = this.fleet.now() >= end;
      if (successor.kind === "awaited" && !isLate) continue;
      if (successor.candidates === 0) {
        throw (
          lost ??
          new GatewayError(`the agent of ${session.id} did not come back within ${followSeconds} seconds`)
        );
      }
      const message = `${successor.candidates} new sessions have its credential, ip, os and metadata, and nothing else tells them apart`;
      return { outcome: "notIdentified", message };
    }
  }

  /** Looks who is online, unless somebody did just now. */
  private observe(maxAge: number): Promise<void> {
    const now = this.fleet.now();
    const { observing } = this;
    if (observing && (!observing.ended || now - observing.at < maxAge)) return observing.done;
    const next = { at: now, ended: false, done: Promise.resolve() };
    next.done = this.fleet
      .sessions()
      .then((online) => this.census.take(online))
      .finally(() => (next.ended = true));
    this.observing = next;
    return next.done;
  }

  private tell(session: TunnelSession, event: RollOutProgress["event"]): void {
    this.plan.onProgress?.({ session, event, done: this.done, total: this.total });
  }
}

function choose(online: TunnelSession[], which: readonly string[] | Filter<TunnelSession>): TunnelSession[] {
  if (!Array.isArray(which)) {
    const { fields, noun } = declarationOf("TunnelSession");
    const chosen = online.filter(matcher<TunnelSession>(fields, noun, which as Filter<TunnelSession>));
    if (chosen.length === 0)
      throw new GatewayError(`no tunnel session that is online matches ${inWords(which)}`);
    return chosen;
  }
  const byId = new Map(online.map((session) => [session.id, session]));
  const ids = [...new Set(which as readonly string[])];
  const missing = ids.filter((id) => !byId.has(id));
  if (ids.length === 0) throw new GatewayError("the roll-out names no tunnel session");
  if (missing.length > 0)
    throw new GatewayError(`these tunnel sessions are not online: ${missing.join(", ")}`);
  return ids.map((id) => byId.get(id)!);
}
