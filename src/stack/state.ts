/** What a stack manages, and what it was about to make when it was interrupted. */
import { isRecord } from "../schema/unknown";
import { plainOf, tokenPrefix } from "../import/entries";
import type { Json } from "../provider/object-client";
import { GatewayError } from "../provider/errors";
import { pulumi } from "./pulumi";

/** Which stack of which project. */
export interface StackPlace {
  readonly stack: string;
  readonly cwd?: string;
}

/** A resource of this package in a stack. */
export interface StackResource {
  readonly urn: string;
  /** The class. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** The URN of its provider, where it has one of its own. */
  readonly provider?: string;
}

/** A create that nobody knows the end of. */
export interface PendingCreate extends Omit<StackResource, "id"> {
  /** As the engine would have sent them; secrets in clear where the export shows them. */
  readonly inputs: Json;
  readonly protect: boolean;
  /** When it was made, if it was, by the service's clock; undefined where nobody knows. */
  readonly made?: { readonly from: number; readonly until: number };
  /** The URN of its parent, where that is not the stack. */
  readonly parent?: string;
}

export interface StackContents {
  readonly project: string;
  readonly stack: string;
  readonly managed: readonly StackResource[];
  /** All that it holds, of whatever package. */
  readonly urns: ReadonlySet<string>;
  readonly pending: readonly PendingCreate[];
  /** The inputs of explicit providers by URN. */
  readonly providers: ReadonlyMap<string, Json>;
}

/** Reads a stack by `pulumi stack export`. */
export async function readStack(place: StackPlace, showSecrets: boolean): Promise<StackContents> {
  const secrets = showSecrets ? ["--show-secrets"] : [];
  const { stdout } = await pulumi(["stack", "export", "--stack", place.stack, ...secrets], place);
  return contentsOf(JSON.parse(stdout) as unknown, place.stack);
}

/** What an export says. */
export function contentsOf(exported: unknown, stackName: string): StackContents {
  const deployment = isRecord(exported) && isRecord(exported.deployment) ? exported.deployment : {};
  const resources = recordsIn(deployment.resources);
  const operations = recordsIn(deployment.pending_operations);
  const [, stack = stackName, project = ""] =
    /^urn:pulumi:([^:]*)::([^:]*)::/.exec(textOf([...resources, ...operations.map(resourceOf)][0]?.urn)) ??
    [];
  return {
    project,
    stack,
    // What was only looked up is external; what waits for its deletion is the stack's still.
    managed: resources.filter((each) => isOwn(each) && each.external !== true).map(identified),
    urns: new Set(resources.map(({ urn }) => textOf(urn))),
    pending: creatable(operations.filter(({ type }) => type === "creating").map(resourceOf)),
    providers: new Map(
      resources
        .filter(({ type }) => type === "pulumi:providers:pulumi-nodejs")
        .map((each) => [textOf(each.urn), plainOf(each.inputs ?? {}) as Json]),
    ),
  };
}

type Exported = Record<string, unknown>;

/** The resources of this package among states as the engine writes them before it makes something. */
export function creatable(states: readonly Exported[]): PendingCreate[] {
  return states.filter(isOwn).map(pendingCreate);
}

function identified(resource: Exported): StackResource {
  return { ...named(resource), id: textOf(resource.id), ...providerOf(resource) };
}

function pendingCreate(resource: Exported): PendingCreate {
  const parent = textOf(resource.parent);
  return {
    ...named(resource),
    inputs: plainOf(resource.inputs ?? {}) as Json,
    protect: resource.protect === true,
    ...(parent === "" || parent.includes("::pulumi:pulumi:Stack::") ? {} : { parent }),
    ...providerOf(resource),
  };
}

function providerOf(resource: Exported): { readonly provider?: string } {
  const provider = textOf(resource.provider).replace(/::[^:]*$/, "");
  return provider === "" || /::default(_[^:]*)?$/.test(provider) ? {} : { provider };
}

function named({ urn, type }: Exported): Omit<StackResource, "id"> {
  const text = textOf(urn);
  return {
    urn: text,
    type: textOf(type).slice(tokenPrefix.length),
    name: text.split("::").slice(3).join("::"),
  };
}

function isOwn({ type }: Exported): boolean {
  return textOf(type).startsWith(tokenPrefix);
}

function resourceOf({ resource }: Exported): Exported {
  return isRecord(resource) ? resource : {};
}

function recordsIn(value: unknown): Exported[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The inputs of an explicit provider of the stack. Throws where there is none of the URN. */
export function providerInputs({ providers, stack }: StackContents, urn: string): Json {
  const inputs = providers.get(urn);
  if (inputs) return inputs;
  const known = [...providers.keys()].filter((each) => !each.includes("::default"));
  throw new GatewayError(
    `the stack ${stack} holds no provider ${urn}; ${known.length > 0 ? `it holds ${known.join(", ")}` : "it holds none"}`,
  );
}
