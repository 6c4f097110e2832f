/** The connection of a command, with the settings of the environment or of a Pulumi stack. */
import { clientWith } from "../../account/client";
import type { AccountClient } from "../../account/client";
import { readSettings } from "../../provider/settings";
import type { ConfigSource } from "../../provider/settings";
import { stackConfig } from "../../stack/config";
import { withReason } from "../../stack/pulumi";
import { UsageError } from "../command";
import type { AccountFlags } from "../command";
import { note } from "../terminal/progress";

/**
 * The account's client. What takes long is reported on stderr. `mayAsk` is whether the Pulumi CLI may ask the user, for a
 * passphrase for example.
 */
export async function connect(flags: AccountFlags, mayAsk = true): Promise<AccountClient> {
  return clientWith(readSettings(await sourceFor(flags, mayAsk), process.env), note);
}

/** A list that every key should be allowed to read, to find out whether the service accepts a key. */
export const plainList = {
  path: "/ip_policies",
  listKey: "ip_policies",
  operation: "listing the IP policies",
};

/** The settings that come before those of the environment. */
export async function sourceFor({ stack, cwd }: AccountFlags, mayAsk = true): Promise<ConfigSource> {
  if (stack === undefined) {
    if (cwd !== undefined)
      throw new UsageError("--cwd names the folder of a stack's project, so it needs --stack");
    return { get: () => undefined };
  }
  const call = { cwd, mayAsk };
  const values = await stackConfig(stack, call).catch(
    withReason((reason) => `the configuration of the stack ${stack} could not be read: ${reason}`),
  );
  return { get: (key) => values.get(key) };
}
