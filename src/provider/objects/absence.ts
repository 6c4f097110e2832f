/**
 * Whether a 404 means that an object does not exist. With a wrong base URL, or behind a proxy, everything is
 * answered 404: taken as a deletion, a refresh would drop the whole stack from its state.
 */
import { oncePer } from "../../once-per";
import { AbsenceError, ApiError } from "../errors";
import type { Http } from "../http/http";
import { nameOfSetting } from "../read-settings";
import { hasAnswered, pages } from "../pagination";
import type { ListRequest } from "../pagination";

/** The result of a request; undefined where the service says that there is no object, once `onRefusal` accepts that. */
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
 * first page, once per connection. See "Proof before removal" in docs/architecture.md.
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
    // This one says itself what is wrong with the base URL.
    if (error instanceof ApiError && error.status === 404) throw new AbsenceError(refusal, message);
    throw absenceError(http, refusal, message);
  }
}

/** Throws an AbsenceError where the refusal is not the service's own, which is JSON. */
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

/** The list that is asked where an object has none of its own. */
const anyList: ListRequest = { path: "/endpoints", listKey: "endpoints", operation: "listing the endpoints" };

/** Requests under way, so that many refusals at once ask for a list once. */
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
