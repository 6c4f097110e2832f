import type { Context } from "../context";
import { invalid } from "./errors";
import type { AcceptedRequest, Operation } from "./operation";
import type { Stored } from "../store";

export interface List {
  /** Kind in the store. */
  kind: string;
  /** Path of the list, for its links. */
  path: string;
  listKey: string;
  response: (stored: Stored) => object;
  /** The objects of the collection that belong to the list. Default all. */
  filter?: (stored: Stored) => boolean;
  /** Hides objects of a page after it is cut, so that pages may be short or empty. Default none. */
  visible?: (stored: Stored) => boolean;
}

/** The operation of a paged list (specification, Pagination). */
export function paged(path: string, listOf: (request: AcceptedRequest) => List): Operation {
  const query = ["limit", "before_id"];
  return {
    ...{ method: "GET", path, query },
    handle: (request) => page(request.context, listOf(request), request.query),
  };
}

/** One page of a list, newest first. */
function page(context: Context, list: List, query: Record<string, string>): object {
  const limit = pageLimit(query.limit, context.options.pageSize ?? 100);
  const before =
    query.before_id === undefined ? Infinity : context.store.positionOf(list.kind, query.before_id);
  if (before === undefined) throw invalid("before_id", "no object of this list has this id");
  const { items, more } = context.store.page(list.kind, before, limit, list.filter);
  const shown = list.visible === undefined ? items : items.filter(list.visible);
  const last = items[items.length - 1];
  const uri = `${context.baseUrl}${list.path}`;
  return {
    [list.listKey]: shown.map(list.response),
    uri,
    next_page_uri:
      more && last !== undefined ? `${nextOrigin(context, uri)}?before_id=${last.id}&limit=${limit}` : null,
  };
}

function pageLimit(text: string | undefined, largest: number): number {
  if (text === undefined) return largest;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalid("limit", "must be a whole number from 1");
  return Math.min(Number(text), largest);
}

/** next_page_uri is absolute. Some services use another host name in it than that of the request. */
function nextOrigin(context: Context, uri: string): string {
  const { nextPageOrigin } = context.options;
  if (nextPageOrigin === undefined) return uri;
  return `${nextPageOrigin.replace(/\/+$/, "")}${new URL(uri).pathname}`;
}
