/** The options that choose tunnel sessions. */
import type { Command } from "commander";
import { withFilters } from "./command";
import type { ListFlags } from "./objects";

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
