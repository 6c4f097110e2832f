import type { Timing } from "../../src/provider/http/timing";

/**
 * Time that pauses push ahead instead of waiting for it, so that no test waits. Only pauses and timers that fire make time
 * pass: what a loaded machine takes counts for nothing, and messages say the same times on each.
 */
export function withoutPauses(timing: Timing): Timing {
  let skipped = 0;
  return {
    now: () => timing.now() + skipped,
    elapsed: () => skipped,
    sleep: (milliseconds) =>
      new Promise((resolve) =>
        setTimeout(() => {
          skipped += milliseconds;
          resolve();
        }, 2),
      ),
    after: (milliseconds, work) =>
      timing.after(milliseconds, () => {
        skipped += milliseconds;
        work();
      }),
    every: (milliseconds, work) => timing.every(milliseconds, work),
    random: () => 0.5,
  };
}
