/**
 * Limits the rate of all requests over one connection: after a 429, all hooks wait together. Other processes may use the account
 * too. They notice each other only by refusals, so each process leaves room for the others to start.
 */
import type { Timing } from "./timing";
import { day, durationText, hour, second } from "../../schema/text/phrase";

/** Services count in rolling minutes. The margin allows for requests that travel faster than earlier ones. */
const window = 60_300;

/**
 * Requests of a refused burst are repeated one by one over at least this time, in milliseconds. If they were all repeated at
 * once, they would fill the account again before another process could send a request.
 */
const spread = 5_000;

/**
 * How long after a refusal a learned ceiling is trusted, in milliseconds. Then one request tests whether there is room above it.
 * The time doubles after each failed test, and returns to this value after a successful one.
 */
const firstTrust = 1_000;
const longestTrust = 32_000;

/**
 * The pause if the service does not state one, in milliseconds. It doubles with each consecutive refusal. With a longer first
 * pause, a process would seldom get a turn while other processes leave room.
 */
const firstPause = 1_000;
const longestPause = 8_000;

/** The longest sleep, in milliseconds, so that new information can shorten a wait. */
const nap = 1_000;

/** Waits of this length are reported, and reports are this far apart, in milliseconds. */
const noticeable = 2_000;
const reportInterval = 30_000;

/** The longest wait that services of this kind ask for, in milliseconds. After it, the service is asked again. */
const longestBlock = hour;

/** One admitted request. */
export interface Ticket {
  /** The time of admission by the monotonic clock, in milliseconds. */
  readonly at: number;
}

interface AdmittedRequest extends Ticket {
  /** When another request may take its place, by the same clock. Requests are sorted by this time. */
  leaves: number;
}

/** The service accepts no request for longer than a request may wait. */
export class Blocked extends Error {
  constructor(
    /** How long it has accepted none, or will accept none. */
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
  /** The maximum number of requests in a window: the user's setting, or less after a refusal. */
  private ceiling: number;
  /** The requests of the window that were admitted and not refused, oldest first. */
  private admitted: AdmittedRequest[] = [];
  /** The one request above a learned ceiling that has no answer yet. */
  private probe: Ticket | undefined;
  private probedAt = -Infinity;
  /** How much the next successful probe raises the ceiling. */
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
    /** The longest wait of a request while the service accepts none, in milliseconds. */
    private readonly longestWait: number,
  ) {
    this.ceiling = limit;
  }

  /**
   * Waits until a request may be sent: in the order of the calls, but refused requests go first. Rejects with Blocked if the
   * service asks for too long a wait.
   */
  admit(wasRefused = false): Promise<Ticket> {
    const blocked = this.blockedUntil - this.timing.elapsed();
    if (blocked > this.longestWait) return Promise.reject(new Blocked(blocked));
    return new Promise((admit, reject) => {
      this.waiting[wasRefused ? "unshift" : "push"]({ admit, reject });
      void this.serve();
    });
  }

  /** Records that the request has ended. `wasAccepted`: the service did not answer 429. */
  settled(ticket: Ticket, wasAccepted: boolean): void {
    const probed = this.probe === ticket;
    if (probed) this.probe = undefined;
    if (!wasAccepted) return;
    this.refusals = 0;
    this.refusedSince = undefined;
    // The account's other users have left, or the service allows more than it seemed.
    if (!probed) return;
    this.ceiling = Math.min(this.limit, this.ceiling + this.rise);
    this.rise *= 2;
    this.trust = firstTrust;
  }

  /**
   * Records a 429: the number of requests accepted in the last minute becomes the ceiling. If the wait is too long, rejects all
   * waiting requests and throws Blocked.
   * @returns how long to wait now, in milliseconds.
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
    // Concurrent requests are refused together, which counts as one refusal.
    if (ticket.at >= this.refusedAt) this.refusals += 1;
    this.refusedAt = now;
    this.refusedSince ??= now;
    const backOff = Math.min(longestPause, firstPause * 2 ** (this.refusals - 1), this.untilOneLeaves(now));
    // After repeated refusals, a service that asks for too short a wait, such as 0 seconds, still gets a longer pause.
    const pause = this.refusals > 1 ? Math.max(retryAfter ?? 0, backOff) : (retryAfter ?? backOff);
    this.blockedUntil = Math.max(this.blockedUntil, now + Math.min(pause, longestBlock));
    const idle = Math.max(now - this.refusedSince, pause);
    if (idle <= this.longestWait) return pause;
    const blocked = new Blocked(idle);
    for (const { reject } of this.waiting.splice(0)) reject(blocked);
    throw blocked;
  }

  /** Admits the waiting requests one by one. */
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

  /** A ceiling that was learned while others used the account may be too low. One request at a time tests it. */
  private mayProbe(now: number): boolean {
    return (
      this.ceiling < this.limit &&
      now >= Math.max(this.refusedAt + this.trust, this.probedAt + firstTrust) &&
      this.probe === undefined
    );
  }

  /** There is room at the latest when the oldest request is no longer counted. */
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
    const line = `${why}; waiting up to ${durationText(Math.ceil(delay / second) * second, "second")}, then continuing; no action needed`;
    if (line !== this.reported) this.report(line);
    this.reported = line;
  }
}

/** A year, in milliseconds: a longer time in a message would not help the reader. */
const longestAsked = 365 * day;

/**
 * The wait that a Retry-After header asks for, in milliseconds. The header holds seconds, or an HTTP date by the server's clock.
 */
export function retryAfterOf(value: unknown, date: unknown, now: number): number | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d+$/.test(value.trim())) return Math.min(Number(value) * 1000, longestAsked);
  const until = Date.parse(value);
  if (Number.isNaN(until)) return undefined;
  const server = typeof date === "string" ? Date.parse(date) : NaN;
  // Dates have no fractions of seconds, so the named second must be over.
  return Math.min(Math.max(0, until + 1000 - (Number.isNaN(server) ? now : server)), longestAsked);
}
