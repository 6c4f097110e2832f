/** What work fails with. It must not succeed. */
export async function failureOf<T = Error>(work: Promise<unknown>): Promise<T> {
  try {
    await work;
  } catch (error) {
    return error as T;
  }
  throw new Error("it did not fail");
}
