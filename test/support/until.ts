import { setTimeout as sleep } from "node:timers/promises";

/** Far below jest's own limit, whose error does not say what a test waits for. */
export const limitMs = 100_000;

/** The result of the work. Throws where it has not ended after the limit: something in it waits for what never comes. */
export async function ended<T>(work: Promise<T>, what: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what()} after ${limitMs / 1000} s`)), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

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
