/** Time and chance as the provider uses them; tests put their own in. */
import { setTimeout as sleep } from "node:timers/promises";

export interface Timing {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number): Promise<void>;
  /** Does the work again and again, this many milliseconds apart, until the function that it returns is called. */
  every(milliseconds: number, work: () => void): () => void;
  /** From 0 up to, not including, 1. */
  random(): number;
}

export const realTiming: Timing = {
  now: () => Date.now(),
  sleep: (milliseconds) => sleep(milliseconds),
  every: (milliseconds, work) => {
    const timer = setInterval(work, milliseconds).unref();
    return () => clearInterval(timer);
  },
  random: () => Math.random(),
};
