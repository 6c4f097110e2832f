import { newId } from "../ids";

/**
 * An error that becomes a response. Messages name fields and rules but never a value of the request, because any value
 * may be a secret in the wrong field.
 */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = "HttpError";
  }
}

/** An option of `startEmulator` that is refused: the message names the place in it and what is allowed. */
export class InvalidOptionError extends Error {
  constructor(
    readonly option: "host" | "account" | "seed" | "faults",
    message: string,
  ) {
    super(message);
    this.name = "InvalidOptionError";
  }
}

/** Applies an option. Throws an InvalidOptionError if the work refuses it. */
export function withOption<T>(option: InvalidOptionError["option"], work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    throw new InvalidOptionError(option, error.message);
  }
}

export const invalid = (field: string, rule: string) =>
  new HttpError(400, "ERR_VALIDATION", `${field}: ${rule}`);
export const conflict = (field: string, rule: string) =>
  new HttpError(409, "ERR_CONFLICT", `${field}: ${rule}`);
export const dangling = (field: string, what: string) =>
  new HttpError(400, "ERR_REFERENCE_NOT_FOUND", `${field}: no ${what} has this id`);
export const notFound = (what: string) => new HttpError(404, "ERR_NOT_FOUND", `${what} not found`);

/** The error body of services of this kind; the specification does not show one. */
export function errorBody(status: number, code: string, message: string) {
  return { error_code: code, status_code: status, msg: message, details: { operation_id: newId("op_") } };
}
