/** The settings as the program checks them: a wrong one is in the list of its wrong arguments, an unknown key a warning. */
import * as sdk from "../schema/sdk";
import { oncePer } from "../schema/once-per";
import type { Problem } from "../schema/validate";
import { requiredSettings, configKey, environmentNames, settingNames } from "../provider/settings/settings";
import type { Settings } from "../provider/settings/settings";
import { missingClause, wrongSetting } from "../provider/settings/read-settings";
import { unknownKeys } from "../provider/settings/unknown-settings";
import { report } from "./program-errors";

/** The runs whose native provider gets these keys too, and warns of them. */
const ofProvider = new WeakSet<object>();

/** Leaves the warning to the native provider, which runs because this run has a resource of its own. */
export function leaveUnknownSettings(): void {
  ofProvider.add(sdk.currentRun());
}

/** Warns once in a run: of each mistyped setting, which has no effect. */
export function warnOfUnknownSettings(): void {
  const run = sdk.currentRun();
  if (!ofProvider.has(run)) warnIn(run);
}

const warnIn = oncePer((_run: object): void => {
  for (const text of unknownKeys(Object.keys(sdk.allConfig()), sdk.getProject())) void sdk.log.warn(text);
});

/**
 * Reports wrong settings of the stack, once in a run, and returns what keeps the resources that use them from being registered.
 */
export function reportWrongSettings(): Record<string, unknown> {
  return wrongIn(sdk.currentRun());
}

const wrongIn = oncePer((_run: object): Record<string, unknown> => {
  const problems = settingNames.flatMap(problemOfStack);
  return problems.length === 0 ? {} : report("Stack", sdk.getStack(), problems, null);
});

/** A setting of the stack, by the name under which it is set. */
function problemOfStack(name: keyof Settings): Problem[] {
  const key = configKey(name);
  return problemOfSetting(name, { text: sdk.getConfig(key), key, missing: missingClause(name) });
}

/** What is wrong with a setting: with its text, or where that is undefined with what the environment has. */
export function problemOfSetting(
  name: keyof Settings,
  { text: given, key, missing }: { readonly text?: string; readonly key: string; readonly missing: string },
): Problem[] {
  const variable = environmentNames[name];
  // Only a program that the Pulumi CLI has started has the environment of its plugins.
  const isOfCli = process.env.PULUMI_NODEJS_MONITOR !== undefined;
  const text = given ?? (isOfCli ? process.env[variable] : undefined) ?? "";
  const clause = wrongSetting(name, text);
  if (clause !== undefined) return [{ path: given === undefined ? variable : key, clause }];
  // Without a key, a preview works.
  const isMissing = isOfCli && text === "" && name !== "apiKey" && requiredSettings.includes(name);
  return isMissing ? [{ path: `${key} (or ${variable})`, clause: missing }] : [];
}
