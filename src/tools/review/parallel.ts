/** Work on several things at once. */

/**
 * Does the work for all items, at most `most` at once, and returns the results in the order of the items. After an error it
 * begins no other, and throws the error when all that run have ended: a command must leave no process behind. `progress` gets
 * the number of finished ones.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  progress: (done: number) => void,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const errors: unknown[] = [];
  let next = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && errors.length === 0) {
      const i = next;
      next += 1;
      try {
        results[i] = await work(items[i]!);
        done += 1;
        progress(done);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  progress(done);
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  if (errors.length > 0) throw errors[0];
  return results;
}
