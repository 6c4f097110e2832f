import { newId } from "./ids";

/**
 * A refusal, before it becomes an answer. Messages name fields and rules and never hold a value that was sent: any
 * value may be a secret in the wrong place.
 */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = "Refusal";
  }
}

export const invalid = (field: string, rule: string) =>
  new Refusal(400, "ERR_VALIDATION", `${field}: ${rule}`);
export const conflict = (field: string, rule: string) =>
  new Refusal(409, "ERR_CONFLICT", `${field}: ${rule}`);
export const dangling = (field: string, what: string) =>
  new Refusal(400, "ERR_REFERENCE_NOT_FOUND", `${field}: names no existing ${what}`);
export const notFound = (what: string) => new Refusal(404, "ERR_NOT_FOUND", `${what} not found`);

/** The error body: the specification does not show one, so this is what services of this kind were seen to send. */
export function errorBody(status: number, code: string, message: string) {
  return { error_code: code, status_code: status, msg: message, details: { operation_id: newId("op_") } };
}
