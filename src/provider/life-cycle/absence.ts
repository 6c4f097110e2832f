/**
 * Whether a 404 means that an object does not exist. With a wrong base URL, or behind a proxy, every answer is a 404: a
 * refresh that took it as a deletion would drop the whole stack from its state.
 */
import { oncePer } from "../../schema/once-per";
import { toInstant } from "../../schema/formats/time";
import { minute } from "../../schema/text/phrase";
import { AbsenceError, ApiError } from "../errors";
import type { GatewayError } from "../errors";
import type { Http } from "../http/http";
import type { Budget } from "../http/retry";
import { nameOfSetting } from "../settings/read-settings";
import { hasAnswered, pages } from "../http/pagination";
import { unknownClock } from "./lost-creates";
import type { ListRequest } from "../http/pagination";

/** The result of a request; undefined if the object does not exist and `onRefusal` does not throw. */
export async function ifFound<T>(
  request: Promise<T>,
  onRefusal: (refusal: ApiError) => void | Promise<void>,
): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof ApiError) || !error.isGone) throw error;
    await onRefusal(error);
    return undefined;
  }
}

/**
 * Throws an AbsenceError unless the refusal proves that the object does not exist: it is the service's own, which
 * is JSON, and a list has answered under the same base URL. A list that has not answered yet is asked for its
 * first page, once per connection. See "Proof before removal" in docs/development/life-cycle.md.
 *
 * @param list the collection's list; undefined for objects without one, for which every list counts.
 */
export async function proveAbsence(
  http: Http,
  refusal: ApiError,
  list: ListRequest | undefined,
): Promise<void> {
  requireOwnAnswer(http, refusal);
  if (hasAnswered(http, list?.path)) return;
  try {
    await firstPage(http, list ?? anyList);
  } catch (error) {
    const { message } = error as Error;
    // Its message already says what is wrong with the base URL.
    if (error instanceof ApiError && error.status === 404) throw new AbsenceError(refusal, message);
    throw absenceError(http, refusal, message);
  }
}

/** An object that a request is about. */
export interface Subject {
  readonly path: string;
  /** The time of its creation, if the state records it. */
  readonly createdAt: unknown;
  /** The list of its collection; undefined for objects without one. */
  readonly list: ListRequest | undefined;
}

/** The longest time after a creation in which the service may not show the object, in milliseconds. */
export const longestLag = minute;

/** When this process created objects, by path. */
const creations = oncePer((_http: Http) => new Map<string, number>());

/** Records that this process has just created the object with the path. */
export function noteCreation(http: Http, path: string): void {
  creations(http).set(path, http.timing.elapsed());
}

/** Records that this process has deleted the object with the path. */
export function noteDeletion(http: Http, path: string): void {
  creations(http).delete(path);
}

/**
 * Sends a request about an object, and sends it again while the object is so new that a 404 may only mean that the service does
 * not show it yet. Throws an AbsenceError if the budget ends before that.
 */
export async function afterLag<T>(
  http: Http,
  subject: Subject,
  budget: Budget,
  send: () => Promise<T>,
): Promise<T> {
  const lag = new Lag(http, subject, budget);
  for (;;) {
    try {
      return await send();
    } catch (error) {
      // After a lost answer to a deletion, a 404 is its success.
      const mayBeLag =
        error instanceof ApiError && error.status === 404 && error.refused.json && !error.mayBeDone;
      if (!mayBeLag || lag.isOver) throw error;
      // A wrong base URL never shows the object.
      await proveAbsence(http, error, subject.list);
      await lag.wait(new AbsenceError(error, `it was created less than a minute ago, and ${notShownYet}`));
    }
  }
}

export const notShownYet = "the service may not show it everywhere yet";

/** The time in which the service may not show what was created. */
export class Lag {
  private end: number | undefined;

  constructor(
    private readonly http: Http,
    private readonly subject: Pick<Subject, "path" | "createdAt">,
    private readonly budget: Budget,
  ) {}

  get isOver(): boolean {
    return this.left <= 0;
  }

  /** In milliseconds. */
  private get left(): number {
    const now = this.http.timing.elapsed();
    this.end ??= now + remainingLag(this.http, this.subject);
    return this.end - now;
  }

  /** Waits until the next attempt. Throws the error if the budget ends before that. */
  async wait(late: GatewayError): Promise<void> {
    await this.http.pause(late, this.budget, this.left).catch(() => {
      late.message += ". Run the command again in a minute";
      throw late;
    });
  }
}

/** For how long a 404 may still be lag, in milliseconds; 0 or less if the object is old, or its age is not known. */
function remainingLag(http: Http, { path, createdAt }: Pick<Subject, "path" | "createdAt">): number {
  const own = longestLag - (http.timing.elapsed() - latestCreation(http, path));
  const created = toInstant(createdAt);
  if (created === undefined) return own;
  const now = http.timing.now();
  const server = http.serverTime(now);
  // Without the service's clock the two may differ by a minute. A creation in a far future says nothing.
  const age = server === undefined ? Math.max(0, Math.abs(now - created) - unknownClock) : server - created;
  return Math.max(own, age < -longestLag ? 0 : longestLag - Math.max(0, age));
}

/** The last time at which this process created the object with the path, or one that contains it. */
function latestCreation(http: Http, path: string): number {
  const times: number[] = [];
  for (let at = path; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const time = creations(http).get(at);
    if (time !== undefined) times.push(time);
  }
  return times.reduce((last, time) => Math.max(last, time), -Infinity);
}

/** Throws an AbsenceError unless the refusal is JSON, as the service's own answers are. */
export function requireOwnAnswer(http: Http, refusal: ApiError): void {
  if (refusal.refused.json) return;
  throw absenceError(http, refusal, "the answer is not the service's own JSON");
}

function absenceError({ settings }: Http, refusal: ApiError, reason: string): AbsenceError {
  const { baseUrl, provider } = settings;
  const setting = nameOfSetting("baseUrl", provider);
  return new AbsenceError(
    refusal,
    `${reason}. Check the base URL ${baseUrl}: ${setting}, and the proxies before it`,
  );
}

/** The list that is read for an object without one of its own. */
const anyList: ListRequest = { path: "/endpoints", listKey: "endpoints", operation: "listing the endpoints" };

/** Requests under way: concurrent refusals request a list once. */
const underWay = oncePer((_http: Http) => new Map<string, Promise<unknown>>());

async function firstPage(http: Http, list: ListRequest): Promise<void> {
  const requests = underWay(http);
  let request = requests.get(list.path);
  if (!request) {
    request = pages(http, list)
      .next()
      .finally(() => requests.delete(list.path));
    requests.set(list.path, request);
  }
  await request;
}
