/** The contents of a stack: the resources that it manages, and the creates that an interrupt left open. */
import { declarations } from "../resources/registry";
import { isRecord, membersOf } from "../schema/unknown";
import type { Json } from "../schema/json";
import { GatewayError } from "../provider/errors";
import { tokenPrefix } from "../runtime/type-token";
import { pulumi } from "./pulumi";
import { plaintextOf } from "./secrets";

/** A stack and its project. */
export interface StackPlace {
  readonly stack: string;
  /** The folder of the project; default: the current one. */
  readonly cwd?: string;
}

/** A resource of this package in a stack. */
export interface StackResource {
  readonly urn: string;
  /** The class. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** The URN of its explicit provider. */
  readonly provider?: string;
  /** Of a set that is not exclusive: the keys of the entries that it manages. */
  readonly entries?: readonly string[];
}

/** A create whose outcome is not known to Pulumi. */
export interface PendingCreate extends Omit<StackResource, "id"> {
  /** As the engine would have sent them; secrets in plaintext where the export shows them. */
  readonly inputs: Json;
  readonly protect: boolean;
  /** The time of the create by the service's clock, in milliseconds since 1970, where it is known. */
  readonly time?: { readonly from: number; readonly until: number };
  /** The URN of its parent, where that is not the stack. */
  readonly parent?: string;
}

export interface StackContents {
  readonly project: string;
  readonly stack: string;
  readonly managed: readonly StackResource[];
  /** The URNs of all resources, of any package. */
  readonly urns: ReadonlySet<string>;
  readonly pending: readonly PendingCreate[];
  /** The inputs of explicit providers by URN. */
  readonly providers: ReadonlyMap<string, Json>;
}

/** Reads a stack by `pulumi stack export`. */
export async function readStack(place: StackPlace, showSecrets: boolean): Promise<StackContents> {
  return contentsOf(await exportStack(place, showSecrets), place.stack);
}

/** The output of `pulumi stack export`. */
export async function exportStack(place: StackPlace, showSecrets: boolean): Promise<unknown> {
  const secrets = showSecrets ? ["--show-secrets"] : [];
  const { stdout } = await pulumi(["stack", "export", "--stack", place.stack, ...secrets], place);
  return JSON.parse(stdout) as unknown;
}

/** The contents of a stack by its export. */
export function contentsOf(exported: unknown, stackName: string): StackContents {
  const deployment = membersOf(membersOf(exported).deployment);
  const resources = recordsIn(deployment.resources);
  const operations = recordsIn(deployment.pending_operations);
  const statesOf = (some: readonly Exported[]): Exported[] => some.map(({ resource }) => membersOf(resource));
  const [first] = [...resources, ...statesOf(operations)];
  const [, stack = stackName, project = ""] = /^urn:pulumi:([^:]*)::([^:]*)::/.exec(textOf(first?.urn)) ?? [];
  return {
    project,
    stack,
    // An external resource was only read by the program. One that waits for its deletion still belongs to the stack.
    managed: resources.filter((each) => isOwn(each) && each.external !== true).map(stackResource),
    urns: new Set(resources.map(({ urn }) => textOf(urn))),
    pending: creatable(statesOf(operations.filter(({ type }) => type === "creating"))),
    providers: new Map(
      resources
        .filter(({ type }) => type === "pulumi:providers:pulumi-nodejs")
        .map((each) => [textOf(each.urn), plaintextOf(each.inputs ?? {}) as Json]),
    ),
  };
}

type Exported = Record<string, unknown>;

/** The resources of this package among the states that the engine writes before it creates something. */
export function creatable(states: readonly Exported[]): PendingCreate[] {
  return states.filter(isOwn).map(pendingCreate);
}

function stackResource(resource: Exported): StackResource {
  const names = named(resource);
  return { ...names, id: textOf(resource.id), entries: entriesOf(names.type, resource) };
}

function entriesOf(type: string, { outputs }: Exported): string[] | undefined {
  const set = declarations.find((each) => each.type === type)?.entries;
  if (set === undefined || !isRecord(outputs) || outputs[set.exclusive] !== false) return undefined;
  return Object.keys(membersOf(outputs[set.entries]));
}

function pendingCreate(resource: Exported): PendingCreate {
  const parent = textOf(resource.parent);
  return {
    ...named(resource),
    inputs: plaintextOf(resource.inputs ?? {}) as Json,
    protect: resource.protect === true,
    parent: parent === "" || parent.includes("::pulumi:pulumi:Stack::") ? undefined : parent,
  };
}

function named(resource: Exported): Omit<StackResource, "id"> {
  const urn = textOf(resource.urn);
  return {
    urn,
    type: textOf(resource.type).slice(tokenPrefix.length),
    name: urn.split("::").slice(3).join("::"),
    provider: explicitProvider(resource.provider),
  };
}

/** The URN of the provider that a state refers to; undefined for the default provider. */
export function explicitProvider(reference: unknown): string | undefined {
  const urn = textOf(reference).replace(/::[^:]*$/, "");
  return urn === "" || /::default(_[^:]*)?$/.test(urn) ? undefined : urn;
}

function isOwn({ type }: Exported): boolean {
  return textOf(type).startsWith(tokenPrefix);
}

function recordsIn(value: unknown): Exported[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The inputs of an explicit provider of the stack. Throws where the stack has no such provider. */
export function providerInputs({ providers, stack }: StackContents, urn: string): Json {
  const inputs = providers.get(urn);
  if (inputs) return inputs;
  const known = [...providers.keys()].filter((each) => !each.includes("::default"));
  throw new GatewayError(
    `the stack ${stack} has no provider ${urn}; ${known.length > 0 ? `it has ${known.join(", ")}` : "it has none"}`,
  );
}
