/** What all work on one account shares in a process: the plugin's hooks, functions, the command line and the import. */
import type { Declaration } from "../../schema/declaration";
import type { Answer } from "../../schema/values";
import { oncePer } from "../../schema/once-per";
import { secretsOfCreation } from "../../schema/secrets";
import { Http } from "../http/http";
import type { HttpOptions } from "../http/http";
import { RuleSetClient } from "../rule-set/rule-set-client";
import { CollectionClient } from "./collection-client";
import { MarkedClient } from "./marked-client";
import { PathClient } from "./path-client";
import type { ObjectClient } from "./object-client";
import { RotatingClient } from "./rotating-client";
import { pages } from "../http/pagination";
import type { ListRequest } from "../http/pagination";
import type { AccountSettings } from "../settings/read-settings";

export interface Connection {
  readonly settings: AccountSettings;
  readonly http: Http;
  /** The client for the objects of a declaration. */
  objectClient(declaration: Declaration): ObjectClient;
  /** The object as it is now; undefined if it certainly does not exist. */
  read(declaration: Declaration, id: string): Promise<Answer | undefined>;
  /** Reads a list, page by page. */
  pages(list: ListRequest): AsyncIterable<readonly Answer[]>;
}

/** A connection that shares nothing with others. */
export function connectionOver(http: Http): Connection {
  const clientOf = oncePer((declaration: Declaration) => newClient(declaration, http));
  return {
    ...{ settings: http.settings, http, objectClient: clientOf },
    read: (declaration, id) => clientOf(declaration).lookUp(id),
    pages: (list) => pages(http, list),
  };
}

// Hooks and functions with the same settings share sockets, lists and the rate limiter.
const shared = new Map<string, Connection>();

/**
 * The connection of a provider in this process.
 * @param options `report` prints why a request takes long, and `debug` the debug log: default are lines on stdout and stderr. `deployment`
 *   is that of a plugin.
 */
export function connectionFor(
  given: AccountSettings,
  options?: Pick<HttpOptions, "report" | "debug" | "deployment">,
): Connection {
  const settings = { provider: null, ...given };
  const key = JSON.stringify(settings);
  let connection = shared.get(key);
  if (!connection) shared.set(key, (connection = connectionOver(new Http(settings, options))));
  return connection;
}

/** The client for the objects of a declaration. It remembers what it did, so a connection has only one. */
export function newClient(declaration: Declaration, http: Http): ObjectClient {
  const { style, setOf, rotates, fields } = declaration;
  if (setOf) return new RuleSetClient(declaration, setOf, http);
  if (rotates) return new RotatingClient(declaration, rotates, http);
  if (style !== "collection") return new PathClient(declaration, http);
  const hasSecret = secretsOfCreation(fields).length > 0;
  return hasSecret ? new MarkedClient(declaration, http) : new CollectionClient(declaration, http);
}
