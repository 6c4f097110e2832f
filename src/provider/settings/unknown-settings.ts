/**
 * Mistyped settings: unknown keys of a configuration, which have no effect, and unknown arguments of a Provider, which are
 * errors.
 */
import { configKey, settingNames } from "./settings";
import { nearest } from "../../schema/text/nearest";
import { escapeControls } from "../../schema/text/escape";
import { notAnArgument } from "../../schema/validate";
import type { Problem } from "../../schema/validate";

const namespace = "tunnel-gateway";

/** The keys that Pulumi itself reads in the configuration of a package and in the inputs of a native provider. */
export const ofPulumi: readonly string[] = ["version", "pluginDownloadURL"];

/**
 * A sentence for each unknown key of a stack's configuration, never with its value. A project with the same name as the package
 * has its own keys under that name; there, only a name that resembles a setting's is a mistake.
 */
export function unknownKeys(keys: Iterable<string>, project: string | undefined): string[] {
  const prefix = `${namespace}:`;
  const own = [...keys].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return unknownAmong(own, ofPulumi)
    .filter((name) => !/^__|:/.test(name))
    .filter((name) => project !== namespace || settingFor(name) !== undefined)
    .map((name) => {
      const setting = settingFor(name);
      const meant = setting === undefined ? allSettings : `did you mean ${configKey(setting)}?`;
      return (
        `${prefix}${shown(name)} is not a setting of pulumi-tunnel-gateway and has no effect on it: ${meant} ` +
        "Correct or remove the key in the stack's configuration"
      );
    });
}

/** The unknown arguments of an explicit provider. */
export function unknownArguments(names: Iterable<string>, also: readonly string[] = []): Problem[] {
  return unknownAmong(names, also).map((name) => ({
    path: shown(name),
    clause: notAnArgument(/^(?:tunnel-gateway:)?([^=]*)/.exec(name)![1]!, settingNames),
  }));
}

const allSettings = `the settings are ${settingNames.join(", ")}.`;

function unknownAmong(names: Iterable<string>, also: readonly string[]): string[] {
  const known: readonly string[] = [...settingNames, ...also];
  return [...names].filter((name) => !known.includes(name)).sort();
}

/** The setting that an unknown name probably means. */
function settingFor(name: string): (typeof settingNames)[number] | undefined {
  return nearest(/^[^=]*/.exec(name)![0], settingNames);
}

/** The name in a message. Text after `=` was meant as the value, so it is left out. */
function shown(name: string): string {
  return escapeControls(name.replace(/=.*/s, "=…"));
}
