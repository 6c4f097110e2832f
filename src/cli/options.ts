/** Options that several commands share. */
import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import type { Modules } from "../inventory/account";
import { UsageError, several, withFilters } from "./command";
import type { ListFlags } from "./work/objects";

export interface ModuleFlags {
  httpsRoute?: string[];
  tlsEdge?: string[];
}

/** The options that name edges and routes whose modules are read: no list of the API names them. */
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

export interface SessionFlags extends ListFlags {
  os?: string;
  region?: string;
  agentVersion?: string;
  metadata?: string;
}

export function withSessionFilters(command: Command): Command {
  return withFilters(
    command
      .option("--os <text>", "only agents on this operating system")
      .option("--region <text>", "only agents in this region")
      .option("--agent-version <text>", "only agents of this version, such as 3.1.*")
      .option("--metadata <text>", "only agents with this metadata"),
  );
}

/** The flags as `field=value` texts. */
export function sessionFilters({ os, region, agentVersion, metadata, filter }: SessionFlags): string[] {
  const named = Object.entries({ os, region, agentVersion, metadata }).filter(
    ([, text]) => text !== undefined,
  );
  return [...named.map(([name, text]) => `${name}=${text}`), ...(filter ?? [])];
}

/** A format of a command's output, and where it goes: `--output <format>` or `--output <format>=<file>`. */
export interface Target<F extends string> {
  readonly format: F;
  /** The file; stdout if undefined. */
  readonly into: string | undefined;
}

/** Throws a UsageError for an unknown format, an empty file name, and more than one output to stdout. */
export function targetsOf<F extends string>(formats: readonly F[], texts: readonly string[]): Target<F>[] {
  const targets = texts.map((text): Target<F> => {
    const [name, ...file] = text.split("=");
    const format = formats.find((each) => each === name);
    if (!format) throw new UsageError(`--output takes ${formats.join(", ")}, not ${JSON.stringify(name)}`);
    return { format, into: file.length === 0 ? undefined : file.join("=") };
  });
  if (targets.some(({ into }) => into === "")) throw new UsageError("--output <format>= needs a file name");
  if (targets.filter(({ into }) => into === undefined).length > 1) {
    throw new UsageError(
      "only one --output can go to stdout: write the others to files with <format>=<file>",
    );
  }
  return targets;
}

export async function write(text: string, into: string | undefined): Promise<void> {
  if (into === undefined) return void process.stdout.write(text);
  await writeFile(into, text);
}
