/** What may be sent again, how soon, and for how long. */
import { minute, wholeSeconds } from "../../schema/text/phrase";
import { AnswerError, ApiError, isForeignNotFound, TransportError } from "../errors";
import type { Timing } from "./timing";
import { Blocked } from "./rate-limiter";

/** Added to the time of waiting for the rate limit, in milliseconds: the service counts requests in rolling minutes. */
export const rateLimitWindow = minute;

const firstPause = 500;
const longestPause = 30_000;

/** An answer that cannot be read seldom gets better: often the base URL is not the API's. */
const unreadableAttempts = 5;

/** For how long an operation that takes at most the given time is tried again after the error, in milliseconds. */
export function retryTimeoutAfter(error: unknown, milliseconds: number): number {
  return error instanceof TransportError ? Math.min(error.longestRetry, milliseconds) : milliseconds;
}

/**
 * The time that one operation may spend on requests and on pauses between them. Waiting for a turn within the rate limit
 * is not counted: it is not a failure. Waiting that the service asks for with 429 has the same time once more, and a minute.
 */
export class Budget {
  private spent = 0;
  private waited = 0;
  private failures = 0;
  private unreadable = 0;

  /**
   * @param milliseconds the setting retryTimeout.
   * @param patience the most that its user waits, in milliseconds, where that is less.
   */
  constructor(
    private readonly milliseconds: number,
    private readonly timing: Timing,
    private readonly patience = Infinity,
  ) {}

  /** Counts the time that the work takes. */
  async spend<T>(work: () => Promise<T>): Promise<T> {
    const start = this.timing.elapsed();
    try {
      return await work();
    } finally {
      this.spent += this.timing.elapsed() - start;
    }
  }

  /** The time that it has spent, in milliseconds. */
  get used(): number {
    return this.spent;
  }

  /** Counts a wait that the service asks for, in milliseconds. Throws Blocked where the operation has no time for it. */
  waits(milliseconds: number): void {
    this.waited += milliseconds;
    if (this.waited > Math.min(this.milliseconds, this.patience) + rateLimitWindow)
      throw new Blocked(this.waited);
  }

  /** Pauses before another attempt; throws the error, with what was tried, where there is no time for one. */
  async pause(error: unknown): Promise<void> {
    this.failures += 1;
    if (error instanceof AnswerError) this.unreadable += 1;
    // A 404 of a proxy is most often a wrong base URL, which its user should read soon.
    if (isForeignNotFound(error)) this.unreadable += 2;
    const asked = error instanceof ApiError ? (error.refused.retryAfter ?? 0) : 0;
    const pause = Math.max(asked, this.backOff());
    const timeout = retryTimeoutAfter(error, this.milliseconds);
    if (this.unreadable >= unreadableAttempts) throw this.givenUp(error, "");
    if (this.spent + pause > Math.min(timeout, this.patience))
      throw this.givenUp(error, ` (${this.reasonFor(timeout)})`);
    await this.spend(() => this.timing.sleep(pause));
  }

  /** Exponential, and spread by chance so that hooks that failed together do not come back together. */
  private backOff(): number {
    const most = Math.min(longestPause, firstPause * 2 ** Math.min(this.failures - 1, 10));
    return most * (0.5 + this.timing.random() / 2);
  }

  /** Why it ends, where an operation with this error may take so many milliseconds. */
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
    if (error instanceof Error && this.failures > 1) {
      const seconds = wholeSeconds(this.spent);
      error.message += `; given up after ${this.failures} attempts in ${seconds}${reason}`;
    }
    return error;
  }
}
