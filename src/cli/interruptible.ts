/** Work that tells, when it is interrupted, how things stand and what to do. */
import { InterruptedError, isPulumiRunning } from "../stack/pulumi";
import { exitCode } from "./command";
import { clear, note } from "./progress";

const signals = ["SIGINT", "SIGTERM"] as const;

/**
 * Does the work; `tell` sets what an interrupt from then on is told with. While Pulumi is at work, the interrupt is
 * passed on to it, and its end is waited for.
 */
export async function interruptible<T>(work: (tell: (story: string) => void) => Promise<T>): Promise<T> {
  let story = "Interrupted";
  const interrupted = (): void => {
    if (isPulumiRunning()) return;
    clear();
    note(story);
    process.exit(exitCode.interrupted);
  };
  for (const signal of signals) process.on(signal, interrupted);
  try {
    return await work((text) => (story = text));
  } catch (error) {
    throw error instanceof InterruptedError ? new InterruptedError(story) : error;
  } finally {
    for (const signal of signals) process.off(signal, interrupted);
  }
}
