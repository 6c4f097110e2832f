/** An object of parsed JSON, or of the values of a resource: names and what stands under them. */
export type Json = Readonly<Record<string, unknown>>;
