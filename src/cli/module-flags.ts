/** The options that name edges and routes whose modules are read: no list of the API names them. */
import type { Command } from "commander";
import type { Modules } from "../inventory/account";
import { UsageError, several } from "./command";

export interface ModuleFlags {
  httpsRoute?: string[];
  tlsEdge?: string[];
}

export function withModules(command: Command): Command {
  return command
    .option("--https-route <edgeId/routeId>", "also read the modules of this route; may be repeated", several)
    .option("--tls-edge <id>", "also read the module of this TLS edge; may be repeated", several);
}

/** Throws a UsageError where an option holds no id. */
export function modulesOf({ httpsRoute, tlsEdge }: ModuleFlags): Modules {
  for (const route of httpsRoute ?? []) {
    if (!/^[^/\s]+\/[^/\s]+$/.test(route))
      throw new UsageError(`--https-route takes <edgeId>/<routeId>, not ${JSON.stringify(route)}`);
  }
  for (const edge of tlsEdge ?? []) {
    if (!/^[^/\s]+$/.test(edge))
      throw new UsageError(`--tls-edge takes the id of a TLS edge, not ${JSON.stringify(edge)}`);
  }
  return { httpsRoutes: httpsRoute, tlsEdges: tlsEdge };
}
