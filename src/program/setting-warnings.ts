/** Warns of unknown keys under the name of the package in the stack's configuration, and of unknown arguments of a Provider. */
import * as sdk from "../sdk";
import { oncePer } from "../once-per";

let isOfProvider = false;

/** Leaves the warning to the native provider, which gets these keys too: the program has loaded its classes. */
export function leaveUnknownSettings(): void {
  isOfProvider = true;
}

/** Warns once in a run: of each mistyped setting, which has no effect. */
export function warnOfUnknownSettings(): void {
  if (!isOfProvider) warnIn(sdk.currentRun());
}

const warnIn = oncePer((_run: object): void => {
  for (const text of texts().unknownKeys(Object.keys(sdk.allConfig()), sdk.getProject()))
    void sdk.log.warn(text);
});

/** Warns of each argument of an explicit provider that no setting has. */
export function warnOfUnknownArguments(names: Iterable<string>, provider: string): void {
  for (const text of texts().unknownArguments(names, provider)) void sdk.log.warn(text);
}

function texts(): typeof import("../unknown-settings") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- no program needs it before its first resource
  return require("../unknown-settings") as typeof import("../unknown-settings");
}
