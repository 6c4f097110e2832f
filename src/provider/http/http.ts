/** The package's only HTTP client: it sends every request, within the rate limit of the service. */
import type { Dispatcher } from "undici";
import { missingKey } from "../settings/read-settings";
import type { AccountSettings } from "../settings/read-settings";
import { debugLogOf } from "./debug-log";
import type { DebugLog } from "./debug-log";
import { ApiError, GatewayError, isForeignNotFound, isLost, isPassing, isUnsent } from "../errors";
import { escapeControls } from "../../schema/text/escape";
import { collectionPath, traced, waited } from "../tracing/tracing";
import type { Deployment } from "../deployment";
import { Transport } from "./transport";
import { pathAndQuery } from "./path";
import type { Call } from "./path";
import type { RawAnswer } from "./answer-collector";
import { diagnostics } from "../diagnostics";
import { Blocked, RateLimiter } from "./rate-limiter";
import type { Ticket } from "./rate-limiter";
import { Budget, rateLimitWindow, retryTimeoutAfter } from "./retry";
import { realTiming } from "./timing";
import type { Timing } from "./timing";
import { durationText, second, wholeSeconds } from "../../schema/text/phrase";

/** A successful answer. */
export interface HttpAnswer {
  /** The parsed JSON; undefined if there is no body. */
  readonly body: unknown;
  /** The length of the body, in bytes. */
  readonly bytes: number;
}

/** What tests replace, and where messages for the user go. */
export interface HttpOptions {
  /** @internal Left out of the type declarations: those of undici need a newer TypeScript than 3.8. */
  readonly dispatcher?: Dispatcher;
  readonly timing?: Timing;
  /** The longest time that the user waits for one operation, in seconds, if it is less than the setting retryTimeout. */
  readonly patience?: number;
  /** Prints for the user why something takes long. */
  readonly report?: (line: string) => void;
  readonly log?: DebugLog;
  /** Prints a line of the debug log. Default: to stderr. */
  readonly debug?: (line: string) => void;
  /** What the plugins of a deployment share. */
  readonly deployment?: Deployment | undefined;
}

/** The time before the second report of an outage, and between the later ones, in milliseconds. */
const secondReport = 10_000;
const reportInterval = 30_000;

export class Http {
  readonly timing: Timing;
  private readonly patience: number;
  private readonly transport: Transport;
  private readonly rateLimiter: RateLimiter;
  readonly deployment: Deployment | undefined;
  /** Prints a line for the user that is not about one object. */
  readonly report: (text: string) => void;
  private readonly log: DebugLog | undefined;
  private reportsAt = -Infinity;
  private writeCount = 0;
  private serverAhead: number | undefined;
  private date: number | undefined;
  /** The last 429. */
  private refusal: ApiError | undefined;

  constructor(
    readonly settings: AccountSettings,
    options: HttpOptions = {},
  ) {
    this.timing = options.timing ?? realTiming;
    this.deployment = options.deployment;
    this.patience = (options.patience ?? Infinity) * 1000;
    this.transport = new Transport(settings, this.timing, options.dispatcher);
    const print = options.report ?? ((text: string) => diagnostics.print(text));
    this.report = (text) => print(escapeControls(text));
    this.rateLimiter = new RateLimiter(
      settings.requestsPerMinute ?? Infinity,
      this.timing,
      this.report,
      Math.min(settings.retryTimeout * 1000, this.patience) + rateLimitWindow,
    );
    this.log = options.log ?? debugLogOf(process.env, settings.apiKey, options.debug);
  }

  /** Changes whenever a write begins or ends: an answer to an earlier read may then be stale. */
  get writes(): number {
    return this.writeCount;
  }

  /**
   * The server's time at one of ours, in milliseconds since 1970, learned from the Date header of its answers; undefined before
   * the first. It may be late, but not early.
   */
  serverTime(ours: number): number | undefined {
    return this.serverAhead === undefined ? undefined : ours + this.serverAhead;
  }

  /**
   * The Date header of the last answer, in milliseconds since 1970; undefined if it has none. It does not depend on the local
   * clock.
   */
  get lastDate(): number | undefined {
    return this.date;
  }

  /** A time limit for several calls that form one operation. */
  budget(): Budget {
    return new Budget(this.settings.retryTimeout * 1000, this.timing, this.patience);
  }

  /**
   * Sends the call, and repeats it if that is harmless: a read, a delete, or a request that did not reach the service or was
   * answered with 429. Throws a SettingsError if there is no key, and an ApiError, TransportError or AnswerError if the call
   * fails. After an error that `isLost`, the service may still have done a write.
   */
  async send(call: Call, budget = this.budget()): Promise<HttpAnswer> {
    if (this.settings.apiKey === "") throw missingKey(this.settings);
    let wasLost = false;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(call, attempt, budget);
      } catch (error) {
        const isRead = call.method === "GET";
        if (error instanceof GatewayError) error.mayBeDone = wasLost;
        wasLost ||= !isRead && isLost(error);
        const isHarmless = isRead || call.method === "DELETE";
        const isTransient = isLost(error) || isForeignNotFound(error);
        const isPassingRead = isRead && isPassing(error);
        if (!isUnsent(error) && !(isHarmless && isTransient) && !isPassingRead) throw error;
        await this.pause(error, budget);
      }
    }
  }

  /**
   * Pauses before another attempt; throws the error if the budget has no time for one.
   *
   * @param most the longest time that the caller tries again, in milliseconds, if it is less.
   */
  async pause(error: unknown, budget: Budget, most = Infinity): Promise<void> {
    this.announce(error, budget, most);
    await waited("wait before a retry", () => budget.pause(error));
  }

  /**
   * Prepares the search for what a failed create may have made: reports the error, and pauses if it states a time and the budget has
   * it. Returns whether one search is enough: after that pause, and where the service itself says that the create failed.
   */
  async prepareSearch(error: unknown, budget: Budget): Promise<boolean> {
    if (isPassing(error)) return true;
    this.announce(error, budget);
    if (!(error instanceof ApiError) || error.refused.retryAfter === undefined) return false;
    return this.pause(error, budget).then(
      () => true,
      () => false,
    );
  }

  /** Reports that the operation is retried after the error, and for how long. One outage causes only a few reports. */
  announce(error: unknown, { used }: Budget, most = Infinity): void {
    const now = this.timing.elapsed();
    if (now < this.reportsAt) return;
    const isLong = used >= secondReport / 2;
    this.reportsAt = now + (isLong ? reportInterval : secondReport);
    const all = Math.min(retryTimeoutAfter(error, this.settings.retryTimeout * 1000), this.patience);
    const left = Math.min(most, Math.max(0, all - used));
    const { message } = error as Error;
    this.report(
      isLong
        ? `${message}; retrying for another ${wholeSeconds(left)}. To stop, press Ctrl+C (twice where pulumi runs)`
        : `${message}; retrying for up to ${wholeSeconds(Math.min(most, all))}`,
    );
  }

  /** One attempt, repeated after each 429 when the rate limiter admits it again. */
  private async attempt(call: Call, attempt: number, budget: Budget): Promise<HttpAnswer> {
    for (let wasRefused = false; ; wasRefused = true) {
      const ticket = await this.admitted(call, wasRefused);
      const sentAt = this.timing.now();
      let isAccepted = false;
      try {
        const answer = await budget.spend(() => this.observed(call, attempt));
        isAccepted = answer.status !== 429;
        return { bytes: answer.bytes, body: this.transport.bodyIn(call, answer) };
      } catch (error) {
        if (error instanceof GatewayError) error.sentAt = sentAt;
        if (!(error instanceof ApiError) || error.status !== 429) throw error;
        this.refusal = error;
        this.wait(error, ticket, budget);
      } finally {
        this.rateLimiter.settled(ticket, isAccepted);
      }
    }
  }

  /** Waits for a turn. Throws the last 429 as an answer to this call if the service accepts nothing for too long. */
  private async admitted(call: Call, wasRefused: boolean): Promise<Ticket> {
    try {
      return await waited("wait for the rate limit", () => this.rateLimiter.admit(wasRefused));
    } catch (error) {
      if (!(error instanceof Blocked)) throw error;
      const { status, code, serviceMessage, operationId, refused } = this.refusal!;
      throw blocked(
        new ApiError(call.operation, status, code, serviceMessage, operationId, refused),
        error.milliseconds,
      );
    }
  }

  /** Pauses before the second search for an object that a create with a lost answer may have made. */
  async pauseToLookAgain(milliseconds: number): Promise<void> {
    await waited("wait to look again", () => this.timing.sleep(milliseconds));
  }

  /** Makes all requests wait as a 429 asks. Throws the 429 if it asks for more time than an operation has. */
  private wait(refusal: ApiError, ticket: Ticket, budget: Budget): void {
    try {
      budget.waits(this.rateLimiter.refused(ticket, refusal.refused.retryAfter));
    } catch (error) {
      throw error instanceof Blocked ? blocked(refusal, error.milliseconds) : error;
    }
  }

  /** Sends the call once, as a span, logs it, and learns the server's time. */
  private async observed(call: Call, attempt: number): Promise<RawAnswer> {
    const start = this.timing.elapsed();
    const isWrite = call.method !== "GET";
    const note = (outcome: number | string, text?: string): void =>
      this.log?.note({
        method: call.method,
        path: pathAndQuery(call),
        attempt,
        milliseconds: Math.round(this.timing.elapsed() - start),
        sent: call.body,
        outcome,
        text,
      });
    const collection = collectionPath(call.path);
    const attributes = {
      "http.request.method": call.method,
      "http.request.resend_count": attempt > 1 ? attempt - 1 : undefined,
      "resource.collection": collection,
    };
    if (isWrite) this.writeCount += 1;
    try {
      const answer = await traced(`${call.method} ${collection}`, attributes, async (add) => {
        const received = await this.transport.send(call);
        add({ "http.response.status_code": received.status });
        return received;
      });
      this.learnTime(answer);
      note(answer.status, answer.text);
      return answer;
    } catch (error) {
      note((error as Error).message);
      throw error;
    } finally {
      if (isWrite) this.writeCount += 1;
    }
  }

  private learnTime({ headers }: RawAnswer): void {
    const server = typeof headers.date === "string" ? Date.parse(headers.date) : NaN;
    this.date = Number.isNaN(server) ? undefined : server;
    if (this.date !== undefined) this.serverAhead = this.date - this.timing.now();
  }
}

function blocked(refusal: ApiError, milliseconds: number): ApiError {
  return refusal.advised(
    `It accepts no request for ${durationText(Math.round(milliseconds / second) * second)}; try again later, or ask its operator`,
  );
}
