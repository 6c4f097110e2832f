/**
 * Limits the rate of all requests over one connection: after a 429 all hooks wait together. Other processes may use the
 * account too. They know of each other by refusals alone, so each leaves the others room to begin.
 */
import type { Timing } from "./timing";
import { day, durationText, hour, second } from "../../schema/text/phrase";

/** Services count in rolling minutes; the margin is for requests that travel faster than earlier ones. */
const window = 60_300;

/**
 * Requests of a burst that was refused are repeated over at least this time, one by one. If all of them went again at
 * once, the account would be full again before another process could ask.
 */
const spread = 5_000;

/**
 * How long after a refusal a learned ceiling is believed before one request tries whether there is room above
 * it; it doubles with each try that fails. Tries that succeed are as far apart as the first.
 */
const firstTrust = 1_000;
const longestTrust = 32_000;

/**
 * The pause where the service does not say how long; it doubles with each refusal that follows one. After longer pauses
 * a process would seldom ask while others leave it room.
 */
const firstPause = 1_000;
const longestPause = 8_000;

/** No sleep is longer, so that what is learned meanwhile shortens it. */
const nap = 1_000;

/** Waits that are worth a line, and how far apart the lines are. */
const noticeable = 2_000;
const reportInterval = 30_000;

/** No service of this kind asks for a longer wait. After this time a service that did is asked again. */
const longestBlock = hour;

/** One request that was let through. */
export interface Ticket {
  /** When, by the time that never goes back, in milliseconds. */
  readonly at: number;
}

interface AdmittedRequest extends Ticket {
  /** When another may take its place, by the same time. They are in this order. */
  leaves: number;
}

/** The service accepts no request for longer than a request may wait. */
export class Blocked extends Error {
  constructor(
    /** For how long it has accepted none, or will accept none. */
    readonly milliseconds: number,
  ) {
    super("the service accepts no request");
  }
}

interface Waiting {
  readonly admit: (ticket: Ticket) => void;
  readonly reject: (reason: Blocked) => void;
}

export class RateLimiter {
  /** How many requests may go in a window: what the user set, or less where the service refused. */
  private ceiling: number;
  /** Those let through in the window and not refused, oldest first. */
  private admitted: AdmittedRequest[] = [];
  /** The one request that went above a learned ceiling and is not answered yet. */
  private probe: Ticket | undefined;
  private probedAt = -Infinity;
  /** By how much the next probe that succeeds raises the ceiling. */
  private rise = 1;
  private waiting: Waiting[] = [];
  private isServing = false;
  private blockedUntil = -Infinity;
  private refusals = 0;
  private refusedAt = -Infinity;
  private trust = firstTrust;
  private refusedSince: number | undefined;
  private reportedAt = -Infinity;
  private reported = "";

  constructor(
    private readonly limit: number,
    private readonly timing: Timing,
    private readonly report: (line: string) => void,
    /** How long a request may wait for a service that accepts none, in milliseconds. */
    private readonly longestWait: number,
  ) {
    this.ceiling = limit;
  }

  /**
   * Waits until a request may go; in the order in which they ask, but those that were refused first. Rejects with
   * Blocked where the service asks to wait for too long.
   */
  admit(wasRefused = false): Promise<Ticket> {
    const blocked = this.blockedUntil - this.timing.elapsed();
    if (blocked > this.longestWait) return Promise.reject(new Blocked(blocked));
    return new Promise((admit, reject) => {
      this.waiting[wasRefused ? "unshift" : "push"]({ admit, reject });
      void this.serve();
    });
  }

  /** The request has ended. `wasAccepted`: the service did not answer 429. */
  settled(ticket: Ticket, wasAccepted: boolean): void {
    const probed = this.probe === ticket;
    if (probed) this.probe = undefined;
    if (!wasAccepted) return;
    this.refusals = 0;
    this.refusedSince = undefined;
    // Others who used the account are gone, or the service allows more than it seemed.
    if (!probed) return;
    this.ceiling = Math.min(this.limit, this.ceiling + this.rise);
    this.rise *= 2;
    this.trust = firstTrust;
  }

  /**
   * The service answered 429: what it accepted in the last minute is the most that it accepts. Rejects all that wait
   * where that is for too long.
   * @returns for how long to wait now, in milliseconds. Throws Blocked where that is too long.
   */
  refused(ticket: Ticket, retryAfter: number | undefined): number {
    const now = this.timing.elapsed();
    if (this.probe === ticket) {
      this.probe = undefined;
      this.trust = Math.min(longestTrust, this.trust * 2);
    }
    this.admitted = this.admitted.filter((other) => other !== ticket);
    this.ceiling = Math.min(this.ceiling, Math.max(1, this.inWindow(now)));
    this.rise = 1;
    this.spreadOut();
    // Requests that were under way together are refused together, which is one refusal.
    if (ticket.at >= this.refusedAt) this.refusals += 1;
    this.refusedAt = now;
    this.refusedSince ??= now;
    const backOff = Math.min(longestPause, firstPause * 2 ** (this.refusals - 1), this.untilOneLeaves(now));
    // A service that asks for less than it takes, such as 0 seconds, is not hammered either.
    const pause = this.refusals > 1 ? Math.max(retryAfter ?? 0, backOff) : (retryAfter ?? backOff);
    this.blockedUntil = Math.max(this.blockedUntil, now + Math.min(pause, longestBlock));
    const idle = Math.max(now - this.refusedSince, pause);
    if (idle <= this.longestWait) return pause;
    const blocked = new Blocked(idle);
    for (const { reject } of this.waiting.splice(0)) reject(blocked);
    throw blocked;
  }

  /** Lets those that wait through, one by one. */
  private async serve(): Promise<void> {
    if (this.isServing) return;
    this.isServing = true;
    while (this.waiting.length > 0) {
      const now = this.timing.elapsed();
      const isFull = this.inWindow(now) >= this.ceiling;
      const probes = isFull && this.mayProbe(now);
      const delay = Math.max(this.blockedUntil - now, isFull && !probes ? this.untilRoom(now) : 0);
      if (delay > 0) {
        this.explain(now, delay);
        await this.timing.sleep(Math.min(delay, nap));
        continue;
      }
      const ticket = { at: now, leaves: Math.max(now + window, this.admitted.at(-1)?.leaves ?? 0) };
      this.admitted.push(ticket);
      if (probes) {
        this.probe = ticket;
        this.probedAt = now;
      }
      this.waiting.shift()!.admit(ticket);
    }
    this.isServing = false;
  }

  private inWindow(now: number): number {
    while (this.admitted.length > 0 && this.admitted[0]!.leaves <= now) this.admitted.shift();
    return this.admitted.length;
  }

  private spreadOut(): void {
    const begin = this.admitted[0]?.leaves ?? 0;
    this.admitted.forEach((ticket, i) => {
      ticket.leaves = Math.max(ticket.leaves, begin + (i * spread) / this.admitted.length);
    });
  }

  /** A ceiling is learned too low while others use the account; one request at a time finds out. */
  private mayProbe(now: number): boolean {
    return (
      this.ceiling < this.limit &&
      now >= Math.max(this.refusedAt + this.trust, this.probedAt + firstTrust) &&
      this.probe === undefined
    );
  }

  /** There is room again at the latest when the oldest request is no longer counted. */
  private untilOneLeaves(now: number): number {
    const oldest = this.admitted[0];
    return oldest === undefined ? Infinity : Math.max(firstPause, oldest.leaves - now);
  }

  private untilRoom(now: number): number {
    return this.admitted[this.admitted.length - this.ceiling]!.leaves - now;
  }

  private explain(now: number, delay: number): void {
    if (delay < noticeable || now < this.reportedAt + reportInterval) return;
    this.reportedAt = now;
    const why =
      this.ceiling < this.limit
        ? `the service accepts no more requests at the moment (it accepted ${this.admitted.length} in the last minute)`
        : `the setting requestsPerMinute allows ${this.limit} requests in a minute`;
    const line = `${why}; waiting up to ${durationText(Math.ceil(delay / second) * second, "second")}, then continuing; you need not do anything`;
    if (line !== this.reported) this.report(line);
    this.reported = line;
  }
}

/** A year: a longer time in a message would be no use to a reader. */
const longestAsked = 365 * day;

/** What a Retry-After header asks for, in milliseconds: seconds, or an HTTP date by the server's own clock. */
export function retryAfterOf(value: unknown, date: unknown, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d+$/.test(value.trim())) return Math.min(Number(value) * 1000, longestAsked);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const server = typeof date === "string" ? Date.parse(date) : NaN;
  // Dates have no fractions of seconds: the second named must be over.
  return Math.min(Math.max(0, until + 1000 - (Number.isNaN(server) ? now : server)), longestAsked);
}
