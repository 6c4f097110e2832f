/** An object of parsed JSON, or of the values of a resource: names and what stands under them. */
export type Json = Readonly<Record<string, unknown>>;

/** The value of a JSON text; undefined for a text that is not JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
