/** Identifies the new sessions of agents that went offline. */
import { toInstant } from "../schema/formats/time";
import type { TunnelSession } from "../resources";

/** What is known of an agent since its restart. */
export interface Successor {
  /** Whether the session that it had is still online. */
  readonly isOnline: boolean;
  /** Its new session, where it can be no other agent's. */
  readonly session?: TunnelSession;
  /** Whether ip and metadata of the new session are the agent's, so that no better candidate can come. */
  readonly isAlike: boolean;
  /** The new sessions that may be its own. */
  readonly candidates: readonly TunnelSession[];
  /** Whether all agents that these sessions may belong to can be back; and all that look the same. */
  readonly isComplete: boolean;
  readonly areAllAlikeBack: boolean;
}

interface Seen {
  readonly session: TunnelSession;
  readonly startedAt: number | undefined;
  /** The first and the last observation that held it. */
  readonly first: number;
  last: number;
  /** When it got a command, and the last observation before. */
  command?: { readonly at: number; readonly after: number };
  /** Whether its successor is known, and whether it is a known successor. */
  isFollowed: boolean;
  isTaken: boolean;
}

interface Pair {
  readonly arrival: Seen;
  readonly rank: number;
}

/** The times in answers and the service's clock are whole seconds. */
const tolerance = 2_000;

/** How much a new session looks like an agent's. An agent's metadata are its own; several agents may share an address. */
const ranks = [3, 2, 1, 0] as const;
const alike = ranks[0];

/**
 * Observes sessions. An agent and its new session have the same credential and os, and the session starts after the
 * command. Address and metadata may change, so they rank the candidates and exclude none. A session is identified only
 * where it can belong to no other agent of the same rank: every new session is taken as the successor of one that went offline.
 */
export class SessionTracker {
  private readonly seen = new Map<string, Seen>();
  private observation = 0;
  private readonly solved = new Map<string, { at: number; pairs: Map<Seen, Pair> }>();

  /** Records the sessions that are online now. */
  observe(sessions: readonly TunnelSession[]): void {
    this.observation += 1;
    for (const session of sessions) {
      const seen = this.seen.get(session.id);
      if (seen) seen.last = this.observation;
      else this.add(session, this.observation);
    }
  }

  /** Records a command to an agent. `at` is the service's time just before, in milliseconds. */
  commanded(session: TunnelSession, at: number): void {
    // A session that was read, and is in no list, ended before the last one.
    const seen = this.seen.get(session.id) ?? this.add(session, this.observation - 1);
    seen.command = { at, after: this.observation };
  }

  private add(session: TunnelSession, at: number): Seen {
    const startedAt = toInstant(session.startedAt);
    const seen: Seen = { session, startedAt, first: at, last: at, isFollowed: false, isTaken: false };
    this.seen.set(session.id, seen);
    return seen;
  }

  /** Records that the session is the agent's, so that neither has a part in what comes later. */
  settle(id: string, successor: string): void {
    this.seen.get(id)!.isFollowed = true;
    this.seen.get(successor)!.isTaken = true;
  }

  successorOf(id: string): Successor {
    const agent = this.seen.get(id)!;
    const group = this.group(agent.session);
    const pairs = this.pairs(agent.session, group);
    const pair = pairs.get(agent);
    const isOnline = agent.last === this.observation;
    if (pair) {
      const certain = { candidates: [], isComplete: true, areAllAlikeBack: true };
      return { isOnline, session: pair.arrival.session, isAlike: pair.rank === alike, ...certain };
    }
    const open = withoutPairs(group, pairs);
    const isBack = (least: number): boolean => {
      const component = componentOf(agent, open, least);
      return component.arrivals.length > 0 && component.arrivals.length >= component.departures.length;
    };
    return {
      isOnline,
      isAlike: false,
      candidates: open.arrivals.filter((arrival) => mayBe(agent, arrival)).map(({ session }) => session),
      isComplete: isBack(0),
      areAllAlikeBack: isBack(alike),
    };
  }

  /** The sessions with the same credential and os: those that went offline or may, and those that are new. */
  private group(session: TunnelSession): Open {
    const key = groupOf(session);
    const group = [...this.seen.values()].filter((seen) => groupOf(seen.session) === key);
    // Some agents go offline without a command, and may reconnect at the same time.
    const departures = group.filter(
      (seen) => !seen.isFollowed && (seen.command !== undefined || seen.last < this.observation),
    );
    const arrivals = group.filter(
      (seen) => !seen.isTaken && seen.first > 1 && departures.some((departure) => mayBe(departure, seen)),
    );
    return { departures, arrivals };
  }

  /** The pairs that are certain at their rank: a new session that can belong to only one of the agents. */
  private pairs(session: TunnelSession, group: Open): Map<Seen, Pair> {
    const key = groupOf(session);
    const known = this.solved.get(key);
    if (known?.at === this.observation) return known.pairs;
    const pairs = new Map<Seen, Pair>();
    let open = group;
    for (const rank of ranks) {
      for (const component of components(open, rank)) {
        for (const [departure, arrival] of certain(component, rank)) pairs.set(departure, { arrival, rank });
      }
      open = withoutPairs(open, pairs);
    }
    this.solved.set(key, { at: this.observation, pairs });
    return pairs;
  }
}

interface Open {
  readonly departures: readonly Seen[];
  readonly arrivals: readonly Seen[];
}

function withoutPairs({ departures, arrivals }: Open, pairs: ReadonlyMap<Seen, Pair>): Open {
  const taken = new Set([...pairs.values()].map(({ arrival }) => arrival));
  return {
    departures: departures.filter((departure) => !pairs.has(departure)),
    arrivals: arrivals.filter((arrival) => !taken.has(arrival)),
  };
}

function groupOf({ credential, os }: TunnelSession): string {
  return JSON.stringify([credential?.id, os]);
}

function rankOf({ session: a }: Seen, { session: b }: Seen): number {
  return (a.metadata === b.metadata ? 2 : 0) + (a.ip === b.ip ? 1 : 0);
}

/** Whether the arrival may be the departed agent's new session. */
function mayBe(departure: Seen, arrival: Seen, least = 0): boolean {
  if (departure === arrival || rankOf(departure, arrival) < least) return false;
  if (departure.command === undefined) return arrival.first > departure.last;
  const { at, after } = departure.command;
  return arrival.first > after && arrival.startedAt !== undefined && arrival.startedAt >= at - tolerance;
}

/** The agents and new sessions that may belong together, directly or by way of others. */
function componentOf(agent: Seen, open: Open, least: number): Open {
  const departures = new Set<Seen>([agent]);
  const arrivals = new Set<Seen>();
  for (const departure of departures) {
    for (const arrival of open.arrivals) {
      if (arrivals.has(arrival) || !mayBe(departure, arrival, least)) continue;
      arrivals.add(arrival);
      for (const each of open.departures) if (mayBe(each, arrival, least)) departures.add(each);
    }
  }
  return { departures: [...departures], arrivals: [...arrivals] };
}

function components(open: Open, least: number): Open[] {
  const done = new Set<Seen>();
  return open.departures.flatMap((departure) => {
    if (done.has(departure)) return [];
    const component = componentOf(departure, open, least);
    for (const each of component.departures) done.add(each);
    return [component];
  });
}

function certain({ departures, arrivals }: Open, least: number): Map<Seen, Seen> {
  const pairs = new Map<Seen, Seen>();
  // More sessions are new than went offline, so at least one belongs to another agent.
  const open = new Set(arrivals.length > departures.length ? [] : arrivals);
  for (let before = -1; before !== open.size;) {
    before = open.size;
    for (const arrival of open) {
      const possible = departures.filter(
        (departure) => !pairs.has(departure) && mayBe(departure, arrival, least),
      );
      if (possible.length !== 1) continue;
      pairs.set(possible[0]!, arrival);
      open.delete(arrival);
    }
  }
  return pairs;
}
