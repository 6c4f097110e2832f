/** States of the engine: the identity of a resource, its known values, and resources that only resemble those of this package. */
import type { Fields } from "../../schema/field";
import type { Json } from "../../schema/json";
import { isAbsent, membersOf, textsIn, unknown } from "../../schema/unknown";
import {
  configKey,
  environmentNames,
  settingsIn,
  withoutFinalSlashes,
} from "../../provider/settings/settings";
import { identityOf } from "./engine-identity";
import type { Identity } from "./engine-identity";
import { secretMask, urlOfVariable } from "./mask";
import { masked } from "./engine-secrets";
import { programLineOf } from "./program-line";
import type { ProgramLine } from "./program-line";
import { shortened } from "../../schema/text/phrase";
import { explicitProvider, isProviderType, nameIn, parentIn, providerIn } from "../../provider/urn";

/**
 * A state as the engine prints and exports it: the one reading that previews, exports and operations share. Secrets are
 * masked: none of their text is in here.
 */
export interface EngineState {
  readonly identity: Identity;
  readonly id: string | undefined;
  /** The URN of its explicit provider. */
  readonly provider: string | undefined;
  /** The URN of its provider, including a default provider; undefined for a component. */
  readonly anyProvider: string | undefined;
  readonly inputs: Json;
  readonly type: string;
  /** False for a component. */
  readonly custom: boolean;
  /** Whether the program only reads the object: its parts do not belong to the program. */
  readonly external: boolean;
  /** Whether the object stays in its account after the stack drops it. */
  readonly retainOnDelete: boolean;
  /** The URN of a resource. If that resource is deleted too, no request deletes this one. */
  readonly deletedWith: string | undefined;
  /** Whether the object was deleted before its replacement is created: it is still in the state, but not in the account. */
  readonly pendingReplacement: boolean;
  /** The URN in the engine's record: that of the old name if the program renames the resource by `aliases`. */
  readonly urn: string | undefined;
  /** The outputs as stored, including the hidden ones of this package. */
  readonly outputs: Json;
  /** The URNs that the resource depends on. */
  readonly dependencies: readonly string[];
  /** The URNs that each argument depends on. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** The URN of its parent, unless that is the stack. */
  readonly parent: string | undefined;
  /** The line of the program that declares the resource. */
  readonly programLine: ProgramLine | undefined;
}

/** The values of other packages' resources are left out. */
export function engineState(state: Json): EngineState {
  const identity = identityOf(state);
  const fields = fieldsOf(identity);
  const hidden = textsIn(state.additionalSecretOutputs);
  const dependencies = Object.entries(membersOf(state.propertyDependencies));
  const type = filledText(state.type) ?? "";
  const provider = providerIn(state.provider);
  const inputs = masked(fields ?? noFields, membersOf(state.inputs), hidden);
  return {
    ...{ identity, type },
    custom: state.custom === true,
    external: state.external === true,
    retainOnDelete: state.retainOnDelete === true,
    deletedWith: filledText(state.deletedWith),
    pendingReplacement: state.pendingReplacement === true,
    id: filledText(state.id),
    urn: filledText(state.urn),
    provider: explicitProvider(provider),
    anyProvider: provider,
    inputs: isProviderType(type) ? providerSettings(inputs) : fields ? inputs : nothing,
    outputs: fields ? masked(fields, membersOf(state.outputs), hidden) : nothing,
    dependencies: textsIn(state.dependencies),
    propertyDependencies: Object.fromEntries(dependencies.map(([name, urns]) => [name, textsIn(urns)])),
    parent: parentIn(state.parent),
    programLine: programLineOf(state),
  };
}

/**
 * The state of a step that imports an object. The engine prints it before it reads the object: without its id, and with the values of
 * the program where `ignoreChanges` keeps those of the object.
 */
export function stateOfImport(state: Json): Json {
  const fields = fieldsOf(identityOf(state)) ?? noFields;
  const all = Object.keys(fields).filter((name) => {
    const { presence, traits } = fields[name]!;
    return presence !== "computed" && !traits.inPath;
  });
  const ignored = textsIn(state.ignoreChanges).flatMap((path) =>
    path === "*" ? all : (/^\W*(\w+)/.exec(path)?.slice(1) ?? []),
  );
  const inputs = {
    ...membersOf(state.inputs),
    ...Object.fromEntries(ignored.map((name) => [name, unknown])),
  };
  return { ...state, id: state.importID, inputs };
}

const noFields: Fields = {};
const nothing: Json = {};

/** Undefined if the values do not matter. */
function fieldsOf(identity: Identity): Fields | undefined {
  if (identity.kind === "own") return identity.declaration.fields;
  return identity.kind === "provider" ? noFields : undefined;
}

/**
 * The settings in the inputs of a provider. A variable stands for the base URL that the option `envVarMappings` takes from it, and
 * the mask for such a key.
 */
export function providerSettings(inputs: Json): Json {
  const settings = settingsIn(inputs);
  const mappings = Object.entries(membersOf(membersOf(inputs.__internal).envVarMappings));
  const add = (setting: "apiKey" | "baseUrl", valueOf: (variables: string) => string): void => {
    const names = mappings.flatMap(([name, to]) => (to === environmentNames[setting] ? [name] : [])).sort();
    const key = configKey(setting);
    if (names.length > 0 && isAbsent(settings[key])) settings[key] = valueOf(names.join());
  };
  add("baseUrl", urlOfVariable);
  add("apiKey", () => secretMask);
  return settings;
}

/** The base URL in the inputs of a provider or in a configuration; the mask if it is secret. */
export function urlIn(values: Json): string | undefined {
  const url = values[configKey("baseUrl")];
  if (typeof url === "string") return url;
  return url === undefined || url === null ? undefined : secretMask;
}

/** Whether the key goes to the same address; undefined is the address of the environment. */
export function isSameUrl(a: string | undefined, b: string | undefined): boolean {
  return canonicalUrl(a ?? "") === canonicalUrl(b ?? "");
}

/** One spelling of a base URL. What is none stays as it is, such as the mask of a secret one. */
export function canonicalUrl(url: string): string {
  return withoutFinalSlashes(URL.canParse(url) ? new URL(url).href : url);
}

/**
 * A resource whose type or code is of this package and does not fit the other, or that a partial preview leaves out: what
 * it leads to is not known.
 */
export interface Mismatch {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  /** False for a component, which has no code. */
  readonly custom: boolean;
  /** The mismatch: a sentence without a full stop. */
  readonly problem: string;
}

/** The mismatch in a state. */
export function mismatchIn(
  urn: string,
  state: Pick<EngineState, "type" | "custom" | "identity"> | undefined,
): Mismatch | undefined {
  return state?.identity.kind === "mismatch" ? mismatch(urn, state, state.identity.problem) : undefined;
}

export function mismatch(
  urn: string,
  { type, custom }: Pick<EngineState, "type" | "custom">,
  problem: string,
): Mismatch {
  return { urn, type, custom, name: shownName(urn, type), problem };
}

/** The maximum length of a name in characters: the URN has the whole name. */
const mostCharacters = 100;

/** The name of a resource in texts. */
export function shownName(urn: string, type: string): string {
  return shortened(nameIn(urn, type), mostCharacters);
}

/** A text that is not empty. */
function filledText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
