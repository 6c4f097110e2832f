/** Work that reports its state when it is interrupted. */
import { InterruptedError, interruptSignals, isPulumiRunning } from "../../stack/pulumi";
import { exitCode } from "../command";
import { clear, note } from "./progress";

/**
 * Does the work. `onInterrupt` sets the message for an interrupt from then on. While Pulumi runs, Pulumi receives
 * the interrupt, and the work ends with it.
 */
export async function interruptible<T>(
  work: (onInterrupt: (message: string) => void) => Promise<T>,
): Promise<T> {
  let message = "Interrupted";
  const interrupted = (): void => {
    if (isPulumiRunning()) return;
    clear();
    note(message);
    process.exit(exitCode.interrupted);
  };
  for (const signal of interruptSignals) process.on(signal, interrupted);
  try {
    return await work((text) => (message = text));
  } catch (error) {
    throw error instanceof InterruptedError ? new InterruptedError(message) : error;
  } finally {
    for (const signal of interruptSignals) process.off(signal, interrupted);
  }
}
