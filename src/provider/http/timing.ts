/** Time and randomness for the provider; tests replace them. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Timing {
  /** Milliseconds since 1970 by the system clock, which may be set forward or back: for times that are shared with others. */
  now(): number;
  /** Milliseconds by a monotonic clock with an arbitrary start: for durations and timeouts. */
  elapsed(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Does the work after this many milliseconds, unless the returned function is called first. */
  after(milliseconds: number, work: () => void): () => void;
  /** Does the work repeatedly, this many milliseconds apart, until the returned function is called. */
  every(milliseconds: number, work: () => void): () => void;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

export const realTiming: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (milliseconds) => sleep(milliseconds),
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds);
    return () => clearTimeout(timer);
  },
  every: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds).unref();
    return () => clearInterval(timer);
  },
  random: () => Math.random(),
};
