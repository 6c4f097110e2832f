import { setTimeout as sleep } from "node:timers/promises";

/** Below jest's own limit, whose error does not say what a test waits for. */
const limitMs = 240_000;

/**
 * Waits until something holds, however long a loaded machine takes.
 * @param output is part of the error where it never does.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  output: () => string = () => "",
): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > end)
      throw new Error(`This does not hold after ${limitMs / 1000} s: ${holds.toString()}\n${output()}`);
    await sleep(20);
  }
}
