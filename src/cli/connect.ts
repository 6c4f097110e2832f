/** The connection of a command, with the settings of the environment or of a Pulumi stack. */
import { clientWith } from "../account/client";
import type { Client } from "../account/client";
import { GatewayError } from "../provider/errors";
import { readSettings } from "../provider/settings";
import type { ConfigSource } from "../provider/settings";
import { PulumiError, pulumi } from "../stack/pulumi";
import { UsageError } from "./command";
import type { AccountFlags } from "./command";
import { note } from "./progress";

/** The account's client. What takes long is reported on stderr. */
export async function connect(flags: AccountFlags): Promise<Client> {
  return clientWith(readSettings(await sourceFor(flags), process.env), note);
}

/** The settings that come before those of the environment. */
export async function sourceFor({ stack, cwd }: AccountFlags): Promise<ConfigSource> {
  if (stack === undefined) {
    if (cwd !== undefined)
      throw new UsageError("--cwd names the folder of a stack's project, so it needs --stack");
    return { get: () => undefined };
  }
  const values = configOf(await stackConfig(stack, cwd), stack);
  return { get: (key) => values.get(key) };
}

function configOf(text: string, stack: string): Map<string, string> {
  try {
    const config = JSON.parse(text) as Record<string, { value?: unknown }>;
    const entries = Object.entries(config).map(([key, { value }]): [string, unknown] => [key, value]);
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    throw new Error(`the configuration of the stack ${stack} could not be read: pulumi printed no JSON`);
  }
}

/** The configuration as the Pulumi CLI prints it. */
async function stackConfig(stack: string, cwd: string | undefined): Promise<string> {
  try {
    const args = ["config", "--json", "--show-secrets", "--stack", stack];
    return (await pulumi(args, { cwd, mayAsk: true })).stdout;
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    throw new GatewayError(`the configuration of the stack ${stack} could not be read: ${error.reason}`);
  }
}
