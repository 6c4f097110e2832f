/** Which requests may be sent again, how soon, and for how long. */
import { minute, wholeSeconds } from "../../schema/text/phrase";
import { AnswerError, ApiError, isForeignNotFound, TransportError } from "../errors";
import type { Timing } from "./timing";
import { Blocked } from "./rate-limiter";

/** Added to the time of waiting for the rate limit, in milliseconds: the service counts requests in rolling minutes. */
export const rateLimitWindow = minute;

const firstPause = 500;
const longestPause = 30_000;

/** An unreadable answer seldom gets better: often the base URL is not that of the API. */
const unreadableAttempts = 5;

/**
 * The longest time that an operation is retried after the error, in milliseconds. `milliseconds` is the operation's own limit.
 */
export function retryTimeoutAfter(error: unknown, milliseconds: number): number {
  return error instanceof TransportError ? Math.min(error.longestRetry, milliseconds) : milliseconds;
}

/**
 * The time that one operation may spend on requests and on pauses between them. Waiting for a turn within the rate limit does not
 * count, because it is not a failure. The waits that the service asks for with 429 have a separate limit: the same time plus a
 * minute.
 */
export class Budget {
  private spent = 0;
  private waited = 0;
  private failures = 0;
  private unreadable = 0;
  private isOver = false;

  /**
   * @param milliseconds the setting retryTimeout.
   * @param patience the longest time that the user waits, in milliseconds, if it is less.
   */
  constructor(
    private readonly milliseconds: number,
    private readonly timing: Timing,
    private readonly patience: number,
  ) {}

  /** Does the work and counts the time that it takes. */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    const start = this.timing.elapsed();
    try {
      return await work();
    } finally {
      this.spent += this.timing.elapsed() - start;
    }
  }

  /** The time spent so far, in milliseconds. */
  get used(): number {
    return this.spent;
  }

  /** Counts a wait that the service asks for, in milliseconds. Throws Blocked if the operation has no time for it. */
  waits(milliseconds: number): void {
    this.waited += milliseconds;
    if (this.waited > Math.min(this.milliseconds, this.patience) + rateLimitWindow)
      throw new Blocked(this.waited);
  }

  /** Pauses before another attempt. If there is no time for one, throws the error, once with a summary of the attempts. */
  async pause(error: unknown): Promise<void> {
    if (this.isOver) throw error;
    this.failures += 1;
    if (error instanceof AnswerError) this.unreadable += 1;
    // A 404 from a proxy usually means a wrong base URL, which the user should learn soon.
    if (isForeignNotFound(error)) this.unreadable += 2;
    const asked = error instanceof ApiError ? (error.refused.retryAfter ?? 0) : 0;
    const pause = Math.max(asked, this.backOff());
    const timeout = retryTimeoutAfter(error, this.milliseconds);
    if (this.unreadable >= unreadableAttempts) throw this.givenUp(error, "");
    if (this.spent + pause > Math.min(timeout, this.patience))
      throw this.givenUp(error, ` (${this.reasonFor(timeout)})`);
    await this.spend(() => this.timing.sleep(pause));
  }

  /** Exponential, with random jitter so that hooks that failed together are not repeated together. */
  private backOff(): number {
    const most = Math.min(longestPause, firstPause * 2 ** Math.min(this.failures - 1, 10));
    return most * (0.5 + this.timing.random() / 2);
  }

  /** Why the retries end, if an operation with this error may take this many milliseconds. */
  private reasonFor(timeout: number): string {
    const isWhole = timeout === this.milliseconds;
    if (timeout > this.patience) {
      const most = wholeSeconds(timeout);
      return `this command waits no longer; a deployment tries for up to ${most}${isWhole ? ", the setting retryTimeout" : ""}`;
    }
    return isWhole
      ? "setting retryTimeout"
      : "sooner than the setting retryTimeout, because waiting seldom helps here";
  }

  private givenUp(error: unknown, reason: string): unknown {
    this.isOver = true;
    if (error instanceof Error && this.failures > 1) {
      const seconds = wholeSeconds(this.spent);
      error.message += `; given up after ${this.failures} attempts in ${seconds}${reason}`;
    }
    return error;
  }
}
