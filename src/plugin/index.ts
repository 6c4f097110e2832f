/** The entry of the plugin: the hooks of a type, for the shim that a resource's state holds. */
import type { dynamic } from "@pulumi/pulumi";
import { mapSecrets } from "../schema/secrets";
import type { Declaration } from "../schema/declaration";
import { isRecord } from "../schema/unknown";
import { declarationOf } from "../resources/registry";
import type { Settings } from "../settings";
import { objectClient } from "../provider/object-clients";
import type { ObjectClient } from "../provider/object-client";
import { GatewayError, scrub } from "../provider/errors";
import { Http } from "../provider/http";
import { LifeCycle } from "../provider/life-cycle";
import type { Connection } from "../provider/life-cycle";
import { readSettings } from "../provider/settings";

type HookName = "check" | "diff" | "create" | "read" | "update" | "delete";
type Hook = (...values: unknown[]) => Promise<unknown>;

/** The hooks of a type under a configuration, by name. */
export function hooksOf(type: string, config: dynamic.Config): (name: HookName) => Hook {
  outliveTheEngine();
  const declaration = declarationOf(type);
  const cycle = new LifeCycle(declaration, () => connectionFor(config));
  return (name) =>
    async (...values) => {
      try {
        return await (cycle[name] as Hook).apply(cycle, values);
      } catch (error) {
        throw presented(error, declaration, values);
      }
    };
}

let isGuarded = false;

/**
 * Where the engine is killed the plugin goes on and its output has no reader. Pulumi's handler of uncaught
 * errors would print the failure to print, and so for ever, at full load and with growing memory.
 */
function outliveTheEngine(): void {
  if (isGuarded) return;
  isGuarded = true;
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}

// One connection for all types of a configuration, so that their hooks share sockets and pace.
const connections = new Map<string, Connection>();

function connectionFor(config: dynamic.Config): Connection {
  const settings = readSettings(config, process.env);
  const key = JSON.stringify(settings);
  let connection = connections.get(key);
  if (!connection) connections.set(key, (connection = connectionWith(settings)));
  return connection;
}

function connectionWith(settings: Settings): Connection {
  const http = new Http(settings);
  const clients = new Map<Declaration, ObjectClient>();
  return {
    settings,
    objectClient(declaration) {
      let client = clients.get(declaration);
      if (!client) clients.set(declaration, (client = objectClient(declaration, http)));
      return client;
    },
  };
}

/**
 * The error as it leaves a hook. A service may echo what it was sent, so the hook's own secrets are taken
 * out. Pulumi's plugin prints `${error}: ${error.stack}` beside the message, so one says who speaks and the
 * other what; only what is not the package's own error is a defect, whose stack helps to find it.
 */
function presented(error: unknown, declaration: Declaration, values: unknown[]): unknown {
  if (!(error instanceof Error)) return error;
  const secrets: string[] = [];
  for (const value of values.filter(isRecord)) {
    mapSecrets(declaration.fields, value, (secret) =>
      typeof secret === "string" ? secrets.push(secret) : 0,
    );
  }
  const stack = error instanceof GatewayError ? error.message : (error.stack ?? "");
  error.message = scrub(error.message, secrets);
  // The error's own members, such as the service's words, hold as little as its message.
  for (const [name, value] of Object.entries(error)) {
    if (typeof value === "string") Object.assign(error, { [name]: scrub(value, secrets) });
  }
  return Object.assign(error, { stack: scrub(stack, secrets), toString: () => "tunnel-gateway" });
}
