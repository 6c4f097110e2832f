/** The connection that functions and commands use to reach the service. */
import * as pulumi from "@pulumi/pulumi";
import type { Connection } from "../provider/connection";
import type { ConfigSource } from "../provider/settings";
import type { Settings } from "../settings";

/** What functions and commands need of a connection. */
export type AccountClient = Pick<Connection, "settings" | "http" | "read" | "pages">;

/** The client for the settings of the source and the environment. Throws a SettingsError where they are wrong. */
export function clientFor(source: ConfigSource): AccountClient {
  return load().connection.connectionFor(source, (line) => void pulumi.log.info(line));
}

/** A client that shares nothing. `report` prints why a request takes long. */
export function clientWith(settings: Settings, report: (line: string) => void): AccountClient {
  const { connection, http } = load();
  return connection.connectionOver(new http.Http(settings, { report }));
}

/* eslint-disable @typescript-eslint/no-require-imports -- a program loads what sends requests at its first call */
function load() {
  return {
    connection: require("../provider/connection") as typeof import("../provider/connection"),
    http: require("../provider/http/http") as typeof import("../provider/http/http"),
  };
}
/* eslint-enable @typescript-eslint/no-require-imports */
