/** The objects of a stack, and the creates that an interrupt left open. */
import { GatewayError } from "../provider/errors";
import { idProblem } from "../provider/path";
import { quote } from "../text/phrase";
import type { Json } from "../schema/json";
import { membersOf, recordsIn } from "../schema/unknown";
import { withoutHidden } from "../schema/recorded-state";
import { printedJson, pulumi } from "../stack/pulumi";
import { plaintextOf } from "../stack/engine-secrets";
import { engineState, mismatchIn, settingsIn, urlIn } from "../stack/state";
import type { EngineState, Mismatch } from "../stack/state";
import { explicitProvider, nameIn, nativeProviderType, stackIn } from "../stack/urn";
import { Inventory } from "./inventory";
import type { InventoryObject } from "./inventory";
import { objectOf } from "./engine-objects";
import type { EngineObject } from "./engine-objects";
import { ProviderAccounts } from "./provider-accounts";

/** A stack and its project. */
export interface StackLocation {
  readonly stack: string;
  /** The folder of the project; default: the current one. */
  readonly cwd?: string;
  /** Receives a line for each resource that is left out, and why. */
  readonly note: (line: string) => void;
}

/** A create whose outcome is not known to Pulumi. Its arguments hold secrets in plaintext where the export shows them. */
export interface PendingCreate extends EngineObject {
  /** The time of the create by the service's clock, in milliseconds since 1970, where it is known. */
  readonly time?: { readonly from: number; readonly until: number };
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
export async function readStack(location: StackLocation, showSecrets = false): Promise<StackContents> {
  return contentsOf(await exportOf(location, showSecrets), location.stack, location.note);
}

/** The export of a stack. It holds secrets in plaintext where they are to be shown. */
export async function exportOf(
  location: Omit<StackLocation, "note">,
  showSecrets: boolean,
): Promise<unknown> {
  const secrets = showSecrets ? ["--show-secrets"] : [];
  const { stdout } = await pulumi(["stack", "export", "--stack", location.stack, ...secrets], location);
  return printedJson(stdout, `the stack ${location.stack}`);
}

/** The states in the export of a stack: those of its resources, and those of the operations that a deployment has begun. */
export function statesIn(exported: unknown): {
  readonly resources: readonly Json[];
  readonly begun: readonly { readonly type: unknown; readonly resource: Json }[];
} {
  const { resources, pending_operations } = membersOf(membersOf(exported).deployment);
  return {
    resources: recordsIn(resources),
    begun: recordsIn(pending_operations).map(({ type, resource }) => ({
      type,
      resource: membersOf(resource),
    })),
  };
}

/** The contents of a stack by its export, without the resources whose ids cannot be used. Each that is left out is noted. */
export function contentsOf(
  exported: unknown,
  stackName: string,
  note: (line: string) => void = () => undefined,
): StackContents {
  const { resources: states, begun } = statesIn(exported);
  const leaveOut = (problem: string): void => note(`The stack's resource is left out: ${problem}`);
  const resources = states.flatMap((resource) => {
    const each = { ...resourceIn(resource), resource };
    const problem = problemWith(each);
    if (problem !== undefined) leaveOut(problem);
    return problem === undefined ? [each] : [];
  });
  const mismatches = resources.flatMap(({ urn, state }) => mismatchIn(urn, state) ?? []);
  for (const { name, problem } of mismatches) leaveOut(`${quote(name)} is not what it seems: ${problem}`);
  const providers = new Map(
    resources
      .filter(({ state }) => state.identity.kind === "provider")
      .map(({ urn, state, resource }) => {
        const inputs = plaintextOf(resource.inputs ?? {}) as Json;
        return [urn, settingsIn(state.type === nativeProviderType, inputs)] as const;
      }),
  );
  // An external resource was only read by the program. Of an object that was deleted before its replacement is created,
  // the state keeps the entry and the account nothing.
  const objects = resources.flatMap((each) => {
    const { external, pendingReplacement, delete: isWaiting } = each.resource;
    const object = external === true || pendingReplacement === true ? undefined : ownObject(each);
    return object ? [{ object, isWaiting: isWaiting === true }] : [];
  });
  const urls = [...providers].map(([at, inputs]) => [explicitProvider(at), urlIn(inputs)] as const);
  const creating = begun.filter(({ type }) => type === "creating");
  const first = resources[0]?.urn ?? textOf(begun[0]?.resource.urn);
  const { stack = stackName, project = "" } = stackIn(first) ?? {};
  return {
    ...{ project, stack, providers },
    managed: objects.map(({ object }) => object),
    inventory: new Inventory<InventoryObject>(
      objects.filter(({ isWaiting }) => !isWaiting).map(({ object }) => object),
      undefined,
      mismatches,
      new ProviderAccounts(new Map(urls)),
    ),
    urns: new Set(resources.map(({ urn }) => urn)),
    pending: creating.flatMap(({ resource }) => pendingCreate(resource) ?? []),
  };
}

interface ExportedState {
  readonly urn: string;
  readonly state: EngineState;
}

function resourceIn(resource: Json): ExportedState {
  return { urn: textOf(resource.urn), state: engineState(resource)! };
}

function ownObject({ urn, state }: ExportedState): EngineObject | undefined {
  if (state.identity.kind !== "own") return undefined;
  const { declaration } = state.identity;
  return objectOf({ urn, declaration, name: nameIn(urn, state.type) }, state);
}

function problemWith({ urn, state: { id, identity, type } }: ExportedState): string | undefined {
  if (identity.kind !== "own" || id === undefined) return undefined;
  const problem = idProblem(identity.declaration, id);
  return problem && `${identity.declaration.type} ${quote(nameIn(urn, type))}: ${problem}`;
}

/** What the engine writes before it creates something; undefined where that is of another package. */
function pendingCreate(resource: Json): PendingCreate | undefined {
  const exported = resourceIn(resource);
  const mismatch = mismatchIn(exported.urn, exported.state);
  if (mismatch) throw maybeCreated(mismatch);
  const object = ownObject(exported);
  const args = withoutHidden(plaintextOf(resource.inputs ?? {}) as Json);
  return object && { ...object, id: undefined, args, outputs: args };
}

/** Of a create of what only looks like a resource of this package: an object may stand for it. */
export function maybeCreated({ name, problem }: Mismatch): GatewayError {
  return new GatewayError(`${quote(name)} is not what it seems: ${problem}`);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
