/** The objects of a stack, and the creates that an interrupt left open. */
import { GatewayError } from "../provider/errors";
import { idProblem } from "../provider/path";
import { quote } from "../schema/formats/quote";
import type { Json } from "../schema/json";
import { membersOf, recordsIn } from "../schema/unknown";
import { withoutHidden } from "../schema/recorded-state";
import { printedJson, pulumi } from "../stack/pulumi";
import { plaintextOf } from "../stack/secrets";
import { engineState, mismatchIn, urlIn } from "../stack/state";
import { explicitProvider, nameIn, stackIn } from "../stack/urn";
import { Inventory } from "./inventory";
import type { InventoryObject } from "./inventory";
import { objectOf } from "./objects";
import { ProviderAccounts } from "./provider-accounts";

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
  /** The inputs of the providers by URN, of the default one too. */
  readonly providers: ReadonlyMap<string, Json>;
}

/** Reads a stack by `pulumi stack export`. */
export async function readStack(place: StackPlace, showSecrets = false): Promise<StackContents> {
  const secrets = showSecrets ? ["--show-secrets"] : [];
  const { stdout } = await pulumi(["stack", "export", "--stack", place.stack, ...secrets], place);
  const exported = withUsableIds(printedJson(stdout, `the stack ${place.stack}`), place.note);
  const contents = contentsOf(exported, place.stack);
  for (const { name, problem } of contents.inventory.mismatches)
    place.note(`The stack's resource is left out: ${quote(name)} is not what it seems: ${problem}`);
  return contents;
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
  const state = engineState(resource);
  if (state?.identity.kind !== "own" || state.id === undefined) return undefined;
  const { declaration } = state.identity;
  const problem = idProblem(declaration, state.id);
  return problem && `${declaration.type} ${quote(nameIn(textOf(resource.urn), state.type))}: ${problem}`;
}

/** The contents of a stack by its export. */
export function contentsOf(exported: unknown, stackName: string): StackContents {
  const deployment = membersOf(membersOf(exported).deployment);
  const resources = recordsIn(deployment.resources);
  const operations = recordsIn(deployment.pending_operations);
  const statesOf = (some: readonly Json[]): Json[] => some.map(({ resource }) => membersOf(resource));
  const [first] = [...resources, ...statesOf(operations)];
  const { stack = stackName, project = "" } = stackIn(textOf(first?.urn)) ?? {};
  // An external resource was only read by the program. Of an object that was deleted before its replacement is created,
  // the state keeps the entry and the account nothing.
  const own = resources.filter(
    ({ external, pendingReplacement }) => external !== true && pendingReplacement !== true,
  );
  const providers = new Map(
    resources
      .filter((each) => engineState(each)?.identity.kind === "provider")
      .map((each) => [textOf(each.urn), plaintextOf(each.inputs ?? {}) as Json]),
  );
  const objects = own.flatMap(({ delete: isWaiting, ...each }) => {
    const object = objectIn(each);
    return object ? [{ object, isWaiting: isWaiting === true }] : [];
  });
  return {
    project,
    stack,
    managed: objects.map(({ object }) => object),
    inventory: new Inventory(
      objects.filter(({ isWaiting }) => !isWaiting).map(({ object }) => object),
      undefined,
      resources.flatMap((each) => mismatchIn(textOf(each.urn), engineState(each)) ?? []),
      new ProviderAccounts(
        new Map([...providers].map(([at, inputs]) => [explicitProvider(at), urlIn(inputs)])),
      ),
    ),
    urns: new Set(resources.map(({ urn }) => textOf(urn))),
    pending: creatable(statesOf(operations.filter(({ type }) => type === "creating"))),
    providers,
  };
}

function objectIn(resource: Json): InventoryObject | undefined {
  const urn = textOf(resource.urn);
  const state = engineState(resource);
  if (state?.identity.kind !== "own") return undefined;
  const { declaration } = state.identity;
  return objectOf({ urn, declaration, name: nameIn(urn, state.type) }, state);
}

/**
 * The resources of this package among the states that the engine writes before it creates something. Throws for one that
 * only looks like one: an object may stand for it.
 */
export function creatable(states: readonly Json[]): PendingCreate[] {
  return states.flatMap((each) => pendingCreate(each) ?? []);
}

function pendingCreate(resource: Json): PendingCreate | undefined {
  const state = engineState(resource);
  const [urn, parent] = [textOf(resource.urn), textOf(resource.parent)];
  const mismatch = mismatchIn(urn, state);
  if (mismatch) throw new GatewayError(`${quote(mismatch.name)} is not what it seems: ${mismatch.problem}`);
  if (state?.identity.kind !== "own") return undefined;
  const { declaration } = state.identity;
  const args = withoutHidden(plaintextOf(resource.inputs ?? {}) as Json);
  return {
    ...{ urn, id: undefined, name: nameIn(urn, state.type), args, outputs: args, declaration },
    provider: state.provider,
    protect: resource.protect === true,
    parent: parent === "" || isStack(parent) ? undefined : parent,
  };
}

/** Whether a URN is that of a stack itself: a stack has no parent, so its type begins right after the project. */
function isStack(urn: string): boolean {
  return urn.split("::")[2] === "pulumi:pulumi:Stack";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
