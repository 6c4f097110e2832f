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

/** The status code of an HTTP response backend. */
export const statusCode = integerBetween(100, 999, "an HTTP status code has three digits");
