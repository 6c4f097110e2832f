/** Time and chance as the provider uses them; tests put their own in. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Timing {
  /** Milliseconds since 1970, by a clock that may be set forward and back: for times that others know too. */
  now(): number;
  /** Milliseconds since some moment. It never goes back: for how long something takes, and what waits for what. */
  elapsed(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Does the work after so many milliseconds, unless the function that it returns is called before. */
  after(milliseconds: number, work: () => void): () => void;
  /** Does the work again and again, this many milliseconds apart, until the function that it returns is called. */
  every(milliseconds: number, work: () => void): () => void;
  /** From 0 up to, not including, 1. */
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
