/** Warns of unknown keys under the name of the package in the stack's configuration, and refuses unknown arguments of a Provider. */
import * as sdk from "../schema/sdk";
import { oncePer } from "../schema/once-per";
import { programError } from "./program-errors";

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
  for (const text of texts().unknownKeys(Object.keys(sdk.allConfig()), sdk.getProject()))
    void sdk.log.warn(text);
});

/** Throws where an explicit provider has an argument that is not a setting. */
export function refuseUnknownArguments(names: Iterable<string>, provider: string): void {
  const unknown = texts().unknownArguments(names, provider);
  if (unknown.length > 0) throw programError(unknown.join("; "));
}

function texts(): typeof import("../provider/settings/unknown-settings") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- no program needs it before its first resource
  return require("../provider/settings/unknown-settings") as typeof import("../provider/settings/unknown-settings");
}
