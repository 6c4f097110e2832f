/** Updates many agents, a few at a time. */
import { GatewayError, UndecidedError } from "../provider/errors";
import type { ApiError } from "../provider/errors";
import { command, isRefusal, isWindows, onWindows, restart } from "./commands";
import { Follower, atLeast, checkedPace, watchedBy } from "./follower";
import type { FollowPace, Watched } from "./follower";
import type { AccountClient } from "../account/client";
import { withClient } from "../account/readers";
import { inWords, matcher } from "../account/filter";
import type { Filter } from "../account/filter";
import type { AccountOptions } from "../account/settings";
import type { TunnelSession } from "../resources";
import { declarationOf } from "../resources/registry";

/** The options of {@link rollOut}. */
export interface RollOutOptions extends AccountOptions, FollowPace {
  /** The number of agents to update at the same time, from 1. Default: 1. */
  concurrency?: number;
  /** The number of failures after which no more agents are started, from 1. Default: 1. */
  stopAfterFailures?: number;
  /** Whether a refused update counts as a failure. Default: false. */
  strict?: boolean;
  /**
   * Whether to restart an agent whose update is refused: an earlier roll-out may have been interrupted between its update
   * and its restart. Default: false.
   */
  resume?: boolean;
  /** Whether to send the update alone and no restart, for agents on Windows and for maintenance windows. Default: false. */
  updateOnly?: boolean;
  /** Seconds between an agent's update and its restart, from 10. Default: 10. Specification: Limits. */
  waitSeconds?: number;
  /** Called at every step. */
  onProgress?: (progress: RollOutProgress) => void;
  /** Once aborted, no more agents are started; agents that were started are finished. */
  signal?: AbortSignal;
}

/** The steps of an agent's update. */
export const RollOutStep = { Update: "update", Wait: "wait", Restart: "restart", Follow: "follow" } as const;
export type RollOutStep = (typeof RollOutStep)[keyof typeof RollOutStep];

/**
 * The result for an agent. "updated": it was restarted, its session ended, and it came back with another version.
 * "unchanged": it came back with the version that it had, which counts as a failure. "refused": the service refused the
 * update, as it does where none is available; the message says why. "updateSent": with `updateOnly`, the service accepted
 * the update. "notIdentified": restarted, but several new sessions may be its own; a failure unless all of them have another
 * version. "undecided": the answer to a command was lost, and no new session shows whether the agent received it.
 * "failed": a step failed, or the agent did not restart or reconnect. "unsupported": it runs on Windows and was skipped.
 * "notStarted": the roll-out stopped before it, after failures or an abort.
 */
export const RollOutOutcome = {
  Updated: "updated",
  Unchanged: "unchanged",
  Refused: "refused",
  UpdateSent: "updateSent",
  NotIdentified: "notIdentified",
  Undecided: "undecided",
  Failed: "failed",
  Unsupported: "unsupported",
  NotStarted: "notStarted",
} as const;
export type RollOutOutcome = (typeof RollOutOutcome)[keyof typeof RollOutOutcome];

/** One step of one agent. */
export interface RollOutProgress {
  /** The agent's session before the update. */
  session: TunnelSession;
  /** The step that starts, or the result. */
  event: RollOutStep | RollOutOutcome;
  /** The number of agents that are done, and of all agents. */
  done: number;
  total: number;
}

/** The result for one agent. */
export interface RollOutEntry {
  /** The agent's session before the update. */
  session: TunnelSession;
  outcome: RollOutOutcome;
  /** The agent's new session, where it is identified. */
  newSession?: TunnelSession;
  /** The step that failed. */
  step?: RollOutStep;
  /** The reason where the outcome is not "updated", and what else changed where it is. */
  message?: string;
}

/** The results for all agents. */
export interface RollOutReport {
  /** Whether no agent failed, was skipped or was not started. A refused update is no failure unless `strict` is set. */
  ok: boolean;
  /** In the order of the given ids, or of the list. */
  sessions: RollOutEntry[];
}

/**
 * Updates agents. Each agent gets the command to update, and at least 10 seconds later the command to restart. Then
 * its new session is identified by credential, os and start time, or reported as not identified. Its address and
 * metadata may change: they rank the candidates and exclude none. An agent counts as updated only where its old session
 * ended and its new one has another version. An agent whose update is refused is not restarted. No command is sent
 * twice. After the first failures no more agents are started.
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
 * @param which the ids of sessions, or a filter; `{}` means all.
 * @param options the pace, the reaction to failures, and whose account.
 * @throws GatewayError where no session matches, an id is not online, or an option is wrong.
 */
export function rollOut(
  which: readonly string[] | Filter<TunnelSession>,
  options: RollOutOptions = {},
): Promise<RollOutReport> {
  return withClient(options, (client) => rollOutWith(client, which, options));
}

export async function rollOutWith(
  client: AccountClient,
  which: readonly string[] | Filter<TunnelSession>,
  options: RollOutOptions,
): Promise<RollOutReport> {
  const fleet: Fleet = {
    ...watchedBy(client),
    update: (session) => command(client, session.id, "update"),
    restart: (session) => restart(client, session),
  };
  return new RollOut(fleet, checked(options)).run(which);
}

/** The agents of a roll-out, and the commands to them. */
export interface Fleet extends Watched {
  update(session: TunnelSession): Promise<void>;
  restart(session: TunnelSession): Promise<void>;
}

type Plan = ReturnType<typeof checked>;

function checked(options: RollOutOptions) {
  return {
    ...options,
    concurrency: atLeast(1, "concurrency", options.concurrency ?? 1),
    stopAfterFailures: atLeast(1, "stopAfterFailures", options.stopAfterFailures ?? 1),
    waitSeconds: atLeast(10, "waitSeconds", options.waitSeconds ?? 10),
    ...checkedPace(options),
  };
}

export class RollOut {
  private readonly follower: Follower;
  private failures = 0;
  private done = 0;
  private total = 0;

  constructor(
    private readonly fleet: Fleet,
    private readonly plan: Plan,
  ) {
    this.follower = new Follower(fleet, plan);
  }

  async run(which: readonly string[] | Filter<TunnelSession>): Promise<RollOutReport> {
    const chosen = choose(await this.follower.begin(), which);
    this.total = chosen.length;
    const entries = chosen.map((session): RollOutEntry => {
      if (!isWindows(session.os) || this.plan.updateOnly)
        return { session, outcome: "notStarted", message: "it was not started" };
      return { session, outcome: "unsupported", message: onWindows };
    });
    const waiting = entries.filter(({ outcome }) => outcome === "notStarted");
    const worker = async (): Promise<void> => {
      while (this.mayStart() && waiting.length > 0) await this.workOn(waiting.shift()!);
    };
    const workers = Math.min(this.plan.concurrency, waiting.length);
    await Promise.all(Array.from({ length: workers }, worker));
    const undone: RollOutOutcome[] = ["unsupported", "notStarted"];
    const ok = this.failures === 0 && entries.every(({ outcome }) => !undone.includes(outcome));
    return { ok, sessions: entries };
  }

  private mayStart(): boolean {
    return this.failures < this.plan.stopAfterFailures && this.plan.signal?.aborted !== true;
  }

  private async workOn(entry: RollOutEntry): Promise<void> {
    const { session } = entry;
    delete entry.message;
    const start = (step: RollOutStep): void => {
      entry.step = step;
      this.report(session, step);
    };
    const { resume, strict, updateOnly } = this.plan;
    try {
      start("update");
      const refusal = await this.update(session);
      if (refusal !== undefined && !resume) {
        Object.assign(entry, { outcome: "refused", message: refusal.message });
        if (strict) this.failures += 1;
        return;
      }
      if (updateOnly) {
        entry.outcome = "updateSent";
        return;
      }
      start("wait");
      await this.fleet.timing.sleep(this.plan.waitSeconds * 1000);
      start("restart");
      const lost = await this.follower.send(session, () => this.fleet.restart(session));
      start("follow");
      const { outcome, isVersionSure, ...found } = await this.follower.follow(session, lost);
      Object.assign(entry, { ...found, outcome: outcome === "stillOnline" ? "failed" : outcome });
      if (entry.outcome !== "updated" && isVersionSure !== true) this.failures += 1;
    } catch (error) {
      entry.message = error instanceof Error ? error.message : String(error);
      entry.outcome = error instanceof UndecidedError ? "undecided" : "failed";
      this.failures += 1;
    } finally {
      if (entry.outcome !== "failed" && entry.outcome !== "undecided") delete entry.step;
      this.done += 1;
      this.report(session, entry.outcome);
    }
  }

  /** Sends the update. Resolves with the service's refusal, whatever its words are. */
  private async update(session: TunnelSession): Promise<ApiError | undefined> {
    try {
      await this.fleet.update(session);
      return undefined;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  private report(session: TunnelSession, event: RollOutProgress["event"]): void {
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
  if (ids.length === 0) throw new GatewayError("give at least one tunnel session for the roll-out");
  if (missing.length > 0)
    throw new GatewayError(`these tunnel sessions are not online: ${missing.join(", ")}`);
  return ids.map((id) => byId.get(id)!);
}
