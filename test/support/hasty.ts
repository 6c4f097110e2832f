import type { Timing } from "../../src/provider/http/timing";

/** Time that pauses push ahead instead of waiting for it, so that no test waits. */
export function withoutPauses(timing: Timing): Timing {
  let skipped = 0;
  return {
    now: () => timing.now() + skipped,
    elapsed: () => timing.elapsed() + skipped,
    sleep: (milliseconds) =>
      new Promise((resolve) =>
        setTimeout(() => {
          skipped += milliseconds;
          resolve();
        }, 2),
      ),
    after: (milliseconds, work) => timing.after(milliseconds, work),
    every: (milliseconds, work) => timing.every(milliseconds, work),
    random: () => 0.5,
  };
}
