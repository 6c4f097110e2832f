/** The objects of a stack, and the creates that an interrupt left open. */
import { GatewayError } from "../provider/errors";
import { idProblem } from "../provider/path";
import { quote } from "../schema/formats/quote";
import { declarationOf } from "../resources/registry";
import { tokenPrefix } from "../runtime/shim";
import type { Json } from "../schema/json";
import { membersOf, recordsIn } from "../schema/unknown";
import { argumentsIn } from "../stack/import-entry";
import { declarationIn, explicitProvider, nameIn, stateOf, urlIn } from "../stack/preview";
import { printedJson, pulumi } from "../stack/pulumi";
import { plaintextOf } from "../stack/secrets";
import { Inventory } from "./inventory";
import type { InventoryObject } from "./inventory";
import { currentObject } from "./preview";

/** A stack and its project. */
export interface StackPlace {
  readonly stack: string;
  /** The folder of the project; default: the current one. */
  readonly cwd?: string;
  /** Receives a line for each resource that is left out, and why. */
  readonly note: (line: string) => void;
}

/** A create whose outcome is not known to Pulumi. Its arguments hold secrets in plaintext where the export shows them. */
export interface PendingCreate extends InventoryObject {
  readonly urn: string;
  readonly protect: boolean;
  /** The time of the create by the service's clock, in milliseconds since 1970, where it is known. */
  readonly time?: { readonly from: number; readonly until: number };
  /** The URN of its parent, where that is not the stack. */
  readonly parent?: string;
}

export interface StackContents {
  readonly project: string;
  readonly stack: string;
  /** The objects that it manages, including those that a replacement has not deleted yet. */
  readonly managed: readonly InventoryObject[];
  /** The objects without those that wait for their deletion. */
  readonly inventory: Inventory;
  /** The URNs of all resources, of any package. */
  readonly urns: ReadonlySet<string>;
  readonly pending: readonly PendingCreate[];
  /** The inputs of explicit providers by URN. */
  readonly providers: ReadonlyMap<string, Json>;
}

/** Reads a stack by `pulumi stack export`. */
export async function readStack(place: StackPlace, showSecrets = false): Promise<StackContents> {
  const secrets = showSecrets ? ["--show-secrets"] : [];
  const { stdout } = await pulumi(["stack", "export", "--stack", place.stack, ...secrets], place);
  return contentsOf(withUsableIds(printedJson(stdout, `the stack ${place.stack}`), place.note), place.stack);
}

/** An export without the resources of this package whose ids cannot be used. Each is noted. */
export function withUsableIds(exported: unknown, note: (line: string) => void): unknown {
  const deployment = membersOf(membersOf(exported).deployment);
  if (!Array.isArray(deployment.resources)) return exported;
  const resources = deployment.resources.filter((resource) => {
    const problem = problemWith(membersOf(resource));
    if (problem !== undefined) note(`The stack's resource is left out: ${problem}`);
    return problem === undefined;
  });
  return { ...membersOf(exported), deployment: { ...deployment, resources } };
}

function problemWith(resource: Json): string | undefined {
  const urn = textOf(resource.urn);
  const declaration = declarationIn(urn);
  const id = textOf(resource.id);
  const problem = declaration === undefined || id === "" ? undefined : idProblem(declaration, id);
  return problem && `${declaration!.type} ${quote(nameIn(urn))}: ${problem}`;
}

/** The contents of a stack by its export. */
export function contentsOf(exported: unknown, stackName: string): StackContents {
  const deployment = membersOf(membersOf(exported).deployment);
  const resources = recordsIn(deployment.resources);
  const operations = recordsIn(deployment.pending_operations);
  const statesOf = (some: readonly Json[]): Json[] => some.map(({ resource }) => membersOf(resource));
  const [first] = [...resources, ...statesOf(operations)];
  const [, stack = stackName, project = ""] = /^urn:pulumi:([^:]*)::([^:]*)::/.exec(textOf(first?.urn)) ?? [];
  // An external resource was only read by the program. Of an object that was deleted before its replacement is created,
  // the state keeps the entry and the account nothing.
  const own = resources.filter(
    ({ external, pendingReplacement }) => external !== true && pendingReplacement !== true,
  );
  const objects = own.flatMap(({ delete: isWaiting, ...each }) => {
    const object = objectIn(each);
    return object ? [{ object, isWaiting: isWaiting === true }] : [];
  });
  return {
    project,
    stack,
    managed: objects.map(({ object }) => object),
    inventory: new Inventory(objects.filter(({ isWaiting }) => !isWaiting).map(({ object }) => object)),
    urns: new Set(resources.map(({ urn }) => textOf(urn))),
    pending: creatable(statesOf(operations.filter(({ type }) => type === "creating"))),
    providers: new Map(
      resources
        .filter(({ type }) => type === "pulumi:providers:pulumi-nodejs")
        .map((each) => [textOf(each.urn), plaintextOf(each.inputs ?? {}) as Json]),
    ),
  };
}

function objectIn(resource: Json): InventoryObject | undefined {
  const urn = textOf(resource.urn);
  const declaration = declarationIn(urn);
  const state = declaration && stateOf(declaration.fields, resource);
  return state && currentObject({ urn, declaration, name: nameIn(urn) }, state);
}

/** The resources of this package among the states that the engine writes before it creates something. */
export function creatable(states: readonly Json[]): PendingCreate[] {
  return states.filter(({ type }) => textOf(type).startsWith(tokenPrefix)).map(pendingCreate);
}

function pendingCreate(resource: Json): PendingCreate {
  const [urn, parent] = [textOf(resource.urn), textOf(resource.parent)];
  const args = argumentsIn(plaintextOf(resource.inputs ?? {}) as Json);
  return {
    ...{ urn, id: undefined, name: nameIn(urn), args, outputs: args },
    declaration: declarationOf(textOf(resource.type).slice(tokenPrefix.length)),
    provider: explicitProvider(resource.provider),
    protect: resource.protect === true,
    parent: parent === "" || parent.includes("::pulumi:pulumi:Stack::") ? undefined : parent,
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The default provider, with the base URL that the stack's configuration had at the last deployment. */
export function defaultProvider({
  providers,
}: Pick<StackContents, "providers">): { baseUrl: string | undefined } | undefined {
  const found = [...providers].find(([urn]) => explicitProvider(`${urn}::id`) === undefined);
  return found && { baseUrl: urlIn(found[1]) };
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
