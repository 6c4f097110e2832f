/**
 * A whole number between two bounds, both included. `why` closes the message with the reason of the
 * bounds, for example `an unsigned 32-bit number`.
 */
function integerBetween(min: number, max: number, why?: string): (value: number) => string | undefined {
  return (value) => {
    if (Number.isInteger(value) && value >= min && value <= max) return undefined;
    const reason = why === undefined ? "" : ` (${why})`;
    return `must be a whole number from ${min} to ${max}${reason}, got ${String(value)}`;
  };
}

/** An unsigned 32-bit number: the timeouts of the OIDC and OAuth modules, in seconds. */
export const uint32 = integerBetween(0, 4294967295, "an unsigned 32-bit number");

/** The weight of a backend in a weighted backend ("Limits": 0 to 10000). */
export const weight = integerBetween(0, 10000);

/** How much more of something there may be: 0 to 1000 percent. */
export const percent = integerBetween(0, 1000);

/** The status code of an HTTP response backend: the specification states its type and no bounds. */
export const statusCode = integerBetween(-2147483648, 2147483647, "a signed 32-bit number");

/** A number of some unit, such as hours: above 0 and at most `most`. */
export function amountOf(unit: string, most: number): (value: number) => string | undefined {
  return (value) =>
    value > 0 && value <= most
      ? undefined
      : `must be a number of ${unit} above 0 and at most ${most}; got ${value}`;
}

/** A number that HTTP defines no class of responses for (RFC 9110, section 15). */
export function adviseStatusCode(value: number): string | undefined {
  return value >= 100 && value <= 599
    ? undefined
    : "is not an HTTP status code (100 to 599); services may refuse it";
}
