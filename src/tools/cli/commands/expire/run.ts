import { clientWith } from "../../../../account/account-client";
import { expireRules, isUnfinished } from "../../../expire/expire";
import { StackRules, neededForRules } from "../../../expire/stack-rules";
import { settingsFrom, settingsSource } from "../../../inventory/connect";
import { providerSource, recordedConfiguration } from "../../../inventory/providers";
import { readStack } from "../../../inventory/stack";
import type { StackContents } from "../../../inventory/stack";
import type { ConfigSource } from "../../../../provider/settings/read-settings";
import { configOnce } from "../../../stack/config";
import { isFailure } from "../../../stack/pulumi";
import { UsageError, exitCode } from "../../command";
import type { OutputFlags, StackFlags } from "../../shared-options";
import { printExpiry } from "./report";
import { clear, note } from "../../terminal/progress";

interface Flags extends StackFlags, OutputFlags {
  dryRun?: boolean;
}

export async function run(flags: Flags): Promise<void> {
  const { stack, cwd, dryRun: isDryRun = false } = flags;
  if (stack === undefined) throw new UsageError("expire needs --stack");
  const config = configOnce(stack, { cwd, mayAsk: true });
  let isFirst = true;
  const read = async (): Promise<StackRules> => {
    const location = { stack, cwd, note: isFirst ? note : () => undefined };
    isFirst = false;
    return new StackRules(await readStack(location, neededForRules));
  };
  const expiry = await expireRules({
    isDryRun,
    read,
    note,
    connect: async (provider, { contents }) => {
      const source =
        provider === undefined
          ? await settingsSource({ stack, cwd }, config).catch(lastSettings(contents))
          : providerSource(contents, provider);
      return clientWith(settingsFrom(source, { stack }), note);
    },
  }).finally(clear);
  printExpiry(expiry, { ...flags, stack });
  if (isUnfinished(expiry)) process.exitCode = exitCode.failure;
}

/** The command works without the project's folder, which holds the configuration: it takes the settings from the state. */
function lastSettings(contents: StackContents): (error: unknown) => ConfigSource {
  return (error) => {
    const recorded = recordedConfiguration(contents);
    if (!isFailure(error) || recorded === undefined) throw error;
    note(`The settings are those of the last deployment: ${error.message}`);
    return recorded;
  };
}
