/** The connection of a command, with the settings of the environment or of a Pulumi stack. */
import { clientWith } from "../../account/account-client";
import type { AccountClient } from "../../account/account-client";
import { providerNamed, providerSource } from "../../inventory/providers";
import { readStack } from "../../inventory/stack";
import { SettingsError } from "../../provider/errors";
import { readSettings } from "../../provider/settings";
import type { ConfigSource } from "../../provider/settings";
import type { Settings } from "../../settings";
import { configOnce } from "../../stack/config";
import type { StackConfig } from "../../stack/config";
import { withReason } from "../../stack/pulumi";
import { requireStack } from "../command";
import type { AccountFlags } from "../command";
import { note } from "../terminal/progress";

/** The account's client. What takes long is reported on stderr. `config` is that of the stack, if the caller needs it too. */
export async function connect(flags: AccountFlags, config?: StackConfig): Promise<AccountClient> {
  return clientWith(settingsFrom(await sourceFor(flags, config), flags), note);
}

/** The settings of a command. An error says how to take those of a stack, where none is named. */
export function settingsFrom(source: ConfigSource, { stack }: AccountFlags): Settings {
  try {
    return readSettings(source, process.env);
  } catch (error) {
    const mayBeInStack = error instanceof SettingsError && error.isIncomplete && stack === undefined;
    if (!mayBeInStack) throw error;
    throw new SettingsError(`${error.message}. Add --stack <name> to take the settings of a stack`);
  }
}

/** A list that every key should be allowed to read, to find out whether the service accepts a key. */
export const plainList = {
  path: "/ip_policies",
  listKey: "ip_policies",
  operation: "listing the IP policies",
};

/** The settings that come before those of the environment: of the stack, or of an explicit provider in its state. */
export async function sourceFor(flags: AccountFlags, config?: StackConfig): Promise<ConfigSource> {
  requireStack(flags);
  const { stack, cwd, provider } = flags;
  if (stack === undefined) return { get: () => undefined };
  if (provider !== undefined) {
    const contents = await readStack({ stack, cwd, note: () => undefined }, true);
    return providerSource(contents, providerNamed(contents, provider));
  }
  const read = config ?? configOnce(stack, { cwd, mayAsk: true });
  const values = await read().catch(
    withReason((reason) => `the configuration of the stack ${stack} could not be read: ${reason}`),
  );
  return { get: (key) => values.get(key) };
}
