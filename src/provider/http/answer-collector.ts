/**
 * Reads one answer of undici as a whole. It is a handler because the stream of undici's `request` and what belongs to
 * it live longer than the answer: they add 60 MB to a plugin that sends 10,000 requests in a row.
 */
import type { Dispatcher } from "undici";
import { AnswerError } from "../errors";

/** An answer of any status, not yet parsed. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The length of the body, in bytes. */
  readonly bytes: number;
}

// Far more than a page of 100 objects within the specification's limits needs, far less than a plugin's memory.
const largestAnswer = 32 * 1024 * 1024;

/** The longest error body that is read, in bytes. */
const largestError = 64 * 1024;

/** @internal No declaration of the package may name a type of undici. */
export class AnswerCollector implements Dispatcher.DispatchHandler {
  private readonly result = Promise.withResolvers<RawAnswer>();
  private controller: Dispatcher.DispatchController | undefined;
  private reason: Error | undefined;
  private status = 0;
  private headers: RawAnswer["headers"] = {};
  private readonly chunks: Buffer[] = [];
  private length = 0;

  /**
   * @param operation the operation as an error message names it.
   * @param largest the longest body of a success, in bytes.
   */
  constructor(
    private readonly operation: string,
    private readonly largest = largestAnswer,
  ) {}

  /** Rejects with an AnswerError if the answer is too long, and with undici's error if there is no answer. */
  get answer(): Promise<RawAnswer> {
    return this.result.promise;
  }

  /** Whether a connection took the request, so the service may have received part of it. */
  get isStarted(): boolean {
    return this.controller !== undefined;
  }

  /** Ends the request with the error, even if it still waits for a connection. */
  abort(reason: Error): void {
    this.reason = reason;
    this.controller?.abort(reason);
    this.result.reject(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.reason !== undefined) controller.abort(this.reason);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawAnswer["headers"],
  ): void {
    this.status = status;
    this.headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.length += chunk.length;
    this.chunks.push(chunk);
    if (this.length <= (isSuccess(this.status) ? this.largest : largestError)) return;
    // The beginning of an error's body is enough to identify the error.
    if (!isSuccess(this.status)) this.onResponseEnd();
    const reason = `it is longer than ${this.largest / 1024 / 1024} MiB`;
    this.abort(new AnswerError(this.operation, reason, true));
  }

  onResponseEnd(): void {
    const [first, ...others] = this.chunks;
    const whole = first && others.length === 0 ? first : Buffer.concat(this.chunks);
    const text = whole.toString("utf8");
    this.result.resolve({ status: this.status, headers: this.headers, text, bytes: this.length });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.result.reject(error);
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
