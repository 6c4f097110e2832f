/** Objects of the account as plain values: one by its id or a filter, or all of a list. */
import type { Declaration } from "../schema/declaration";
import { prefixed } from "../schema/formats/id";
import { oncePer } from "../schema/once-per";
import * as sdk from "../schema/sdk";
import type { Json } from "../schema/json";
import { outputsFrom } from "../schema/values";
import { GatewayError } from "../provider/errors";
import { listRequest } from "../provider/http/pagination";
import { idIn, idProblem, namesIn, valuesIn } from "../provider/http/path";
import { requireFound } from "../provider/life-cycle/response-schema";
import { fromWire } from "../provider/life-cycle/wire";
import { firstOf, most10 } from "../schema/text/phrase";
import { atLeast } from "./account-client";
import type { AccountClient } from "./account-client";
import { inWords, matcher } from "./filter";
import type { Filter } from "./filter";

/** Which objects of a list to read. */
export interface Selection<T> {
  readonly filter?: Filter<T>;
  /** The maximum number of objects to read; no page beyond them is requested. */
  readonly limit?: number;
}

/**
 * Reads the object with the id, or the only one that the filter matches. Throws a GatewayError if no object matches, or several
 * do.
 */
export async function readOne<T extends object>(
  client: AccountClient,
  declaration: Declaration,
  which: string | Filter<T>,
): Promise<T> {
  if (typeof which === "string") return byId(client, declaration, which);
  const { noun, plural } = declaration;
  if ((typeof which !== "object" && typeof which !== "function") || which === null) {
    throw new GatewayError(`give the ${noun} by its id or a filter, not by ${String(which)}`);
  }
  const matches = matcher<T>(declaration.fields, noun, which);
  const found = (await sharedList<T>(client, declaration)).filter(matches);
  if (found.length === 0) throw new GatewayError(`no ${noun} matches ${inWords(which)}`);
  if (found.length === 1) return structuredClone(found[0]!);
  const ids = found.map((object) => (object as { id?: string }).id ?? "");
  throw new GatewayError(
    `${ids.length} ${plural} match ${inWords(which)}: ${firstOf(ids, most10)}; give one of the ids, or a narrower filter`,
  );
}

/** The lists that the look-ups of one run of a program share, by the connection and the collection. */
const lists = oncePer((_run: object) =>
  oncePer((_http: AccountClient["http"]) => new Map<Declaration, Promise<readonly object[]>>()),
);

/**
 * The whole list. Concurrent look-ups share one read, and so do all look-ups of a preview, which changes nothing. In a
 * deployment, a later look-up must find objects that were created before it.
 */
function sharedList<T extends object>(
  client: AccountClient,
  declaration: Declaration,
): Promise<readonly T[]> {
  const own = lists(sdk.currentRun())(client.http);
  let list = own.get(declaration);
  if (list === undefined) {
    own.set(declaration, (list = collected(readEach<T>(client, declaration, undefined, {}))));
    const forget = (): void => void own.delete(declaration);
    list.then(() => sdk.isDryRun() || forget(), forget);
  }
  return list as Promise<readonly T[]>;
}

async function byId<T extends object>(
  client: AccountClient,
  declaration: Declaration,
  id: string,
): Promise<T> {
  const { fields, path } = declaration;
  const wrong = wrongId(declaration, id);
  if (wrong !== undefined) throw new GatewayError(wrong);
  const answer = await client.read(declaration, id);
  requireFound(declaration, id, answer, client.settings.baseUrl);
  return { id, ...fromWire(fields, answer, valuesIn(path, id)) } as unknown as T;
}

/** What is wrong with the form of an id, as a sentence; undefined if it may be an id of the collection. */
export function wrongId(declaration: Declaration, id: string): string | undefined {
  const { idPrefix, noun } = declaration;
  const wrong = idPrefix === undefined ? undefined : prefixed(idPrefix)(id);
  if (wrong !== undefined) return `the id of the ${noun} ${wrong}`;
  const problem = idProblem(declaration, id);
  return problem === undefined ? undefined : `the ${noun} cannot be read: ${problem}`;
}

/** Reads the selected objects of a list, page by page. `owner` is the id of the object that the list belongs to. */
export async function* readEach<T extends object>(
  client: AccountClient,
  declaration: Declaration,
  owner: string | undefined,
  { filter, limit = Infinity }: Selection<T>,
): AsyncGenerator<T, void, undefined> {
  const { fields, noun, only } = declaration;
  const matches = matcher<T>(fields, noun, filter);
  const list = listRequest(declaration, owner);
  const wanted = Math.ceil(atLeast(0, { limit }));
  let count = 0;
  if (count >= wanted) return;
  // If a filter skips objects of a page, more objects than wanted must be read.
  const readsAll = filter !== undefined || only !== undefined;
  for await (const page of client.pages(readsAll ? list : { ...list, limit: wanted })) {
    for (const answer of page) {
      const object = listed(declaration, answer, owner);
      if (!hasUsableId(client, declaration, object.id)) continue;
      if ((only && !only.test(object)) || !matches(object as T)) continue;
      yield object as T;
      if (++count >= wanted) return;
    }
  }
}

/** Whether the object's id can be shown and used; reports it if not. */
export function hasUsableId({ http }: AccountClient, declaration: Declaration, id: unknown): boolean {
  const problem = typeof id === "string" ? idProblem(declaration, id) : undefined;
  if (problem !== undefined) http.report(`${declaration.plural}: an object is left out: ${problem}`);
  return problem === undefined;
}

function listed(declaration: Declaration, answer: Json, owner: string | undefined): Json {
  const names = namesIn(declaration.path);
  const path = owner === undefined || names.length === 0 ? {} : { [names[0]!]: owner };
  const values = fromWire(declaration.fields, answer, outputsFrom(path));
  // An object whose path is its identity has no id of its own.
  return {
    id: names.length === 0 ? answer.id : idIn(declaration.path, values),
    ...values,
  };
}

export async function collected<T>(objects: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const object of objects) found.push(object);
  return found;
}
