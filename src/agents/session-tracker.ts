/** Who comes back as whom: agents that were restarted, and the sessions that are new since. */
import { toInstant } from "../schema/formats/time";
import type { TunnelSession } from "../resources";

/** What became of an agent that was restarted. */
export type Successor =
  | { readonly kind: "found"; readonly session: TunnelSession }
  /** It may still come, or those may that it could be mistaken for. */
  | { readonly kind: "awaited"; readonly candidates: number }
  /** All that left are back, and nothing tells which of them it is. */
  | { readonly kind: "unclear"; readonly candidates: number };

interface Seen {
  readonly session: TunnelSession;
  /** The first and the last observation that showed it. */
  readonly first: number;
  last: number;
  /** When it was told to restart. */
  restart?: { readonly at: number; readonly after: number };
}

/** Times in answers are whole seconds, and so is the service's time as its answers tell it. */
const tolerance = 2_000;

/**
 * Keeps book of sessions. An agent and its new session have credential, ip, os and metadata in common, and the
 * session starts after the restart; but so it may be with several. Two are one only where everything else is
 * excluded, every new session taken for the successor of one that left.
 */
export class Census {
  private readonly seen = new Map<string, Seen>();
  private observation = 0;
  private readonly solved = new Map<string, { at: number; pairs: Map<Seen, Seen> }>();

  /** Takes note of who is online now. */
  take(sessions: readonly TunnelSession[]): void {
    this.observation += 1;
    for (const session of sessions) {
      const seen = this.seen.get(session.id);
      if (seen) seen.last = this.observation;
      else this.seen.set(session.id, { session, first: this.observation, last: this.observation });
    }
  }

  /** Takes note of a restart. `at` is the service's time just before, in milliseconds. */
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

  /** Those that nothing but their times tells apart from the session. */
  private alike(session: TunnelSession): { departures: Seen[]; arrivals: Seen[] } {
    const mark = markOf(session);
    const group = [...this.seen.values()].filter((seen) => markOf(seen.session) === mark);
    // Some leave by themselves, and may come back just then.
    const departures = group.filter((seen) => seen.restart !== undefined || seen.last < this.observation);
    const arrivals = group.filter(
      (seen) => seen.first > 1 && departures.some((departure) => mayBe(departure, seen)),
    );
    return { departures, arrivals };
  }

  /** The pairs that are certain: of an arrival that may be only one of those that left, that one it is. */
  private pairs(session: TunnelSession, departures: Seen[], arrivals: Seen[]): Map<Seen, Seen> {
    const mark = markOf(session);
    const known = this.solved.get(mark);
    if (known?.at === this.observation) return known.pairs;
    const pairs = new Map<Seen, Seen>();
    // More came than left: one of them is a stranger, and nobody knows which.
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
    this.solved.set(mark, { at: this.observation, pairs });
    return pairs;
  }
}

function markOf({ credential, ip, os, metadata }: TunnelSession): string {
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
