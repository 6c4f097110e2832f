/** Identifies the new sessions of agents that were restarted. */
import { toInstant } from "../schema/formats/time";
import type { TunnelSession } from "../resources";

/** The new session of an agent that was restarted, as far as it is known. */
export type Successor =
  | { readonly kind: "found"; readonly session: TunnelSession }
  /** Its new session may not be online yet, or an agent that looks the same has not reconnected. */
  | { readonly kind: "awaited"; readonly candidates: number }
  /** All agents that look the same are back, and several new sessions may be its own. */
  | { readonly kind: "unclear"; readonly candidates: number };

interface Seen {
  readonly session: TunnelSession;
  /** The first and the last observation that held it. */
  readonly first: number;
  last: number;
  /** When it got the command to restart, and the last observation before. */
  restart?: { readonly at: number; readonly after: number };
}

/** The times in answers and the service's clock are whole seconds. */
const tolerance = 2_000;

/**
 * Observes sessions. An agent and its new session have the same credential, ip, os and metadata, and the session starts
 * after the restart. Several sessions may meet that, so a session is identified only where it can belong to no other
 * agent: every new session is taken as the successor of one that went offline.
 */
export class SessionTracker {
  private readonly seen = new Map<string, Seen>();
  private observation = 0;
  private readonly solved = new Map<string, { at: number; pairs: Map<Seen, Seen> }>();

  /** Records the sessions that are online now. */
  observe(sessions: readonly TunnelSession[]): void {
    this.observation += 1;
    for (const session of sessions) {
      const seen = this.seen.get(session.id);
      if (seen) seen.last = this.observation;
      else this.seen.set(session.id, { session, first: this.observation, last: this.observation });
    }
  }

  /** Records a restart. `at` is the service's time just before, in milliseconds. */
  restarted(id: string, at: number): void {
    const seen = this.seen.get(id);
    if (seen) seen.restart = { at, after: this.observation };
  }

  successorOf(id: string): Successor {
    const agent = this.seen.get(id)!;
    const { departures, arrivals } = this.alike(agent.session);
    const pairs = this.pairs(agent.session, departures, arrivals);
    const found = pairs.get(agent);
    if (found) return { kind: "found", session: found.session };
    const candidates = arrivals.filter((arrival) => mayBe(agent, arrival)).length;
    const isComplete = arrivals.length >= departures.length && candidates > 0;
    return { kind: isComplete ? "unclear" : "awaited", candidates };
  }

  /** The sessions that differ from this one by their times alone. */
  private alike(session: TunnelSession): { departures: Seen[]; arrivals: Seen[] } {
    const identity = identityOf(session);
    const group = [...this.seen.values()].filter((seen) => identityOf(seen.session) === identity);
    // Some agents go offline without a restart, and may reconnect at the same time.
    const departures = group.filter((seen) => seen.restart !== undefined || seen.last < this.observation);
    const arrivals = group.filter(
      (seen) => seen.first > 1 && departures.some((departure) => mayBe(departure, seen)),
    );
    return { departures, arrivals };
  }

  /** The pairs that are certain: a new session that can belong to only one of the agents. */
  private pairs(session: TunnelSession, departures: Seen[], arrivals: Seen[]): Map<Seen, Seen> {
    const identity = identityOf(session);
    const known = this.solved.get(identity);
    if (known?.at === this.observation) return known.pairs;
    const pairs = new Map<Seen, Seen>();
    // More sessions are new than went offline, so at least one belongs to another agent.
    const open = new Set(arrivals.length > departures.length ? [] : arrivals);
    for (let before = -1; before !== open.size;) {
      before = open.size;
      for (const arrival of open) {
        const possible = departures.filter((departure) => !pairs.has(departure) && mayBe(departure, arrival));
        if (possible.length !== 1) continue;
        pairs.set(possible[0]!, arrival);
        open.delete(arrival);
      }
    }
    this.solved.set(identity, { at: this.observation, pairs });
    return pairs;
  }
}

function identityOf({ credential, ip, os, metadata }: TunnelSession): string {
  return JSON.stringify([credential?.id, ip, os, metadata]);
}

/** Whether the arrival may be the departed agent's new session. */
function mayBe(departure: Seen, arrival: Seen): boolean {
  if (departure === arrival) return false;
  if (departure.restart === undefined) return arrival.first > departure.last;
  const start = toInstant(arrival.session.startedAt);
  const { at, after } = departure.restart;
  return arrival.first > after && start !== undefined && start >= at - tolerance;
}
