/**
 * The identity of a resource, from the engine's record: its own type, whether it has a provider, and the provider's code. Names,
 * URNs and component types are texts of the program's author, and prove nothing.
 */
import { hash } from "node:crypto";
import { oncePerText } from "../../schema/once-per";
import { declarations } from "../../resources/registry";
import {
  classIn,
  isNativeToken,
  moduleName,
  nativeTokenPrefix,
  shimOf,
  tokenPrefix,
} from "../../program/shim";
import type { Declaration } from "../../schema/declaration";
import type { Json } from "../../schema/json";
import { shimIn } from "../../schema/recorded-state";
import { isRecord, isUnknown, membersOf } from "../../schema/unknown";
import { configKey, environmentNames, nameKey, settingNames } from "../../provider/settings/settings";
import { listText, quote } from "../../schema/text/phrase";
import { secretMask } from "./mask";
import {
  isDynamicProvider,
  isNativeProvider,
  isProviderType,
  nativeProviderType,
  providerIn,
  providerNameIn,
  providerType,
} from "../../provider/urn";

export type Identity =
  /** A resource of this package: it has a type and the code of the same class, or a native provider of the package. */
  | { readonly kind: "own"; readonly declaration: Declaration }
  /** Either its type or its code is of this package, but not both. Its effect is unknown. */
  | { readonly kind: "mismatch"; readonly problem: string }
  /** A provider of dynamic resources, or a native one of this package. */
  | { readonly kind: "provider" }
  /** A dynamic resource with other code. It runs with the configuration of its provider, the API key included. */
  | { readonly kind: "code" }
  /** A component, of any package: it is not an object, and its children are recorded separately. */
  | { readonly kind: "component" }
  /** A resource that the engine itself manages, such as a provider of another package. */
  | { readonly kind: "engine" }
  | { readonly kind: "other" };

/** The type tokens of a class of this package, or of its `Provider`; any other type stands for itself. */
export function tokensOf(type: string): readonly string[] {
  if (byType.has(type)) return [tokenPrefix + type, nativeTokenPrefix + type];
  return type === "Provider" ? [providerType, nativeProviderType] : [type];
}

/**
 * The identity of the resource of a state, as the engine prints and exports it.
 * @param hidesCode whether a missing code proves nothing, because the engine hides it.
 */
export function identityOf(state: Json, hidesCode = false): Identity {
  const type = typeof state.type === "string" ? state.type : "";
  const ownClass = classIn(type);
  const isNative = isNativeToken(type);
  if (state.custom !== true) {
    if (ownClass === undefined || (isNative && !byType.has(ownClass))) return { kind: "component" };
    return mismatch(`it is a component with the type of ${ownClass}, and manages no object`);
  }
  if (isProviderType(type)) return identityOfProvider(state);
  const codes = [state.inputs, state.outputs].flatMap((values) => shimIn(membersOf(values)) ?? []);
  if (ownClass === undefined) return identityOfOther(type, codes, providerIn(state.provider));
  const declaration = byType.get(ownClass);
  if (!declaration)
    return mismatch(`this version of pulumi-tunnel-gateway knows no resource type ${ownClass}`);
  const provider = providerIn(state.provider);
  if (isNative) {
    // The state may still hold the code of an earlier dynamic resource, which is no longer used.
    if (provider !== undefined && isNativeProvider(provider)) return { kind: "own", declaration };
    return mismatch(`it has the type of ${ownClass}, and no native provider of this package`);
  }
  if (codes.length === 0 && !hidesCode) return mismatch(`it has the type of ${ownClass}, and no code`);
  const other = codes.find((code) => classWithCode(code) !== ownClass);
  if (other !== undefined) return mismatch(`it has the type of ${ownClass}, and ${codeText(other)}`);
  if (provider === undefined || isDynamicProvider(provider)) return { kind: "own", declaration };
  return mismatch(`it has the type of ${ownClass}, and a provider of another package`);
}

/** The provider inputs that make the engine start a different plugin. The engine looks in `__internal`, or else beside it. */
const pluginChoices = ["pluginDownloadURL", "name", "parameterization"];

/** The inputs of a provider: settings, and Pulumi's additions, with its own options in `__internal`. */
const providers = {
  dynamic: {
    inputs: [nameKey, ...settingNames.map(configKey)],
    options: ["envVarMappings"],
    choices: [...pluginChoices, "version"],
  },
  // Its plugin of any version comes from where Pulumi gets it.
  native: {
    inputs: [...settingNames, "version"],
    options: ["envVarMappings", "pluginChecksums"],
    choices: pluginChoices,
  },
};

function identityOfProvider({ type, urn, inputs }: Json): Identity {
  const known = providers[type === nativeProviderType ? "native" : "dynamic"];
  const { __internal: ofEngine = {}, ...given } = membersOf(inputs);
  const options = isRecord(ofEngine) ? Object.keys(ofEngine) : ["__internal"];
  const other = options.some((name) => !known.options.includes(name));
  if (other || known.choices.some((name) => given[name] !== undefined))
    return mismatch("it is a provider, and the program chooses another plugin for it");
  const { envVarMappings = {} } = ofEngine as Json;
  if (!isRecord(envVarMappings) || !Object.values(envVarMappings).every((name) => variables.includes(name)))
    return mismatch("it is a provider, and envVarMappings gives it more than settings of this package");
  // A default provider has the whole configuration, and no inputs from the program.
  if (typeof urn === "string" && providerNameIn(urn).startsWith("default")) return { kind: "provider" };
  const unknown = Object.keys(given).filter((name) => !known.inputs.includes(name));
  if (unknown.length === 0) return { kind: "provider" };
  const names = listText(unknown.map(quote), "input");
  return mismatch(`it is a provider with the input ${names}, which no Provider of this package has`);
}

/** The environment variables of settings. Others, such as NODE_OPTIONS, change the plugin. */
const variables: readonly unknown[] = Object.values(environmentNames);

const byType = new Map(declarations.map((declaration) => [declaration.type, declaration]));

function identityOfOther(type: string, codes: readonly unknown[], provider: string | undefined): Identity {
  const own = codes.find((code) => typeof code === "string" && code.includes(packageName));
  if (own !== undefined) return mismatch(`it has another type, ${type}, and ${codeText(own)}`);
  // A token may contain more than its package, and the plugin gets only the part after the last $.
  if (provider !== undefined && isNativeProvider(provider))
    return mismatch(`it has another type, ${type}, and a native provider of this package`);
  const isDynamic = codes.length > 0 || (provider !== undefined && isDynamicProvider(provider));
  if (isDynamic || /^pulumi-(nodejs|python):/.test(type)) return { kind: "code" };
  return { kind: type.startsWith("pulumi:") ? "engine" : "other" };
}

function mismatch(problem: string): Identity {
  return { kind: "mismatch", problem };
}

const packageName = `pulumi-${moduleName}`;

function codeText(code: unknown): string {
  const known = classWithCode(code);
  if (known !== undefined) return `the code of ${known}`;
  if (typeof code !== "string" || code === secretMask || isUnknown(code)) return "code that is hidden";
  return code.includes(packageName) ? "code that uses this package in its own way" : "code of its own";
}

const shims = new Map(declarations.map(({ type }) => [shimOf(type), type]));

/** The class whose code it is, character for character; undefined for any other code. */
function classWithCode(code: unknown): string | undefined {
  return typeof code === "string" ? classOfText(code) : undefined;
}

const classOfText = oncePerText((code) => shims.get(code) ?? earlierClassOf(code));

/**
 * In version 0.1.0, Pulumi serialized the code. Its text is the same for all classes except for the class name, and on all
 * machines, because it was compiled for the release. States hold it until the next `up`.
 */
const earlierCode = {
  beginning: 'exports.handler = __f0;\n\nvar __provider = {type: "',
  /** The SHA-256 of the text after the name of the class. */
  digest: "xX1wiFlJ4N4ke2l0ub4CJzK7TS_4O_XNO3CUgioDzIs",
};

function earlierClassOf(code: string): string | undefined {
  const { beginning, digest } = earlierCode;
  if (!code.startsWith(beginning)) return undefined;
  const end = code.indexOf('"', beginning.length);
  const rest = hash("sha256", code.slice(end), "base64url");
  return rest === digest ? code.slice(beginning.length, end) : undefined;
}
