/**
 * What can go wrong, one class per kind. A message is the whole story: Pulumi prints the stack of what a
 * hook throws, so there is none. No message holds a token, key or client secret.
 */
export class GatewayError extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
    // Pulumi's plugin prints error and stack; the message alone says what happened and what to do.
    this.stack = "";
  }
}

/** The settings are missing or wrong. */
export class SettingsError extends GatewayError {}

/** The service refused a request. */
export class ApiError extends GatewayError {
  constructor(
    /** What was asked: "creating the IP policy rule". */
    readonly operation: string,
    /** The HTTP status. */
    readonly status: number,
    /** The service's own error code, where its answer has one. */
    readonly code: string | undefined,
    /** The service's own words, where its answer has some. */
    readonly serviceMessage: string | undefined,
    /** The service's id of the operation, to name to its support. */
    readonly operationId: string | undefined,
    advice?: string,
  ) {
    const label = [String(status), code].filter(Boolean).join(" ");
    const words = serviceMessage ?? "the answer holds no error message of the service";
    const id = operationId === undefined ? "" : ` (operation ${operationId})`;
    super(`${operation} failed: ${label}: ${words}${id}${advice === undefined ? "" : `. ${advice}`}`);
  }

  /** The same refusal with advice for the user. */
  advised(advice: string): ApiError {
    return new ApiError(
      this.operation,
      this.status,
      this.code,
      this.serviceMessage,
      this.operationId,
      advice,
    );
  }
}

/** No usable connection, or none of the answer arrived in time. */
export class TransportError extends GatewayError {
  constructor(
    operation: string,
    reason: string,
    /** Whether the request may have reached the service. */
    readonly maybeDone: boolean,
  ) {
    super(`${operation} failed: ${reason}`);
  }
}

/** The service answered something that the specification does not allow. */
export class AnswerError extends GatewayError {
  constructor(operation: string, reason: string) {
    super(`${operation}: the answer is not as specified: ${reason}`);
  }
}

/** Replaces every occurrence of the secrets in the text. */
export function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length > 0)
    .sort((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.split(secret).join("[secret]"), text);
}
