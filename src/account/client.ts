/** The client that functions and commands use to reach the service. */
import * as pulumi from "@pulumi/pulumi";
import type { Declaration } from "../schema/declaration";
import type { Json } from "../schema/json";
import type { Http } from "../provider/http";
import type { List } from "../provider/pagination";
import type { ConfigSource } from "../provider/settings";
import type { Settings } from "../settings";

export interface Client {
  readonly settings: Settings;
  readonly http: Http;
  /** Reads one object; undefined where it does not exist. */
  read(declaration: Declaration, id: string): Promise<Json | undefined>;
  /** Reads a list, page by page. */
  pages(list: List): AsyncIterable<readonly Json[]>;
}

// One client per account: all functions of a process share its connections and its rate limiter.
const clients = new Map<string, Client>();

/** The client for the settings of the source and the environment. Throws a SettingsError where they are wrong. */
export function clientFor(source: ConfigSource): Client {
  const settings = load().settings.readSettings(source, process.env);
  const key = JSON.stringify(settings);
  let client = clients.get(key);
  if (!client) clients.set(key, (client = clientWith(settings, (line) => void pulumi.log.info(line))));
  return client;
}

/** A client that shares nothing. `report` prints why a request takes long. */
export function clientWith(settings: Settings, report: (line: string) => void): Client {
  const { objects, http: transport, pagination } = load();
  const http = new transport.Http(settings, { report });
  return {
    settings,
    http,
    read: (declaration, id) => objects.objectClient(declaration, http).read(id, {}),
    pages: (list) => pagination.pages(http, list),
  };
}

/* eslint-disable @typescript-eslint/no-require-imports -- a program loads what sends requests at its first call */
function load() {
  return {
    objects: require("../provider/object-clients") as typeof import("../provider/object-clients"),
    http: require("../provider/http") as typeof import("../provider/http"),
    pagination: require("../provider/pagination") as typeof import("../provider/pagination"),
    settings: require("../provider/settings") as typeof import("../provider/settings"),
  };
}
/* eslint-enable @typescript-eslint/no-require-imports */
