/** The file for `pulumi import --file`: inputs and outputs as the life cycle would have left them. */
import { runtime } from "@pulumi/pulumi";
import { checkArguments, sentence } from "../schema/validate";
import type { Declaration } from "../schema/declaration";
import { mapSecrets } from "../schema/secrets";
import type { Json } from "../provider/object-client";
import { withoutAbsent } from "../provider/state";
import { declarationOf } from "../resources/registry";
import { moduleName } from "../runtime/gateway-resource";
import { shimOf } from "../runtime/shim";

/** The first part of every type token. */
export const tokenPrefix = `pulumi-nodejs:dynamic/${moduleName}:`;

export interface Entry {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly parent?: string;
  readonly provider?: string;
  readonly inputs: Json;
  readonly outputs: Json;
}

export interface ImportFile {
  readonly nameTable?: Readonly<Record<string, string>>;
  readonly resources: readonly Entry[];
}

export interface Managed {
  readonly declaration: Declaration;
  readonly name: string;
  readonly id: string;
  readonly inputs: Json;
  readonly outputs: Json;
  /** Names of the file's name table. */
  readonly parent?: string;
  readonly provider?: string;
}

/** One entry. Secrets are in clear in it, in the notation that makes the engine encrypt them. */
export async function entryFor({
  declaration,
  name,
  id,
  parent,
  provider,
  ...state
}: Managed): Promise<Entry> {
  const __provider = await providerText(declaration.type);
  const written = (values: Json): Json => ({
    ...(mapSecrets(declaration.fields, withoutAbsent(values), inClear) as Json),
    __provider,
  });
  // What the object does not have is null in outputs, as the life cycle writes them.
  const shown = Object.keys(declaration.fields).filter((field) => !declaration.fields[field]!.traits.local);
  const absent = Object.fromEntries(shown.map((field) => [field, null]));
  return {
    type: tokenPrefix + declaration.type,
    name,
    id,
    ...(parent === undefined ? {} : { parent }),
    ...(provider === undefined ? {} : { provider }),
    inputs: written(state.inputs),
    outputs: { ...absent, ...written(state.outputs) },
  };
}

const signature = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

function inClear(value: unknown): unknown {
  return { ...signature, plaintext: JSON.stringify(value) };
}

const texts = new Map<string, Promise<string>>();

/** What Pulumi serializes into the state of every resource of the type. */
function providerText(type: string): Promise<string> {
  let text = texts.get(type);
  if (!text) {
    const shim = shimOf(type);
    text = runtime
      .serializeFunction(() => shim, { allowSecrets: true })
      .then((serialized) => serialized.text);
    texts.set(type, text);
  }
  return text;
}

/** What is wrong with an import file; the engine would take it as it is. Holds no secret. */
export function problemsOf({ resources, nameTable = {} }: ImportFile, now: number): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const { type, name, id, inputs, outputs, parent, provider } of resources) {
    const wrong = (problem: string): void => void problems.push(`${type} ${name}: ${problem}`);
    if (!type.startsWith(tokenPrefix)) {
      wrong("is no class of this package");
      continue;
    }
    const { fields, rules } = declarationOf(type.slice(tokenPrefix.length));
    if (id === "") wrong("has no id");
    for (const key of [`${type} ${name}`, `${type} id ${id}`]) {
      if (seen.has(key)) wrong("stands twice");
      seen.add(key);
    }
    for (const reference of [parent, provider]) {
      if (reference !== undefined && !(reference in nameTable))
        wrong(`${reference} is not in the name table`);
    }
    for (const state of [inputs, outputs])
      if (typeof state.__provider !== "string") wrong("has no __provider");
    wrongArguments(fields, rules, plainOf(argumentsIn(inputs)) as Json, now).forEach(wrong);
    if (!Array.isArray(outputs.__args) || typeof outputs.__v !== "number") wrong("its outputs are no state");
  }
  return problems;
}

/** The arguments among a state's inputs: without what Pulumi and this package keep beside them. */
export function argumentsIn(inputs: Json): Json {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => !name.startsWith("__")));
}

function wrongArguments(
  fields: Declaration["fields"],
  rules: Declaration["rules"],
  args: Json,
  now: number,
): string[] {
  return checkArguments(fields, rules, args, { olds: args, now }).map(sentence);
}

/** The value with the engine's notation for secrets taken away. */
export function plainOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainOf);
  if (typeof value !== "object" || value === null) return value;
  const record = value as Record<string, unknown>;
  const [key] = Object.keys(signature) as [keyof typeof signature];
  if (record[key] === signature[key]) {
    return typeof record.plaintext === "string" ? (JSON.parse(record.plaintext) as unknown) : undefined;
  }
  return Object.fromEntries(Object.entries(record).map(([name, member]) => [name, plainOf(member)]));
}
