import type { Context } from "./context";
import { invalid } from "./errors";
import type { Stored } from "./store";

/** Pagination: the query parameters that every paged list takes. */
export const PAGING = ["limit", "before_id"];

export interface List {
  /** Kind in the store. */
  kind: string;
  /** Path of the list, for its links. */
  path: string;
  listKey: string;
  answer: (stored: Stored) => object;
  /** Which objects of the kind the list is of. Default all. */
  among?: (stored: Stored) => boolean;
  /** Leaves objects out after the page was cut, as a service does that filters late: pages may be short or empty. */
  shows?: (stored: Stored) => boolean;
}

/** One page of a list, newest first. */
export function page(context: Context, list: List, query: Record<string, string>): object {
  const limit = pageLimit(query.limit, context.options.pageSize ?? 100);
  const before = query.before_id === undefined ? Infinity : context.store.place(list.kind, query.before_id);
  if (before === undefined) throw invalid("before_id", "names no object of this list");
  const { items, more } = context.store.page(list.kind, before, limit, list.among);
  const shown = list.shows === undefined ? items : items.filter(list.shows);
  const last = items[items.length - 1];
  const uri = `${context.baseUrl}${list.path}`;
  return {
    [list.listKey]: shown.map(list.answer),
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

/** next_page_uri is absolute, and some services put it on another host name than they are asked at. */
function nextOrigin(context: Context, uri: string): string {
  const { nextPageOrigin } = context.options;
  if (nextPageOrigin === undefined) return uri;
  return `${nextPageOrigin.replace(/\/+$/, "")}${new URL(uri).pathname}`;
}
