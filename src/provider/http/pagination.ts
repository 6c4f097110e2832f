/** Lists, page by page. Specification: Pagination. */
import type { Declaration } from "../../schema/declaration";
import type { Answer } from "../../schema/values";
import { oncePer } from "../../schema/once-per";
import { configKey } from "../settings/settings";
import { counted, durationText, second } from "../../schema/text/phrase";
import { validated, pageValidator } from "../life-cycle/response-schema";
import type { Validator } from "../life-cycle/response-schema";
import { AnswerError, ApiError } from "../errors";
import type { Http, HttpAnswer } from "./http";
import type { Call } from "./path";
import { namesIn, segment } from "./path";

export interface ListRequest {
  readonly path: string;
  /** The path that all lists of the kind share, such as `/event_subscriptions/{subscriptionId}/sources`; default: `path`. */
  readonly kind?: string;
  /** The member of an answer that holds the objects. */
  readonly listKey: string;
  /** The operation as an error message names it: "listing the IP policies". */
  readonly operation: string;
  /** The member that no two objects of the list share; default: `id`. */
  readonly identity?: string;
  /** The number of objects that the caller wants; default: all. A number below the page size makes the page smaller. */
  readonly limit?: number;
}

/** The list of a collection. `owner` is the id of the object that the list belongs to, if the list's path names one. */
export function listRequest(declaration: Declaration, owner?: string): ListRequest {
  const kind = listPathOf(declaration);
  const operation = `listing the ${declaration.plural}${owner === undefined ? "" : ` of ${owner}`}`;
  const path = kind.replace(/\{\w+\}/, () => segment(owner ?? ""));
  const identity = declaration.style === "member" ? namesIn(declaration.path).at(-1)! : "id";
  return { path, kind, listKey: declaration.listKey!, operation, identity };
}

/** The list's path; a `{name}` in it stands for the id of the object that the list belongs to. */
export function listPathOf({ listPath, path }: Declaration): string {
  return listPath ?? path;
}

/** The largest page that services of this kind have returned. */
const pageSize = 100;

/** Larger than any account: a longer list is endless. */
const mostPages = 10_000;

/** An empty page may have a next page, but the number of empty pages is limited. */
const mostEmptyPages = 100;

/** What a connection has learned about its lists. */
interface Learned {
  /** The paths of lists that answered as specified. */
  readonly answered: Set<string>;
  /** The kinds of lists that refused `limit`, which the specification states for one collection only. */
  readonly withoutLimit: Set<string>;
}

const learnedBy = oncePer((_http: Http): Learned => ({ answered: new Set(), withoutLimit: new Set() }));

/** Whether this connection has received the list with the path; any list, if no path is given. */
export function hasAnswered(http: Http, path?: string): boolean {
  const { answered } = learnedBy(http);
  return path === undefined ? answered.size > 0 : answered.has(path);
}

/**
 * The objects of a list, one page at a time, as far as the caller reads. No page is kept. The members of the objects are not
 * validated. An object that appears on several pages, because the list changes during the read, is returned once. Throws an
 * AnswerError if the paging is broken or the list is larger than the settings allow.
 */
export async function* pages(
  http: Http,
  list: ListRequest,
): AsyncGenerator<readonly Answer[], void, undefined> {
  const reader = new PageReader(http, list);
  const queries = new Set<string>();
  const shown = new Set<unknown>();
  let empty = 0;
  for (let query: URLSearchParams | undefined, count = 1; ; count++) {
    const answer = await reader.page(query);
    learnedBy(http).answered.add(list.path);
    const items = itemsOf(answer, list);
    yield items.filter((item) => isNew(item[list.identity ?? "id"], shown));
    if (typeof answer.next_page_uri !== "string" || answer.next_page_uri === "") return;
    query = nextQuery(list, answer.next_page_uri);
    empty = items.length === 0 ? empty + 1 : 0;
    if (queries.has(query.toString())) throw new AnswerError(list.operation, "its pages repeat", false);
    if (empty >= mostEmptyPages || count >= mostPages) {
      throw new AnswerError(list.operation, `it does not end after ${count} pages`, false);
    }
    queries.add(query.toString());
  }
}

/** The objects of a valid page. */
function itemsOf(page: Answer, { listKey }: ListRequest): readonly Answer[] {
  return (page[listKey] as readonly Answer[] | null) ?? [];
}

/** Whether the object is the first with its identity. An object without an identity counts as new. */
function isNew(identity: unknown, shown: Set<unknown>): boolean {
  if (typeof identity !== "string") return true;
  return shown.size < shown.add(identity).size;
}

/** Reads the pages of one list, within its budget of bytes, objects and time. */
class PageReader {
  private readonly validator: Validator;
  private bytes = 0;
  private objects = 0;
  private milliseconds = 0;

  constructor(
    private readonly http: Http,
    private readonly list: ListRequest,
  ) {
    this.validator = pageValidator(list.listKey);
  }

  async page(query: URLSearchParams | undefined): Promise<Answer> {
    const start = this.http.timing.elapsed();
    const answer = await (query ? this.get(query) : this.first());
    const page = validated(this.list.operation, answer.body, this.validator, false);
    this.bytes += answer.bytes;
    this.objects += itemsOf(page, this.list).length;
    this.milliseconds += this.http.timing.elapsed() - start;
    this.check();
    return page;
  }

  private check(): void {
    const { listObjects, listMebibytes, listTimeout } = this.http.settings;
    const excess =
      this.objects > listObjects
        ? ({ limit: counted(listObjects, "object"), setting: "listObjects" } as const)
        : this.bytes > listMebibytes * 1024 * 1024
          ? ({ limit: `${listMebibytes} MiB`, setting: "listMebibytes" } as const)
          : this.milliseconds > listTimeout * 1000
            ? ({ limit: durationText(listTimeout * second, "second"), setting: "listTimeout" } as const)
            : undefined;
    if (!excess) return;
    const advice = `If the account is as large as this, increase the setting ${configKey(excess.setting)}`;
    throw new AnswerError(
      this.list.operation,
      `the list does not end within ${excess.limit}. ${advice}`,
      false,
    );
  }

  private async first(): Promise<HttpAnswer> {
    const { withoutLimit } = learnedBy(this.http);
    const { kind = this.list.path, limit = pageSize } = this.list;
    if (withoutLimit.has(kind)) return this.get();
    try {
      return await this.get({ limit: String(Math.min(pageSize, limit)) });
    } catch (error) {
      if (!(error instanceof ApiError) || ![400, 405, 414, 422].includes(error.status)) throw error;
      const answer = await this.get();
      withoutLimit.add(kind);
      return answer;
    }
  }

  private get(query?: Call["query"]): Promise<HttpAnswer> {
    const { path, kind = path, operation } = this.list;
    return this.http.send({ method: "GET", path, query, operation, isInEveryAccount: kind === path });
  }
}

/**
 * The whole query of the next page. The rest of the address is ignored: it may name another host, which must not get the token.
 */
function nextQuery({ operation }: ListRequest, uri: string): URLSearchParams {
  const start = uri.indexOf("?");
  const query = new URLSearchParams(start < 0 ? "" : uri.slice(start + 1).replace(/#.*/, ""));
  if (query.size === 0) throw new AnswerError(operation, "its next_page_uri has no query", false);
  return query;
}
