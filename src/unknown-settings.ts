/** Mistyped settings: keys of a configuration, and arguments of a Provider, that no setting has. Nothing reads them. */
import { configKey, settingNames } from "./settings";
import { nearest } from "./text/nearest";
import { escapeControls } from "./text/escape";

const namespace = "tunnel-gateway";

/** What Pulumi itself takes from the configuration of a package. */
const ofPulumi: readonly string[] = ["version", "pluginDownloadURL"];

/**
 * A sentence for each unknown key of a stack's configuration, never with its value. A project that is called like the package
 * has keys of its own under that name, so there only a name that resembles a setting's is a mistake.
 */
export function unknownKeys(keys: Iterable<string>, project: string | undefined): string[] {
  const prefix = `${namespace}:`;
  const own = [...keys].filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
  return unknownAmong(own)
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

/** A sentence for each unknown argument of an explicit provider. */
export function unknownArguments(names: Iterable<string>, provider: string): string[] {
  return unknownAmong(names).map((name) => {
    const setting = settingFor(name);
    const meant = setting === undefined ? allSettings : `did you mean ${setting}?`;
    return (
      `the argument ${shown(name)} of the Provider ${JSON.stringify(provider)} is not a setting of pulumi-tunnel-gateway and ` +
      `has no effect on it: ${meant} Correct or remove it`
    );
  });
}

const allSettings = `the settings are ${settingNames.join(", ")}.`;

function unknownAmong(names: Iterable<string>): string[] {
  const known: readonly string[] = [...settingNames, ...ofPulumi];
  // What Pulumi and this package add for themselves begins with marks, or has the name of a package.
  return [...names].filter((name) => !known.includes(name) && !/^__|:/.test(name)).sort();
}

/** The setting that an unknown name probably means. */
function settingFor(name: string): (typeof settingNames)[number] | undefined {
  return nearest(/^[^=]*/.exec(name)![0], settingNames);
}

/** The name in a message. What stands behind `=` was meant as the value. */
function shown(name: string): string {
  return escapeControls(name.replace(/=.*/s, "=…"));
}
