/** The functions that read the account, once for everything that can be read. */
/* eslint-disable @typescript-eslint/prefer-function-type -- editors show a call signature's documentation */
import * as pulumi from "@pulumi/pulumi";
import type { Declaration, StateOf } from "../schema/declaration";
import { prefixed } from "../schema/formats/id";
import { GatewayError } from "../provider/errors";
import type { Json } from "../schema/json";
import { namesIn, segment, valuesIn } from "../provider/path";
import { fromWire } from "../provider/wire";
import type { ConfigSource } from "../provider/settings";
import { clientFor } from "./client";
import type { Client } from "./client";
import { guarded, guardedList } from "./outputs";
import { inWords, matcher } from "./filter";
import type { Filter, Match } from "./filter";
import { sourceOf, sourceOutput } from "./settings";
import type { AccountOptions } from "./settings";

/** What the service holds of a resource, as plain values: its outputs and its id. Secrets are in clear. */
export type ResultOf<R> = { id: string } & StateOf<R>;

/** Which objects to list, and of which account. */
export interface ListOptions<T> extends AccountOptions {
  /**
   * Only the objects that hold this, such as `{ description: "office" }`, or for which a function says so. The
   * service has no such parameter, so the whole list is read. Default: all.
   */
  filter?: Filter<T>;
  /** The most objects to list; no page is read beyond them. Default: all. */
  limit?: number;
}

/** The same for an Output form. */
export interface ListOutputOptions<T> extends AccountOptions {
  /** Only the objects that hold this, or for which a function says so. Default: all. */
  filter?: FilterInput<T>;
  /** The most objects to list. Default: all. */
  limit?: number;
}

/** What an object must hold, where it comes from Outputs. */
export type FilterInput<T> =
  { [K in keyof Match<T>]?: pulumi.Input<Match<T>[K]> } | pulumi.Output<Match<T>> | ((object: T) => boolean);

/**
 * Objects of the account, page by page: `for await (const each of listing)` holds one page in memory at a time,
 * and `await listing.toArray()` holds all. Each of them reads the list anew.
 */
export interface Listing<T> extends AsyncIterable<T> {
  /** All objects as an array. */
  toArray(): Promise<T[]>;
}

/** Reads one object: by its id, or the only one that a filter means. */
export interface Get<T> {
  /**
   * @param which the object's id; or what it holds, such as `{ description: "office" }`, or a function that knows it.
   * @param options whose account; default: the stack's configuration, else the environment.
   * @throws ApiError where the service refuses, and GatewayError where there is no such object, or several.
   */
  (which: string | Filter<T>, options?: AccountOptions): Promise<T>;
}

/** Reads one object by its path. */
export interface GetByPath<T> {
  /**
   * @param path the ids in the object's path, joined by "/": a resource's own id.
   * @param options whose account; default: the stack's configuration, else the environment.
   * @throws ApiError where the service refuses, and GatewayError where there is no such object.
   */
  (path: string, options?: AccountOptions): Promise<T>;
}

/** Lists objects. */
export interface List<T> {
  /** @param options which objects, and of which account; default: all of the stack's or the environment's. */
  (options?: ListOptions<T>): Listing<T>;
}

/** Lists what belongs to another object. */
export interface ListWithin<T> {
  /**
   * @param owner the id of the object that they belong to.
   * @param options which objects, and of which account; default: all of the stack's or the environment's.
   */
  (owner: string, options?: ListOptions<T>): Listing<T>;
}

/** {@link Get} with Outputs as arguments and as result; secrets are encrypted. */
export interface GetOutput<T> {
  /**
   * @param which the object's id; or what it holds, or a function that knows it.
   * @param options whose account; default: the stack's configuration, else the environment.
   */
  (which: pulumi.Input<string> | FilterInput<T>, options?: AccountOptions): pulumi.Output<T>;
}

/** {@link GetByPath} with Outputs as arguments and as result; secrets are encrypted. */
export interface GetByPathOutput<T> {
  /**
   * @param path the ids in the object's path, joined by "/": a resource's own id.
   * @param options whose account; default: the stack's configuration, else the environment.
   */
  (path: pulumi.Input<string>, options?: AccountOptions): pulumi.Output<T>;
}

/** {@link List} with Outputs as arguments and as result; secrets are encrypted. */
export interface ListOutput<T> {
  /** @param options which objects, and of which account; default: all of the stack's or the environment's. */
  (options?: ListOutputOptions<T>): pulumi.Output<T[]>;
}

/** {@link ListWithin} with Outputs as arguments and as result; secrets are encrypted. */
export interface ListWithinOutput<T> {
  /**
   * @param owner the id of the object that they belong to.
   * @param options which objects, and of which account; default: all of the stack's or the environment's.
   */
  (owner: pulumi.Input<string>, options?: ListOutputOptions<T>): pulumi.Output<T[]>;
}

/** Something that can be read. */
export interface Readable {
  readonly declaration: Declaration;
  /** The list's path; a `{name}` in it stands for the id of the object that owns the list. */
  readonly listPath: string;
  /** Where a list holds other objects too: which are meant, and what the others are. */
  readonly only?: { test(object: Json): boolean; readonly otherwise: string };
}

/** The functions of everything in a collection. */
export function functionsOf<T extends object>(declaration: Declaration, only?: Readable["only"]) {
  const readable: Readable = { declaration, listPath: declaration.path, only };
  return {
    readable,
    get: ((which, options = {}) => get<T>(readable, which, options)) as Get<T>,
    getOutput: ((which, options = {}) => getOutput<T>(readable, which, options)) as GetOutput<T>,
    list: ((options = {}) => list<T>(readable, undefined, options)) as List<T>,
    listOutput: ((options = {}) => listOutput<T>(readable, undefined, options)) as ListOutput<T>,
  };
}

/** The functions of one object at a path. */
export function functionsAt<T extends object>(declaration: Declaration) {
  const readable: Readable = { declaration, listPath: declaration.path.replace(/\/[^/]*$/, "") };
  return {
    readable,
    get: ((path, options = {}) => get<T>(readable, path, options)) as GetByPath<T>,
    getOutput: ((path, options = {}) => getOutput<T>(readable, path, options)) as GetByPathOutput<T>,
  };
}

/** The functions of a list that belongs to another object. */
export function functionsWithin<T extends object>({ declaration, listPath }: Readable) {
  const readable: Readable = { declaration, listPath };
  return {
    readable,
    list: ((owner, options = {}) => list<T>(readable, owner, options)) as ListWithin<T>,
    listOutput: ((owner, options = {}) => listOutput<T>(readable, owner, options)) as ListWithinOutput<T>,
  };
}

function get<T extends object>(
  readable: Readable,
  which: string | Filter<T>,
  options: AccountOptions,
): Promise<T> {
  return inProgram(async () => one(clientFor(await sourceOf(options)), readable, which));
}

function getOutput<T extends object>(
  readable: Readable,
  which: pulumi.Input<string> | FilterInput<T>,
  options: AccountOptions,
): pulumi.Output<T> {
  const inputs = pulumi.all<unknown>([which, sourceOutput(options)]) as unknown;
  const found = (inputs as pulumi.Output<[string | Filter<T>, ConfigSource]>).apply(([known, source]) =>
    inProgram(() => one<T>(clientFor(source), readable, known)),
  );
  return guarded(readable.declaration.fields, found);
}

function list<T extends object>(
  readable: Readable,
  owner: string | undefined,
  options: ListOptions<T>,
): Listing<T> {
  const begin = async function* (): AsyncGenerator<T, void, undefined> {
    try {
      yield* each(clientFor(await sourceOf(options)), readable, owner, options);
    } catch (error) {
      throw presentable(error);
    }
  };
  return {
    [Symbol.asyncIterator]: begin,
    toArray: () => all(begin()),
  };
}

function listOutput<T extends object>(
  readable: Readable,
  owner: pulumi.Input<string> | undefined,
  options: ListOutputOptions<T>,
): pulumi.Output<T[]> {
  const inputs = pulumi.all<unknown>([owner, options.filter, sourceOutput(options)]) as unknown;
  const found = (inputs as pulumi.Output<[string | undefined, Filter<T> | undefined, ConfigSource]>).apply(
    ([known, filter, source]) => {
      const wanted = { filter, limit: options.limit };
      return inProgram(() => all(each<T>(clientFor(source), readable, known, wanted)));
    },
  );
  return guardedList(readable.declaration.fields, found);
}

/** The object with the id, or the only one that the filter means. */
export async function one<T extends object>(
  client: Client,
  readable: Readable,
  which: string | Filter<T>,
): Promise<T> {
  if (typeof which === "string") return byId(client, readable, which);
  const { noun, plural } = readable.declaration;
  if ((typeof which !== "object" && typeof which !== "function") || which === null) {
    throw new GatewayError(`the ${noun} must be named by its id or a filter, not by ${String(which)}`);
  }
  let found: T | undefined;
  const ids: string[] = [];
  for await (const object of each<T>(client, readable, undefined, { filter: which })) {
    found ??= object;
    ids.push((object as { id?: string }).id ?? "");
  }
  if (found === undefined) throw new GatewayError(`no ${noun} matches ${inWords(which)}`);
  if (ids.length === 1) return found;
  const named = ids.length > mostNamed ? `${ids.slice(0, mostNamed).join(", ")}, …` : ids.join(", ");
  throw new GatewayError(
    `${ids.length} ${plural} match ${inWords(which)}: ${named}; give one of the ids, or a narrower filter`,
  );
}

const mostNamed = 10;

async function byId<T extends object>(client: Client, readable: Readable, id: string): Promise<T> {
  const { declaration, only } = readable;
  const wrong = declaration.idPrefix === undefined ? undefined : prefixed(declaration.idPrefix)(id);
  if (wrong !== undefined) throw new GatewayError(`the id of the ${declaration.noun} ${wrong}`);
  const answer = await client.read(declaration, id);
  if (answer === undefined) throw new GatewayError(`the ${declaration.noun} ${id} does not exist`);
  const object = { id, ...fromWire(declaration.fields, answer, valuesIn(declaration.path, id)) };
  if (only && !only.test(object))
    throw new GatewayError(`${id} is no ${declaration.noun}: ${only.otherwise}`);
  return object as unknown as T;
}

/** The objects of a list that are meant, as far as the caller asks. */
export async function* each<T extends object>(
  client: Client,
  { declaration, listPath, only }: Readable,
  owner: string | undefined,
  options: Pick<ListOptions<T>, "filter" | "limit">,
): AsyncGenerator<T, void, undefined> {
  const { fields, noun, plural } = declaration;
  const { filter, limit = Infinity } = options;
  if (!(limit >= 0)) throw new GatewayError(`limit: must be a number from 0, not ${String(limit)}`);
  const isMeant = matcher<T>(fields, noun, filter);
  const path = listPath.replace(/\{\w+\}/, () => segment(String(owner ?? "")));
  const operation = `listing the ${plural}${owner === undefined ? "" : ` of ${owner}`}`;
  let count = 0;
  if (count >= limit) return;
  for await (const page of client.pages({ path, listKey: declaration.listKey!, operation })) {
    for (const answer of page) {
      const object = listed(declaration, answer, owner);
      if ((only && !only.test(object)) || !isMeant(object as T)) continue;
      yield object as T;
      if (++count >= limit) return;
    }
  }
}

function listed(declaration: Declaration, answer: Json, owner: string | undefined): Json {
  const names = namesIn(declaration.path);
  const prior = owner === undefined || names.length === 0 ? {} : { [names[0]!]: owner };
  const values = fromWire(declaration.fields, answer, prior);
  // What is addressed by a path has no id of its own.
  return {
    id: names.length === 0 ? answer.id : names.map((name) => String(values[name])).join("/"),
    ...values,
  };
}

export async function all<T>(objects: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const object of objects) found.push(object);
  return found;
}

/** Runs what may end a Pulumi program by an error. */
export async function inProgram<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw presentable(error);
  }
}

/** Where the error ends a Pulumi program its message is the whole story, so Pulumi is to show no stack. */
function presentable(error: unknown): unknown {
  if (error instanceof GatewayError) Object.defineProperty(error, "__pulumiRunError", { value: true });
  return error;
}
