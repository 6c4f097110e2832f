import type { Answer } from "../schema/values";

/**
 * The errors, one class per kind. Pulumi prints the stack of what a hook throws, so the stack is empty and the
 * message is complete: what happened, to what, and what to do. No message holds a token, key or client secret.
 */
export class GatewayError extends Error {
  /** When the request that failed was sent, in milliseconds since 1970. */
  sentAt?: number;
  /** Whether the write that failed may have been done: the answer to an earlier attempt was lost. */
  mayBeDone = false;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
    // Pulumi's plugin prints error and stack; the message alone says what happened and what to do.
    this.stack = "";
  }

  /** Adds advice for the user to the message. */
  advised(advice: string): this {
    this.message += `. ${advice}`;
    return this;
  }
}

/** The settings are missing or wrong. */
export class SettingsError extends GatewayError {
  constructor(
    message: string,
    /** Whether a required setting has no value. */
    readonly isIncomplete = false,
  ) {
    super(message);
  }
}

/** What an answer says beside the service's message. */
export interface Refused {
  /** Whether the answer has the service's own form, and not that of a proxy in between. */
  readonly own: boolean;
  /** Whether the answer is a JSON object, as the service's are. */
  readonly json: boolean;
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfter: number | undefined;
}

/** The service refused a request. */
export class ApiError extends GatewayError {
  /** The message without advice. */
  readonly summary: string;

  constructor(
    /** What was asked: "creating the IP policy rule". */
    readonly operation: string,
    /** The HTTP status. */
    readonly status: number,
    /** The service's own error code, where its answer has one. */
    readonly code: string | undefined,
    /** The service's message, where its answer has one. */
    readonly serviceMessage: string | undefined,
    /** The service's id of the operation, to name to its support. */
    readonly operationId: string | undefined,
    readonly refused: Refused = { own: true, json: true, retryAfter: undefined },
  ) {
    const label = [String(status), code].filter(Boolean).join(" ");
    const words = serviceMessage ?? "the answer holds no error message of the service";
    const id = operationId === undefined ? "" : ` (operation ${operationId})`;
    super(`${operation} failed: ${label}: ${words}${id}`);
    this.summary = this.message;
  }

  /** Whether the status says that the object does not exist. This alone proves nothing, see absence.ts. */
  get isGone(): boolean {
    return this.status === 404 || this.status === 410;
  }

  /** The same refusal, reported at the argument that may be the reason. */
  at(argument: string, clause: string): this {
    return this.because(`${argument} may be the reason: ${clause}`);
  }

  /** The same refusal, behind what it means. */
  because(reason: string): this {
    this.message = `${reason} (${this.message})`;
    return this;
  }
}

/**
 * No usable answer came. "unsent": the request never reached the service. "broken": it may have. "hopeless":
 * it did not, and never will, because of a wrong certificate or a proxy that refuses.
 */
export class TransportError extends GatewayError {
  constructor(
    operation: string,
    readonly reason: string,
    readonly outcome: "unsent" | "broken" | "hopeless",
    /** The longest time of attempts that end like this, in milliseconds, where that is less than for others. */
    readonly longestRetry = Infinity,
  ) {
    super(`${operation} failed: ${reason}`);
  }
}

/** The service answered something that the specification does not allow. */
export class AnswerError extends GatewayError {
  constructor(
    operation: string,
    reason: string,
    /** Whether the answer's status says that the service did what it was asked. */
    readonly done: boolean,
  ) {
    super(`${operation}: the answer is not as specified: ${reason}`);
  }
}

/** What is wrong with an answer that a proxy or the service has mixed up with another one: it has the id of that object. */
export const ofAnother = "it is about another object";

/** Some parts of an object are not as its arguments say. */
export class IncompleteError extends GatewayError {
  constructor(
    message: string,
    readonly id: string,
    /** The object as it is now, in the form of an answer; undefined where it is just what its arguments say. */
    readonly answer: Answer | undefined,
    /** Of a set: the keys of the entries that the service took and keeps in another form. */
    readonly accepted: ReadonlySet<string> = new Set(),
  ) {
    super(message);
  }
}

/** It is not known whether the service did what it was asked. A person must check. */
export class UndecidedError extends GatewayError {}

/** A 404 that does not prove that the object was deleted. The object stays in the state. */
export class AbsenceError extends GatewayError {
  constructor(refusal: ApiError, reason: string) {
    super(`${refusal.summary}. This does not prove that it was deleted, because ${reason}`);
  }
}

/** Replaces every occurrence of the secrets in the text, in whatever form a service repeats them. */
export function scrub(text: string, secrets: readonly string[]): string {
  const forms = [...new Set(secrets.flatMap(formsOf))]
    .filter((form) => form.length > 0)
    .sort((a, b) => b.length - a.length);
  return withoutBeginnings(
    forms.reduce((clean, form) => clean.split(form).join("[secret]"), text),
    forms,
  );
}

/** A message that is too long is cut, maybe within a secret: the secret's beginning stands before an ellipsis. */
function withoutBeginnings(text: string, forms: readonly string[]): string {
  const parts = text.split("…");
  return parts
    .map((part, i) => (i === parts.length - 1 ? part : forms.reduce(withoutBeginning, part)))
    .join("…");
}

function withoutBeginning(text: string, form: string): string {
  for (let length = Math.min(form.length - 1, text.length); length >= shortestBeginning; length -= 1) {
    if (text.endsWith(form.slice(0, length))) return `${text.slice(0, -length)}[secret]`;
  }
  return text;
}

/** What is shorter says little of a secret. */
const shortestBeginning = 4;

/** A text of one line as it is, as JSON writes it and with its white space made one; of a longer text, each of its lines too. */
function formsOf(secret: string): string[] {
  const whole = [secret, JSON.stringify(secret).slice(1, -1), secret.replace(/\s+/g, " ").trim()];
  const lines = secret.split(/[\r\n]+/).filter((line) => line.length >= shortestLine && line !== secret);
  return [...whole, ...lines.map((line) => line.trim())];
}

/** What is shorter may well be a word of the message. */
const shortestLine = 12;

/**
 * Whether it is not known if the service did what it was asked. 502, 503, 504 and the codes from 520 on, which no standard has,
 * count whatever their body: a gateway in between may answer them after the work was done.
 */
export function isLost(error: unknown): boolean {
  if (error instanceof TransportError) return error.outcome === "broken";
  if (error instanceof AnswerError) return error.done;
  return error instanceof ApiError && ([502, 503, 504].includes(error.status) || error.status >= 520);
}

/** Whether a create that failed may have made its object. */
export function mayBeMade(error: unknown): boolean {
  return isLost(error) || isPassing(error);
}

/** Whether the service failed though it says what happened: a read may succeed later, and an object may be created all the same. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && [408, 500].includes(error.status);
}

/** Whether the request certainly did not reach the service, and may reach it the next time. */
export function isUnsent(error: unknown): boolean {
  return error instanceof TransportError && error.outcome === "unsent";
}

/** Whether something else than the service answered 404, such as a gateway whose routes are not ready yet. */
export function isForeignNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.isGone && !error.refused.json;
}
