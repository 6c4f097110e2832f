/** Lists, page by page. Specification: Pagination. */
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import { validated, pageValidator } from "./response-schema";
import { AnswerError, ApiError } from "./errors";
import type { Http } from "./http";
import type { Call } from "./call";
import { segment } from "./path";

export interface List {
  readonly path: string;
  /** The path of all lists of the kind, such as `/event_subscriptions/{subscriptionId}/sources`; default: `path`. */
  readonly kind?: string;
  /** The member of an answer that holds the objects. */
  readonly listKey: string;
  /** The operation as an error message names it: "listing the IP policies". */
  readonly operation: string;
  /** The number of objects that the caller wants; default: all. A smaller number than a page's makes the page smaller. */
  readonly limit?: number;
}

/** The list of a collection. `owner` is the id of the object that the list belongs to, where its path names one. */
export function listOf(declaration: Declaration, owner?: string): List {
  const kind = listPathOf(declaration);
  const operation = `listing the ${declaration.plural}${owner === undefined ? "" : ` of ${owner}`}`;
  const path = kind.replace(/\{\w+\}/, () => segment(owner ?? ""));
  return { path, kind, listKey: declaration.listKey!, operation };
}

/** The list's path; a `{name}` in it stands for the id of the object that the list belongs to. */
export function listPathOf({ listPath, path, style }: Declaration): string {
  return listPath ?? (style === "member" ? path.replace(/\/[^/]*$/, "") : path);
}

/** The largest page that services of this kind were seen to answer. */
const pageSize = 100;

/** No account is this large: a longer list is endless. */
const mostPages = 10_000;

/** Empty pages may have a next one, but not for ever. */
const mostEmptyPages = 100;

/** What a connection has learned about its lists. */
interface Learned {
  /** The paths of lists that answered as specified. */
  readonly answered: Set<string>;
  /** The kinds of lists that refused `limit`, which the specification states for one collection only. */
  readonly withoutLimit: Set<string>;
}

const learned = new WeakMap<Http, Learned>();

function learnedBy(http: Http): Learned {
  let found = learned.get(http);
  if (!found) learned.set(http, (found = { answered: new Set(), withoutLimit: new Set() }));
  return found;
}

/** Whether the list with the path has answered over this connection; any list, where no path is given. */
export function hasAnswered(http: Http, path?: string): boolean {
  const { answered } = learnedBy(http);
  return path === undefined ? answered.size > 0 : answered.has(path);
}

/**
 * The objects of a list, one page at a time, as far as the caller asks; no page is kept. What the objects
 * hold is not validated. Throws an AnswerError where the paging is broken.
 */
export async function* pages(http: Http, list: List): AsyncGenerator<readonly Json[], void, undefined> {
  const validator = pageValidator(list.listKey);
  const seen = new Set<string>();
  let empty = 0;
  let query: URLSearchParams | undefined;
  for (let count = 1; ; count++) {
    const body = await (query ? get(http, list, query) : firstPage(http, list));
    const answer = validated(list.operation, body, validator, false);
    learnedBy(http).answered.add(list.path);
    const items = answer[list.listKey] as readonly Json[];
    yield items;
    if (typeof answer.next_page_uri !== "string" || answer.next_page_uri === "") return;
    query = nextQuery(list, answer.next_page_uri);
    empty = items.length === 0 ? empty + 1 : 0;
    if (seen.has(query.toString())) throw new AnswerError(list.operation, "its pages go in a circle", false);
    if (empty >= mostEmptyPages || count >= mostPages) {
      throw new AnswerError(list.operation, `it does not end after ${count} pages`, false);
    }
    seen.add(query.toString());
  }
}

async function firstPage(http: Http, list: List): Promise<unknown> {
  const { withoutLimit } = learnedBy(http);
  const kind = list.kind ?? list.path;
  if (withoutLimit.has(kind)) return get(http, list);
  try {
    return await get(http, list, { limit: String(Math.min(pageSize, list.limit ?? pageSize)) });
  } catch (error) {
    if (!(error instanceof ApiError) || ![400, 405, 414, 422].includes(error.status)) throw error;
    const body = await get(http, list);
    withoutLimit.add(kind);
    return body;
  }
}

async function get(http: Http, { path, operation }: List, query?: Call["query"]): Promise<unknown> {
  return (await http.send({ method: "GET", path, query, operation })).body;
}

/**
 * The whole query of the next page. The address may be on another host name, which must not get the token, so
 * the rest of it is ignored.
 */
function nextQuery({ operation }: List, uri: string): URLSearchParams {
  const start = uri.indexOf("?");
  const query = new URLSearchParams(start < 0 ? "" : uri.slice(start + 1).replace(/#.*/, ""));
  if (query.size === 0) throw new AnswerError(operation, "its next_page_uri has no query", false);
  return query;
}
