/** The account and the stack of an import. */
import { join } from "node:path";
import { clientWith } from "../../account/account-client";
import type { AccountClient } from "../../account/account-client";
import { GatewayError } from "../../provider/errors";
import { readSettings } from "../../provider/settings/read-settings";
import type { ConfigSource } from "../../provider/settings/read-settings";
import { PulumiError, isFailure, pulumi } from "../stack/pulumi";
import { shortName, stacksIn } from "../stack/stacks";
import { settingsSource } from "../inventory/connect";
import { providerNamed, providerSource, settingsOfProvider } from "../inventory/providers";
import { readStack } from "../inventory/stack";
import type { StackContents } from "../inventory/stack";
import { writeProject } from "./project/new-project";
import type { ImportOptions } from "./import-options";
import { requirePackage } from "./project/project";
import { isProject } from "../stack/project-folder";

export interface ImportConnection {
  readonly client: AccountClient;
  readonly stack: StackContents | undefined;
}

/**
 * The account's client and the contents of the stack. With `createMissing`, a folder without a project becomes a project, and a
 * project without stacks gets its first stack.
 */
export async function connection(options: ImportOptions, createMissing: boolean): Promise<ImportConnection> {
  const { provider, cwd, reporter } = options;
  // Without a project there is no configuration. Missing settings must be reported before any file is written.
  const early = isProject(cwd) ? undefined : clientOf({ get: () => undefined }, options);
  if (createMissing) for (const name of writeProject(cwd)) reporter.print(`wrote ${join(cwd, name)}`);
  if (options.run) requirePackage(cwd);
  const stack = await stackOf(options, createMissing);
  if (!provider)
    return { client: early ?? clientOf(await settingsSource({ stack: options.stack, cwd }), options), stack };
  // The command line accepts a provider only together with the stack that has it.
  const source = providerSource(stack!, providerNamed(stack!, provider.urn));
  return { client: clientOf(source, options), stack };
}

function clientOf(source: ConfigSource, { reporter }: ImportOptions): AccountClient {
  return clientWith(readSettings(source, process.env), reporter.note);
}

/** The contents of the stack. With `createMissing`, creates the first stack of a project. */
async function stackOf(
  { stack, cwd, provider, reporter }: ImportOptions,
  createMissing: boolean,
): Promise<StackContents | undefined> {
  if (stack === undefined) return undefined;
  const read = (): Promise<StackContents> =>
    readStack({ stack, cwd, note: reporter.note }, provider && settingsOfProvider(provider.urn));
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof PulumiError)) throw error;
    const listed = await stacksIn(cwd).catch((other: unknown) => {
      throw isFailure(other) ? error : other;
    });
    const stacks = listed.map(({ name }) => shortName(name));
    if (stacks.includes(shortName(stack))) throw error;
    if (stacks.length > 0 || !createMissing) throw missingStack(stack, stacks, error);
    await pulumi(["stack", "init", stack], { cwd, brief: true });
    reporter.note(`Created the stack ${stack}`);
    return read();
  }
}

function missingStack(stack: string, stacks: readonly string[], { said }: PulumiError): GatewayError {
  const existing = stacks.length > 0 ? `it has ${stacks.join(", ")}` : "it has none";
  return new GatewayError(
    `there is no stack ${stack} in the project (${existing}): correct --stack, or create the stack with ` +
      `pulumi stack init ${stack}. Pulumi says: ${said}`,
  );
}
