/** The public functions that read the account: their types, and a factory for each kind of collection. */
/* eslint-disable @typescript-eslint/prefer-function-type -- editors show a call signature's documentation */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import { declarationBehind, followsDeclaration } from "../schema/declaration";
import type { Declaration, StateOf } from "../schema/declaration";
import { GatewayError } from "../provider/errors";
import type { ConfigSource } from "../provider/settings/read-settings";
import { escapeMessage } from "../schema/text/escape";
import { clientFor, sourceOf, sourceOutput } from "./account-client";
import type { AccountClient, AccountOptions } from "./account-client";
import type { Filter, Match } from "./filter";
import { withSecretMembers, withSecretObjects } from "./output-secrets";

/** An object of the account as plain values: the outputs of its resource, and its id. Secrets are plaintext. */
export type ResultOf<R> = { id: string } & StateOf<R>;

/** Which objects to list, and of which account. */
export interface ListOptions<T> extends AccountOptions {
  /**
   * What the objects must hold, such as `{ description: "office" }`, or a function that returns true for them. The
   * service has no such parameter, so the whole list is read. Default: all.
   */
  filter?: Filter<T>;
  /** The maximum number of objects to list; without a filter, no more are requested. Default: all. */
  limit?: number;
}

/** The options of a list function that returns an Output. */
export interface ListOutputOptions<T> extends AccountOptions {
  /** What the objects must hold, or a function that returns true for them. Default: all. */
  filter?: FilterInput<T>;
  /** The maximum number of objects to list. Default: all. */
  limit?: number;
}

/** A filter whose values may be Outputs. */
export type FilterInput<T> =
  | { [K in keyof Match<T>]?: pulumi.Input<Match<T>[K]> }
  | pulumi.Output<Match<T>>
  | ((object: T) => boolean);

/**
 * Objects of the account, page by page: `for await (const each of listing)` holds one page in memory at a time,
 * and `await listing.toArray()` holds all. Each of them reads the list again.
 */
export interface Listing<T> extends AsyncIterable<T> {
  /** All objects as an array. */
  toArray(): Promise<T[]>;
}

export interface Get<T> {
  /**
   * Reads one object: by its id, or the only one that a filter matches.
   * @param which the object's id; or what it holds, such as `{ description: "office" }`, or a function that returns
   *   true for it.
   * @param options whose account; default: the stack's configuration, else the environment.
   * @throws ApiError if the service refuses the request, and GatewayError if there is no such object, or several.
   */
  (which: string | Filter<T>, options?: AccountOptions): Promise<T>;
}

export interface GetByPath<T> {
  /**
   * Reads one object by its path.
   * @param path the ids in the object's path, joined by "/": a resource's own id.
   * @param options whose account; default: the stack's configuration, else the environment.
   * @throws ApiError if the service refuses the request, and GatewayError if there is no such object.
   */
  (path: string, options?: AccountOptions): Promise<T>;
}

export interface List<T> {
  /**
   * Lists the objects of the collection. A secret that only a creation returns is never in it.
   * @param options which objects, and of which account; default: all of the stack's or the environment's.
   */
  (options?: ListOptions<T>): Listing<T>;
}

export interface ListWithin<T> {
  /**
   * Lists what belongs to another object.
   * @param owner the id of the object that the list belongs to.
   * @param options which objects, and of which account; default: all of the stack's or the environment's.
   */
  (owner: string, options?: ListOptions<T>): Listing<T>;
}

export interface GetOutput<T> {
  /**
   * Reads one object, with Outputs as arguments and an Output as result; secrets are encrypted.
   * @param which the object's id; or what it holds, or a function that returns true for it.
   * @param options whose account; default: the stack's configuration, else the environment.
   */
  (which: pulumi.Input<string> | FilterInput<T>, options?: AccountOptions): pulumi.Output<T>;
}

export interface GetByPathOutput<T> {
  /**
   * Reads one object by its path, with an Output as argument and as result; secrets are encrypted.
   * @param path the ids in the object's path, joined by "/": a resource's own id.
   * @param options whose account; default: the stack's configuration, else the environment.
   */
  (path: pulumi.Input<string>, options?: AccountOptions): pulumi.Output<T>;
}

export interface ListOutput<T> {
  /**
   * Lists the objects of the collection, with Outputs as arguments and an Output as result; secrets are encrypted.
   * @param options which objects, and of which account; default: all of the stack's or the environment's.
   */
  (options?: ListOutputOptions<T>): pulumi.Output<T[]>;
}

export interface ListWithinOutput<T> {
  /**
   * Lists what belongs to another object, with Outputs as arguments and an Output as result; secrets are encrypted.
   * @param owner the id of the object that the list belongs to.
   * @param options which objects, and of which account; default: all of the stack's or the environment's.
   */
  (owner: pulumi.Input<string>, options?: ListOutputOptions<T>): pulumi.Output<T[]>;
}

/** A class of resources, whose objects the functions return, or the declaration of objects that no program manages. */
type Class<R> = new (...args: never[]) => R;

/** The functions `get…` and `get…Output` of a collection, whose objects are read as `T`. */
export function getOf<R, T extends object = ResultOf<R>>(
  read: Class<R> | Declaration,
): [Get<T>, GetOutput<T>] {
  const declaration = declarationOfRead(read);
  return [
    followsDeclaration<Get<T>>((which, options) => get(declaration, which, options), declaration),
    (which, options) => getOutput(declaration, which, options),
  ];
}

/** The functions `list…` and `list…Output` of a collection, whose objects are read as `T`. */
export function listOf<R, T extends object = ResultOf<R>>(
  read: Class<R> | Declaration,
): [List<T>, ListOutput<T>] {
  const declaration = declarationOfRead(read);
  return [
    followsDeclaration<List<T>>((options) => list(declaration, undefined, options), declaration),
    (options) => listOutput(declaration, undefined, options),
  ];
}

/** The functions `get…` and `get…Output` of objects that are read by path. */
export function getAt<R>(read: Class<R>): [GetByPath<ResultOf<R>>, GetByPathOutput<ResultOf<R>>] {
  return getOf(read);
}

/** The functions `list…` and `list…Output` of objects that belong to another object. */
export function listWithin<R, T extends object = ResultOf<R>>(
  read: Class<R> | Declaration,
): [ListWithin<T>, ListWithinOutput<T>] {
  const declaration = declarationOfRead(read);
  return [
    followsDeclaration<ListWithin<T>>((owner, options) => list(declaration, owner, options), declaration),
    (owner, options) => listOutput(declaration, owner, options),
  ];
}

function declarationOfRead(read: Class<unknown> | Declaration): Declaration {
  return typeof read === "function" ? declarationBehind(read)! : read;
}

function get<T extends object>(
  declaration: Declaration,
  which: string | Filter<T>,
  options: AccountOptions = {},
): Promise<T> {
  return withClient(options, (client) => objectReads().readOne(client, declaration, which));
}

function getOutput<T extends object>(
  declaration: Declaration,
  which: pulumi.Input<string> | FilterInput<T>,
  options: AccountOptions = {},
): pulumi.Output<T> {
  const inputs = sdk.all<unknown>([which, sourceOutput(options)]) as unknown;
  const found = (inputs as pulumi.Output<[string | Filter<T>, ConfigSource]>).apply(([known, source]) =>
    inProgram(() => objectReads().readOne<T>(clientFor(source), declaration, known)),
  );
  return withSecretMembers(declaration.fields, found);
}

function list<T extends object>(
  declaration: Declaration,
  owner: string | undefined,
  options: ListOptions<T> = {},
): Listing<T> {
  const begin = async function* (): AsyncGenerator<T, void, undefined> {
    try {
      yield* objectReads().readEach(clientFor(await sourceOf(options)), declaration, owner, options);
    } catch (error) {
      throw withoutStack(error);
    }
  };
  return {
    [Symbol.asyncIterator]: begin,
    toArray: () => objectReads().collected(begin()),
  };
}

function listOutput<T extends object>(
  declaration: Declaration,
  owner: pulumi.Input<string> | undefined,
  options: ListOutputOptions<T> = {},
): pulumi.Output<T[]> {
  const inputs = sdk.all<unknown>([owner, options.filter, sourceOutput(options)]) as unknown;
  const found = (inputs as pulumi.Output<[string | undefined, Filter<T> | undefined, ConfigSource]>).apply(
    ([known, filter, source]) => {
      const wanted = { filter, limit: options.limit };
      const { collected: all, readEach } = objectReads();
      return inProgram(() => all(readEach<T>(clientFor(source), declaration, known, wanted)));
    },
  );
  return withSecretObjects(declaration.fields, found);
}

/** The module that reads objects. A program loads it at its first call. */
export function objectReads(): typeof import("./read-objects") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require("./read-objects") as typeof import("./read-objects");
}

/** Runs the work of a function with the client of the account that its options select. */
export function withClient<T>(
  options: AccountOptions,
  work: (client: AccountClient) => Promise<T>,
): Promise<T> {
  return inProgram(async () => work(clientFor(await sourceOf(options))));
}

/** Runs work whose error may end a Pulumi program. */
async function inProgram<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw withoutStack(error);
  }
}

/**
 * Makes Pulumi print only the message of an error of this package, since its stack trace would not help the user. The message may
 * quote the service.
 */
function withoutStack(error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error;
  error.message = escapeMessage(error.message);
  return Object.defineProperty(error, "__pulumiRunError", { value: true });
}
