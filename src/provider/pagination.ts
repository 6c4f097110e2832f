/** Lists, page by page. Specification: Pagination. */
import type { Json } from "../schema/json";
import { validated, pageValidator } from "./response-schema";
import { AnswerError, ApiError } from "./errors";
import type { Http } from "./http";

export interface List {
  readonly path: string;
  /** The member of an answer that holds the objects. */
  readonly listKey: string;
  /** The operation as an error message names it: "listing the IP policies". */
  readonly operation: string;
}

/** The largest page that services of this kind were seen to answer. */
const pageSize = 100;

/** No account is this large: a list that goes on is endless. */
const mostPages = 10_000;

/** Empty pages may have a next one, but not for ever. */
const mostEmptyPages = 100;

/** Where `limit` was refused, per connection: the specification states it for one collection only. */
const unlimited = new WeakMap<Http, Set<string>>();

/**
 * The objects of a list, one page at a time, as far as the caller asks; no page is kept. What the objects
 * hold is not validated. Throws an AnswerError where the paging is broken.
 */
export async function* pages(http: Http, list: List): AsyncGenerator<readonly Json[], void, undefined> {
  const validator = pageValidator(list.listKey);
  const seen = new Set<string>();
  let empty = 0;
  let query: Record<string, string> | undefined;
  for (let count = 1; ; count++) {
    const body = query ? (await get(http, list, query)).body : await firstPage(http, list);
    const answer = validated(list.operation, body, validator, false);
    const items = answer[list.listKey] as readonly Json[];
    yield items;
    if (typeof answer.next_page_uri !== "string" || answer.next_page_uri === "") return;
    query = nextQuery(list, answer.next_page_uri);
    empty = items.length === 0 ? empty + 1 : 0;
    const problem = seen.has(query.before_id!)
      ? "its pages go in a circle"
      : empty >= mostEmptyPages || count >= mostPages
        ? `it does not end after ${count} pages`
        : undefined;
    if (problem !== undefined) throw new AnswerError(list.operation, problem, false);
    seen.add(query.before_id!);
  }
}

async function firstPage(http: Http, list: List): Promise<unknown> {
  const refusing = unlimited.get(http) ?? new Set();
  unlimited.set(http, refusing);
  if (refusing.has(list.path)) return (await get(http, list)).body;
  try {
    return (await get(http, list, { limit: String(pageSize) })).body;
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 405, 414, 422].includes(error.status)) throw error;
    const { body } = await get(http, list);
    refusing.add(list.path);
    return body;
  }
}

function get(
  http: Http,
  { path, operation }: List,
  query?: Record<string, string>,
): ReturnType<Http["send"]> {
  return http.send({ method: "GET", path, query, operation });
}

/**
 * The query of the next page. The address may be on another host name, which must not get the token, so all
 * else of it is ignored.
 */
function nextQuery({ operation }: List, uri: string): Record<string, string> {
  const start = uri.indexOf("?");
  const given = new URLSearchParams(start < 0 ? "" : uri.slice(start + 1).replace(/#.*/, ""));
  const [before, limit] = [given.get("before_id"), given.get("limit")];
  if (!before) throw new AnswerError(operation, "its next_page_uri has no before_id", false);
  return limit ? { before_id: before, limit } : { before_id: before };
}
