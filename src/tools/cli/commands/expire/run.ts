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
import { clear, note } from "../../terminal/progress";
import { paragraphs, textTable } from "../../../output/document";
import type { ExpiredRule, Expiry, ExpiryOutcome } from "../../../expire/expire";
import { textOf } from "../../../../schema/formats/time";
import { counted, firstOf, most10, shortened } from "../../../../schema/text/phrase";
import { printBlocks, printJson } from "../../terminal/output";

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

/** The version of the JSON format; an incompatible change raises it. */
const expiryVersion = 1;

const words: Record<ExpiryOutcome, string> = {
  ended: "would be deleted",
  deleted: "deleted",
  gone: "not in the account",
  restored: "created again: a deployment has extended it meanwhile",
  claimed: "stays: the stack has an entry for the range that has not ended",
  shared: "stays: other entries need the rule until the next pulumi up replaces it",
  waits: "stays: an expired allow rule for some of its addresses is still in the account",
  failed: "failed",
};

function printExpiry(
  expiry: Expiry,
  { json = false, stack, dryRun = false }: { json?: boolean; stack: string; dryRun?: boolean },
): void {
  const { rules, emptied, errors } = expiry;
  if (json)
    return printJson({ version: expiryVersion, stack, dryRun, rules: rules.map(plain), emptied, errors });
  for (const error of errors) note(error);
  const rows = rules
    .filter(({ outcome }) => outcome !== "gone")
    .map((each) => {
      const { type, name, policy, cidr, action, until, outcome, error } = plain(each);
      const result = error === undefined ? words[outcome] : `${words[outcome]}: ${error}`;
      return [`${type} ${shortened(name, 60)}`, policy, cidr, action, until, result];
    });
  printBlocks([
    textTable(["resource", "policy", "range", "action", "ended", "result"], rows, "rule"),
    ...paragraphs([emptied.length > 0 && emptyText(emptied, dryRun), summaryOf(rules, dryRun)]),
  ]);
}

function plain({ rule: { set, policy, cidr, action, end }, outcome, error }: ExpiredRule) {
  const { declaration, name, urn } = set;
  return { type: declaration.type, name, urn, policy, cidr, action, until: textOf(end), outcome, error };
}

function emptyText(policies: readonly string[], isDryRun: boolean): string {
  const names = firstOf(policies, most10);
  return (
    `${isDryRun ? "Without these rules, no rule is left in" : "No rule is left in"} ${names}. ` +
    "Check that a policy without rules lets no client in: the specification does not say so"
  );
}

function summaryOf(rules: readonly ExpiredRule[], isDryRun: boolean): string {
  const countOf = (...outcomes: readonly ExpiryOutcome[]): number =>
    rules.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const gone = countOf("gone");
  const done = isDryRun
    ? `${counted(countOf("ended"), "rule")} would be deleted`
    : `${counted(countOf("deleted"), "rule")} deleted`;
  const left = countOf("restored", "claimed", "shared", "waits", "failed");
  return [
    done,
    ...(left > 0 ? [`${counted(left, "rule stays", "rules stay")}`] : []),
    ...(gone > 0 ? [`${counted(gone, "rule was", "rules were")} gone before`] : []),
  ].join(", ");
}
