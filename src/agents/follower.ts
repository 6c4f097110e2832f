/** Follows agents from a command to what became of them. */
import { GatewayError, UndecidedError } from "../provider/errors";
import type { Timing } from "../provider/http/clock";
import type { AccountClient } from "../account/client";
import { all, each } from "../account/objects";
import type { TunnelSession } from "../resources";
import { declarationOf } from "../resources/registry";
import { counted } from "../text/phrase";
import { SessionTracker } from "./session-tracker";

/**
 * What became of an agent after a command. "updated": it came back with another version. "unchanged": it came back with the
 * version that it had. "notIdentified": several new sessions may be its own. "stillOnline": its session has not ended.
 * "failed": its session ended, and no new one came. "undecided": the command's answer was lost, and no new session came, so it
 * is unknown whether the agent received the command.
 */
export const AgentOutcome = {
  Updated: "updated",
  Unchanged: "unchanged",
  NotIdentified: "notIdentified",
  StillOnline: "stillOnline",
  Failed: "failed",
  Undecided: "undecided",
} as const;
export type AgentOutcome = (typeof AgentOutcome)[keyof typeof AgentOutcome];

/** What became of an agent after a command. */
export interface FollowedAgent {
  /** The agent's session before the command. */
  session: TunnelSession;
  outcome: AgentOutcome;
  /** The agent's new session, where it is identified. */
  newSession?: TunnelSession;
  /** What was seen, where the outcome alone does not say it. */
  message?: string;
}

/** How long to follow an agent. */
export interface FollowPace {
  /** Seconds to wait for an agent's new session after a command. Default: 120. */
  followSeconds?: number;
  /** Seconds between two requests for the list of sessions. Default: 5. */
  pollSeconds?: number;
}

/** The sessions and clocks that the following of agents uses. */
export interface Watched {
  sessions(): Promise<TunnelSession[]>;
  /** The service's time in milliseconds since 1970. */
  serviceTime(): number;
  readonly timing: Pick<Timing, "elapsed" | "sleep">;
}

export function watchedBy(client: AccountClient): Watched {
  const { http } = client;
  return {
    sessions: () => all(each<TunnelSession>(client, declarationOf("TunnelSession"), undefined, {})),
    serviceTime: () => http.serverTime(http.timing.now()) ?? http.timing.now(),
    timing: http.timing,
  };
}

export function checkedPace({ followSeconds, pollSeconds }: FollowPace): Required<FollowPace> {
  return {
    followSeconds: atLeast(0, "followSeconds", followSeconds ?? 120),
    pollSeconds: atLeast(0.1, "pollSeconds", pollSeconds ?? 5),
  };
}

export function atLeast(least: number, name: string, value: number): number {
  if (value >= least) return value;
  throw new GatewayError(`${name}: must be a number from ${least}, not ${String(value)}`);
}

/** What was seen of an agent, and whether each session that may be its own has another version. */
type Found = Omit<FollowedAgent, "session"> & { isVersionSure?: boolean };

export class Follower {
  private readonly tracker = new SessionTracker();
  private observing: { at: number; done: Promise<void>; ended: boolean } | undefined;

  constructor(
    private readonly watched: Watched,
    private readonly pace: Required<FollowPace>,
  ) {}

  /** The sessions that are online. */
  async begin(): Promise<TunnelSession[]> {
    const online = await this.watched.sessions();
    this.tracker.observe(online);
    return online;
  }

  /** Sends a command after which the agent gets a new session. Resolves with the error where its answer is lost. */
  async send(session: TunnelSession, command: () => Promise<void>): Promise<UndecidedError | undefined> {
    await this.observe(0);
    const at = this.watched.serviceTime();
    let lost: UndecidedError | undefined;
    try {
      await command();
    } catch (error) {
      if (!(error instanceof UndecidedError)) throw error;
      lost = error;
    }
    this.tracker.commanded(session, at);
    return lost;
  }

  /** Waits for the new session of an agent that got a command. */
  async follow(session: TunnelSession, lost: UndecidedError | undefined): Promise<Found> {
    const { pollSeconds, followSeconds } = this.pace;
    const { timing } = this.watched;
    const end = timing.elapsed() + followSeconds * 1000;
    for (;;) {
      await timing.sleep(pollSeconds * 1000);
      await this.observe((pollSeconds * 1000) / 2);
      const isLate = timing.elapsed() >= end;
      const found = this.found(session, isLate);
      if (found) return found;
      if (isLate) return this.missed(session, lost);
    }
  }

  /** A session that looks like the agent's is taken at once; for others the time must be over, as a better one may come. */
  private found(session: TunnelSession, isLate: boolean): Found | undefined {
    const successor = this.tracker.successorOf(session.id);
    if (successor.isOnline) return undefined;
    const { session: newSession, candidates } = successor;
    if (newSession && (successor.isAlike || isLate)) {
      this.tracker.settle(session.id, newSession.id);
      return arrived(session, newSession);
    }
    if (candidates.length === 0 || !(successor.areAllAlikeBack || isLate)) return undefined;
    const same = candidates.filter(({ agentVersion }) => agentVersion === session.agentVersion).length;
    return {
      outcome: "notIdentified",
      message:
        `its session ended, and ${counted(candidates.length, "new session")} may be its own, so it is not identified; ` +
        `${same} of them with the version ${session.agentVersion} that it had`,
      isVersionSure: same === 0 && successor.isComplete,
    };
  }

  private missed({ id }: TunnelSession, lost: UndecidedError | undefined): Found {
    if (lost) return { outcome: "undecided", message: lost.message };
    const { followSeconds } = this.pace;
    return this.tracker.successorOf(id).isOnline
      ? { outcome: "stillOnline", message: `its session is still online after ${followSeconds} seconds` }
      : {
          outcome: "failed",
          message: `the agent of ${id} did not reconnect within ${followSeconds} seconds`,
        };
  }

  /** Reads the sessions, unless another agent's work read them within `maxAge` milliseconds. */
  private observe(maxAge: number): Promise<void> {
    const now = this.watched.timing.elapsed();
    const { observing } = this;
    if (observing && (!observing.ended || now - observing.at < maxAge)) return observing.done;
    const next = { at: now, ended: false, done: Promise.resolve() };
    next.done = this.watched
      .sessions()
      .then((online) => this.tracker.observe(online))
      .finally(() => (next.ended = true));
    this.observing = next;
    return next.done;
  }
}

/** An agent is updated where it came back with another version, and not because it got the commands. */
function arrived({ agentVersion, ip, metadata }: TunnelSession, newSession: TunnelSession): Found {
  const changed = [newSession.ip !== ip && "ip", newSession.metadata !== metadata && "metadata"].filter(
    Boolean,
  );
  const words =
    changed.length > 0
      ? `it came back with another ${changed.join(" and ")}, as the only new session like it`
      : "";
  if (newSession.agentVersion !== agentVersion)
    return { outcome: "updated", newSession, ...(words && { message: words }) };
  const again = `it came back with the version ${agentVersion} again`;
  return { outcome: "unchanged", newSession, message: [again, words].filter(Boolean).join("; ") };
}
