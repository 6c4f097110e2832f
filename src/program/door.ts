/** The two doors from a program to the life cycle: Pulumi's dynamic resources, and the native provider. */
import type * as pulumi from "@pulumi/pulumi";
import { withShim } from "../schema/recorded-state";
import { configKey, nameKey } from "../provider/settings/settings";
import type { Settings } from "../provider/settings/settings";
import { requirePackageOfPlugin } from "./plugin-package";
import { leaveUnknownSettings, warnOfUnknownSettings } from "./setting-warnings";
import { moduleName, nativeTokenPrefix, shimOf, tokenPrefix } from "./shim";

export interface Door {
  /** The prefix of its type tokens, before the name of the class. */
  readonly tokenPrefix: string;
  /** The module from which programs import its classes. */
  readonly module: string;
  /** The package of its providers. */
  readonly package: string;
  /** Whether the provider warns about arguments that look wrong, and not the program. */
  readonly warns: boolean;
  /** Whether the engine passes the URN of the resource to the provider. */
  readonly knowsUrns: boolean;
  /** Checks what belongs to a run of a program with one of its resources. */
  checkRun(): void;
  /** The inputs, with the shim of the class if the plugin needs one. */
  withShim(type: string, inputs: Record<string, unknown>): Record<string, unknown>;
  /** The aliases of a resource or provider. `former` is its type token behind the door of dynamic resources. */
  aliases(former: string, given: Aliases): Aliases;
  /** The inputs of an explicit provider. */
  settings(name: string, texts: Readonly<Partial<Record<keyof Settings, unknown>>>): pulumi.Inputs;
}

type Aliases = pulumi.CustomResourceOptions["aliases"];

export const dynamicDoor: Door = {
  tokenPrefix,
  module: "pulumi-tunnel-gateway",
  package: "pulumi-nodejs",
  warns: false,
  knowsUrns: false,
  checkRun: () => {
    requirePackageOfPlugin();
    warnOfUnknownSettings();
  },
  withShim: (type, inputs) => withShim(inputs, shimOf(type)),
  aliases: (_former, given) => given,
  settings: (name, texts) => ({
    [nameKey]: name,
    ...Object.fromEntries(
      Object.entries(texts).map(([setting, text]) => [configKey(setting as keyof Settings), text]),
    ),
  }),
};

/** A dynamic resource of the stack that moves to this door keeps its object and its state. */
export const nativeDoor: Door = {
  tokenPrefix: nativeTokenPrefix,
  module: "pulumi-tunnel-gateway/native",
  package: moduleName,
  warns: true,
  knowsUrns: true,
  checkRun: leaveUnknownSettings,
  withShim: (_type, inputs) => inputs,
  aliases: (former, given) => {
    const named = Array.isArray(given) ? given.filter(isName) : [];
    return [
      { type: former },
      ...named.map((each) => ({ ...each, type: former })),
      ...(given ?? []),
    ] as Aliases;
  },
  settings: (_name, texts) => ({ ...texts }),
};

/** Whether an alias states another name or parent, but no type. */
function isName(alias: unknown): alias is pulumi.Alias {
  return (
    typeof alias === "object" &&
    alias !== null &&
    ("name" in alias || "parent" in alias) &&
    !("type" in alias)
  );
}

/** Marks a class of this package whose instances do not use the door of dynamic resources. */
export const doorKey = Symbol.for("pulumi-tunnel-gateway/door");

/** The door of a class. */
export function doorOf(type: object): Door {
  return (type as { [doorKey]?: Door })[doorKey] ?? dynamicDoor;
}
