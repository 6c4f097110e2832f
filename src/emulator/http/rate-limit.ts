import type { Clock } from "../clock";
import { HttpError } from "./errors";

const WINDOW_MS = 60_000;

/** A rolling window over the whole account, as in services of this kind. Rejected requests do not count. */
export class RateLimit {
  private times: number[] = [];

  constructor(
    private readonly clock: Clock,
    private readonly limit: number | undefined,
    private readonly retryAfter: "seconds" | "date" | "none" = "seconds",
  ) {}

  admit(): void {
    if (this.limit === undefined) return;
    const now = this.clock.now().getTime();
    this.times = this.times.filter((time) => time > now - WINDOW_MS);
    if (this.times.length < this.limit) {
      this.times.push(now);
      return;
    }
    const seconds = Math.ceil(((this.times[0] ?? now) + WINDOW_MS - now) / 1000);
    throw new HttpError(
      429,
      "ERR_RATE_LIMIT",
      `more than ${this.limit} requests in 60 seconds`,
      this.header(now, seconds),
    );
  }

  clear(): void {
    this.times = [];
  }

  private header(now: number, seconds: number): Record<string, string> {
    if (this.retryAfter === "none") return {};
    if (this.retryAfter === "seconds") return { "Retry-After": String(seconds) };
    return { "Retry-After": new Date(now + seconds * 1000).toUTCString() };
  }
}
