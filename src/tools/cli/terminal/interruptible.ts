/** Work that an interrupt ends, at once or after the current step. */
import { InterruptedError, interruptSignals, isPulumiRunning } from "../../stack/pulumi";
import { exitCode } from "../command";
import { clear, note } from "./progress";

/** Sets the effect of the next interrupt: it prints the message and aborts the controller, or without one ends the process. */
export type OnInterrupt = (message: string, aborted?: AbortController) => void;

/**
 * Does the work, which sets the effect of an interrupt. An interrupt after one that aborted ends the process. While Pulumi runs,
 * it receives the interrupt, and the work ends with it.
 */
export async function interruptible<T>(work: (onInterrupt: OnInterrupt) => Promise<T>): Promise<T> {
  let message = "Interrupted";
  let aborted: AbortController | undefined;
  const interrupted = (): void => {
    if (isPulumiRunning()) return;
    if (aborted?.signal.aborted !== true) {
      clear();
      note(message);
      if (aborted) return aborted.abort();
    }
    process.exit(exitCode.interrupted);
  };
  for (const signal of interruptSignals) process.on(signal, interrupted);
  try {
    return await work((...now) => ([message, aborted] = now));
  } catch (error) {
    throw error instanceof InterruptedError ? new InterruptedError(message) : error;
  } finally {
    for (const signal of interruptSignals) process.off(signal, interrupted);
  }
}
