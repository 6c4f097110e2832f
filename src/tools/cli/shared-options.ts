/** Options that several commands share. `--help` loads this file, so it does not import modules that do the work. */
import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import type { Modules } from "../inventory/account-contents";
import type { AccountChoice } from "../inventory/connect";
import { UsageError } from "./command";

/** The command that prints all that a preview has to show. */
export const previewCommand = "pulumi preview --json --show-sames --show-replacement-steps";

export interface StackFlags {
  stack?: string;
  cwd?: string;
}

export interface AccountFlags extends StackFlags {
  provider?: string;
}

/** The options that choose the stack whose settings a command uses. */
export function withStack(command: Command): Command {
  return withFolder(
    command.option(
      "--stack <name>",
      "take the settings from this Pulumi stack's configuration, then from the environment",
    ),
  );
}

export function withFolder(command: Command): Command {
  return command.option(
    "--cwd <folder>",
    "the folder of the stack's Pulumi project (default: the current folder)",
  );
}

export function withReviewConfig(command: Command): Command {
  return command.option(
    "--config <file>",
    "the configuration file of the review (default: .tunnel-gateway-review.json, if it exists)",
  );
}

export function withAccount(command: Command): Command {
  return withProvider(withStack(command));
}

function withProvider(command: Command): Command {
  return command.option(
    "--provider <name>",
    "work with the account of this explicit provider of the stack, by its name or URN",
  );
}

/** The account that the options choose. Throws a UsageError if an option that needs a stack comes without one. */
export function accountOf({ stack, cwd, provider }: AccountFlags): AccountChoice {
  if (stack === undefined && cwd !== undefined)
    throw new UsageError("--cwd names the folder of a stack's project, so it needs --stack");
  if (stack === undefined && provider !== undefined)
    throw new UsageError("--provider needs --stack <name>, the stack that holds the provider");
  return { stack, cwd, provider };
}

export interface ModuleFlags {
  httpsRoute?: string[];
  tlsEdge?: string[];
}

/** The options that name edges and routes, so that their modules are read: no list of the API contains them. */
export function withModules(command: Command): Command {
  return command
    .option(
      "--https-route <edgeId/routeId>",
      "also read the modules of this route; may be repeated",
      repeated,
    )
    .option("--tls-edge <id>", "also read the module of this TLS edge; may be repeated", repeated);
}

/** Throws a UsageError if an option does not hold an id. */
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

export interface InventoryFlags extends AccountFlags, ModuleFlags {
  account?: boolean;
  preview?: string;
}

export function withInventory(command: Command): Command {
  const options = withFolder(
    command.option(
      "--stack <name>",
      "read the state of this stack; with --account: the stack that manages the account",
    ),
  )
    .option("--account", "read the account")
    .option(
      "--preview <file>",
      "read the result of a deployment: the output of `pulumi preview --json --show-sames`; - reads stdin",
    );
  return withModules(withProvider(options));
}

export interface StacksFlags {
  stacks?: string[];
  cwd?: string;
  parallel?: number;
}

export function withStacks(command: Command): Command {
  return command
    .option(
      "--stacks <pattern>",
      "the stacks of the project whose names match, such as prod-*; * matches any text; repeatable",
      repeated,
    )
    .option(
      "--parallel <number>",
      "with --stacks: how many stacks at the same time (default: the number of processors)",
      integer(1, 1000),
    );
}

/** The number of stacks that are processed at the same time: each keeps about one processor busy. */
export function parallelOf({ stacks, parallel }: StacksFlags): number {
  if (stacks === undefined && parallel !== undefined) throw new UsageError("--parallel needs --stacks");
  return parallel ?? availableParallelism();
}

export interface OutputFlags {
  json?: boolean;
  showSecrets?: boolean;
}

export function withOutput(command: Command): Command {
  return command.option("--json", "print JSON");
}

export function withSecrets(command: Command): Command {
  return command.addOption(new Option("--show-secrets", "print secrets in plaintext instead of [secret]"));
}

export interface ListFlags extends OutputFlags {
  filter?: string[];
  limit?: number;
  columns?: string;
}

export function withFilters(command: Command): Command {
  return command
    .option(
      "--filter <field=value>",
      "only objects that match; * matches any text; may be repeated",
      repeated,
    )
    .option("--limit <number>", "at most this many objects", integer(0, 10_000_000));
}

export interface ExclusionFlags {
  exclude?: string[];
}

/** The option for objects that another program manages. */
export function withExclusion(command: Command): Command {
  return command.option(
    "--exclude <field=value>",
    "leave out objects that match, also by metadata.key=value; * matches any text; may be repeated",
    repeated,
  );
}

export function integer(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

export function repeated(value: string, before: string[] = []): string[] {
  return [...before, value];
}
