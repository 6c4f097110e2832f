/** The account and the stack of an import. */
import { join } from "node:path";
import { clientWith } from "../account/client";
import type { Client } from "../account/client";
import { GatewayError } from "../provider/errors";
import { readSettings } from "../provider/settings";
import type { ConfigSource } from "../provider/settings";
import { PulumiError, pulumi } from "../stack/pulumi";
import { providerInputs, readStack } from "../stack/state";
import type { StackContents } from "../stack/state";
import { writeProject } from "./files";
import { isProject } from "./main-file";
import { requirePackage } from "./main-file";
import type { ImportOptions } from "./options";

export interface Connection {
  readonly client: Client;
  readonly stack: StackContents | undefined;
}

/**
 * The client, and what the stack holds. With `begin` a folder without a project gets one, and a project without a
 * stack its first one.
 */
export async function connection(options: ImportOptions, begin: boolean): Promise<Connection> {
  const { provider, cwd, voice } = options;
  if (provider && options.stack === undefined)
    throw new GatewayError("--provider needs --stack, whose resource it is");
  // Without a project there is no configuration either. Nothing is written while settings are missing.
  let client = isProject(cwd) ? undefined : clientOf({ get: () => undefined }, options);
  if (begin) for (const name of writeProject(cwd)) voice.say(`wrote ${join(cwd, name)}`);
  if (options.run) requirePackage(cwd);
  const stack = await stackOf(options, begin);
  if (provider) {
    const inputs = providerInputs(stack!, provider.urn);
    client = clientOf({ get: (key) => textOf(inputs[key]) }, options);
  }
  return { client: client ?? clientOf(await options.source(), options), stack };
}

function clientOf(source: ConfigSource, { voice }: ImportOptions): Client {
  return clientWith(readSettings(source, process.env), (line) => voice.note(line));
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** What the stack holds. With `begin` the first stack of a project is made. */
async function stackOf(
  { stack, cwd, provider, voice }: ImportOptions,
  begin: boolean,
): Promise<StackContents | undefined> {
  if (stack === undefined) return undefined;
  const read = (): Promise<StackContents> => readStack({ stack, cwd }, provider !== undefined);
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PulumiError) || !error.message.includes("no stack named")) throw error;
    const others = await stacksIn(cwd);
    if (others === undefined || others.includes(stack)) throw error;
    if (others.length > 0 || !begin) {
      throw new GatewayError(
        `there is no stack ${stack} in the project (${others.length > 0 ? `it has ${others.join(", ")}` : "it has none"}): ` +
          `correct --stack, or make it: pulumi stack init ${stack}`,
      );
    }
    await pulumi(["stack", "init", stack], { cwd, brief: true });
    voice.note(`The stack ${stack} was made`);
    return read();
  }
}

/** The names of the project's stacks; undefined where Pulumi cannot tell. */
async function stacksIn(cwd: string): Promise<string[] | undefined> {
  try {
    const { stdout } = await pulumi(["stack", "ls", "--json"], { cwd });
    return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  } catch (error) {
    if (error instanceof GatewayError && !(error instanceof PulumiError)) throw error;
    return undefined;
  }
}
