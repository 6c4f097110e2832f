/** The arguments of a program as it passes them, before the SDK turns them into inputs. */
import type * as pulumi from "@pulumi/pulumi";
import * as sdk from "../schema/sdk";
import type { Declaration } from "../schema/declaration";
import { hasRoomForStamp, stampText } from "../schema/metadata";
import { isRecord, unknown, mapDeep } from "../schema/unknown";
import type { Json } from "../schema/json";
import type { Problem } from "../schema/validate";
import { configKey, environmentNames } from "../provider/settings/settings";
import type { Door } from "./door";

/** A resource of this package in a program. */
export interface Constructed {
  readonly door: Door;
  readonly declaration: Declaration;
  readonly name: string;
  /** None if `get` looks up an existing object. */
  readonly args: Json;
  readonly opts: pulumi.CustomResourceOptions;
  /** The explicit provider. */
  readonly provider: pulumi.ProviderResource | undefined;
}

/** The arguments that a constructor can check: Outputs and promises become unknown. */
export function visible(args: Record<string, unknown>): Record<string, unknown> {
  return mapDeep(args, (value) => (sdk.isLater(value) ? unknown : value)) as Record<string, unknown>;
}

/**
 * The arguments, each one that cannot become text wrapped in an Output. The SDK turns every argument but an Output into text
 * for debugging, and an error there would leave the update hanging.
 */
export function sdkInputs(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, hasText(value) ? value : sdk.output(value)]),
  );
}

/** A map with the key `toString`, or without a prototype, cannot become text. */
function hasText(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasText);
  return !isRecord(value) || typeof value.toString === "function";
}

/** The keys that the SDK drops silently. */
export function droppedKeys(args: Readonly<Record<string, unknown>>, prefix = ""): Problem[] {
  return Object.entries(args).flatMap(([name, value]): Problem[] => {
    if (!isRecord(value)) return [];
    const path = prefix + name;
    const clause = 'has the key "__proto__", which Pulumi does not pass on; use another key';
    const own = Object.hasOwn(value, "__proto__") ? [{ path, clause }] : [];
    return [...own, ...droppedKeys(value, `${path}.`)];
  });
}

/** The arguments, with a stamp as metadata if the setting is on and the program sets no metadata. */
export function stamped({ declaration, name, args, provider }: Constructed): Json {
  if (!hasRoomForStamp(declaration.fields, args) || !isEnabled(provider)) return args;
  return { ...args, metadata: stampText({ project: sdk.getProject(), stack: sdk.getStack(), name }) };
}

/** As in the plugin, the arguments of an explicit Provider replace the stack's configuration. */
function isEnabled(provider: pulumi.ProviderResource | undefined): boolean {
  const own = provider
    ? (provider as { stampMetadata?: boolean }).stampMetadata
    : sdk.getConfig(configKey("stampMetadata"));
  return String(own ?? process.env[environmentNames.stampMetadata]) === "true";
}
