/** Warns of unknown keys under the name of the package in the stack's configuration, which a program can read as a whole. */
import * as sdk from "../sdk";
import { oncePer } from "../once-per";
import { unknownKeys } from "../unknown-settings";

let isOfProvider = false;

/** Leaves the warning to the native provider, which gets these keys too: the program has loaded its classes. */
export function leaveUnknownSettings(): void {
  isOfProvider = true;
}

/** Warns once in a run: of each mistyped setting, which has no effect. */
export function warnOfUnknownSettings(): void {
  if (!isOfProvider) warnIn(sdk.getMonitor() ?? withoutRun);
}

/** Several runs may share a process. */
const withoutRun = {};
const warnIn = oncePer((_run: object): void => {
  for (const text of unknownKeys(Object.keys(sdk.allConfig()), sdk.getProject())) void sdk.log.warn(text);
});
