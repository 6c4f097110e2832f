/** The objects of a stack, and the creates that an interrupt left open. */
import { GatewayError } from "../../provider/errors";
import { idProblem } from "../../provider/http/path";
import { quote } from "../../schema/text/phrase";
import type { Json } from "../../schema/json";
import { asText, membersOf, recordsIn } from "../../schema/unknown";
import { argumentsFrom } from "../../schema/values";
import type { Arguments } from "../../schema/values";
import { withoutHidden } from "../../schema/recorded-state";
import { printedJson, pulumi } from "../stack/pulumi";
import { settingsIn } from "../../provider/settings/settings";
import { withDecrypted, plaintextOf } from "../stack/engine-secrets";
import { engineState, mismatchIn, providerSettings, urlIn } from "../stack/state";
import type { EngineState, Mismatch } from "../stack/state";
import { explicitProvider, nameIn, stackIn } from "../../provider/urn";
import { Inventory } from "./inventory";
import type { InventoryObject } from "./inventory";
import { objectOf } from "./read-preview";
import type { EngineObject } from "./read-preview";
import { ProviderAccounts } from "./provider-accounts";

/** A stack and its project. */
export interface StackLocation {
  readonly stack: string;
  /** The folder of the project; default: the current one. */
  readonly cwd?: string;
  /** Receives a line for each resource that is left out, and why. */
  readonly note: (line: string) => void;
}

/** A create whose outcome is not known to Pulumi. Its arguments have secrets in plaintext if they were decrypted. */
export interface PendingCreate extends EngineObject {
  readonly args: Arguments;
  /** The time of the create by the service's clock, in milliseconds since 1970, if it is known. */
  readonly time?: { readonly from: number; readonly until: number };
}

export type ExportedState = ReturnType<typeof exportedState>;

export interface StackContents {
  readonly project: string;
  readonly stack: string;
  /** The objects that it manages, including those that a replacement has not deleted yet. */
  readonly managed: readonly InventoryObject[];
  /** The objects that do not wait for their deletion. */
  readonly inventory: Inventory;
  /** The URNs of all resources, of any package. */
  readonly urns: ReadonlySet<string>;
  readonly pending: readonly PendingCreate[];
  /** The inputs of the providers by URN, of the default one too. */
  readonly providers: ReadonlyMap<string, Json>;
  /** All states of the export, including those that are left out. */
  readonly states: readonly ExportedState[];
}

/** The values of a state whose secrets a command needs in plaintext; `operation` is a begun one, such as `creating`. */
export type NeededSecrets = (resource: Json, operation: string | undefined) => unknown;

/** Reads a stack by `pulumi stack export`. Only the secrets that the caller needs are decrypted. */
export async function readStack(
  { stack, cwd, note }: StackLocation,
  needs: NeededSecrets = () => undefined,
): Promise<StackContents> {
  const { stdout } = await pulumi(["stack", "export", "--stack", stack], { cwd });
  const exported = printedJson(stdout, `the stack ${stack}`);
  const all = statesIn(exported);
  const { project = "" } = stackIn(asText(all[0]?.[0].urn) ?? "") ?? {};
  const needed = all.map(([resource, operation]) => needs(resource, operation));
  return contentsOf(await withDecrypted(exported, needed, { stack, project, cwd }), stack, note);
}

/** The states in an export, and those of operations that a deployment has begun. */
function statesIn(exported: unknown): (readonly [resource: Json, operation: string | undefined])[] {
  const { resources, pending_operations } = membersOf(membersOf(exported).deployment);
  return [
    ...recordsIn(resources).map((resource) => [resource, undefined] as const),
    ...recordsIn(pending_operations).map(
      ({ type, resource }) => [membersOf(resource), String(type)] as const,
    ),
  ];
}

/** The contents of a stack by its export, without the resources whose ids cannot be used. `note` gets a line for each of them. */
export function contentsOf(
  exported: unknown,
  stackName: string,
  note: (line: string) => void = () => undefined,
): StackContents {
  const states = statesIn(exported).map((each) => exportedState(...each));
  const all = states.filter(({ operation }) => operation === undefined);
  const begun = states.filter(({ operation }) => operation !== undefined);
  const leaveOut = (problem: string): void => note(`The stack's resource is left out: ${problem}`);
  for (const { problem } of all) if (problem !== undefined) leaveOut(problem);
  const usable = all.filter(({ problem }) => problem === undefined);
  const mismatches = usable.flatMap(({ urn, state }) => mismatchIn(urn, state) ?? []);
  for (const { name, problem } of mismatches) leaveOut(`${quote(name)} is not what it seems: ${problem}`);
  const given = usable.flatMap(({ urn, state, inputs }) =>
    state.identity.kind === "provider" ? [[urn, inputs()] as const] : [],
  );
  const providers = new Map(given.map(([at, inputs]) => [at, settingsIn(inputs)]));
  const urls = given.map(([at, inputs]) => [explicitProvider(at), urlIn(providerSettings(inputs))] as const);
  const { stack = stackName, project = "" } = stackIn([...usable, ...begun][0]?.urn ?? "") ?? {};
  return {
    ...{ project, stack, providers },
    managed: usable.flatMap(({ managed }) => managed ?? []),
    inventory: new Inventory<InventoryObject>(
      usable.flatMap(({ managed, isWaiting }) => (managed && !isWaiting ? [managed] : [])),
      undefined,
      mismatches,
      new ProviderAccounts(new Map(urls)),
    ),
    urns: new Set(usable.map(({ urn }) => urn)),
    pending: begun.flatMap((each) => (each.operation === "creating" ? (pendingCreate(each) ?? []) : [])),
    states,
  };
}

/**
 * A state in an export: of a resource, or of an operation such as `creating` on one that a deployment has begun. `problem` is why its
 * id cannot be used.
 */
function exportedState(resource: Json, operation: string | undefined) {
  const [urn, state] = [asText(resource.urn) ?? "", engineState(resource)];
  const problem = problemWith(urn, state);
  const isNone = operation !== undefined || state.external || state.pendingReplacement;
  return {
    ...{ urn, state, operation, problem },
    /** The object that the stack manages by it; undefined if there is none, or if the program only reads it. */
    managed: isNone || problem !== undefined ? undefined : ownObject(urn, state),
    /** Whether the object waits for its deletion. */
    isWaiting: resource.delete === true,
    /** With secrets in plaintext if they were decrypted, as in the outputs; `state` has them masked. */
    inputs: () => membersOf(plaintextOf(resource.inputs ?? {})),
    outputs: () => membersOf(plaintextOf(resource.outputs ?? {})),
  };
}

function ownObject(urn: string, state: EngineState): EngineObject | undefined {
  if (state.identity.kind !== "own") return undefined;
  const { declaration } = state.identity;
  return objectOf({ urn, declaration, name: nameIn(urn, state.type) }, state);
}

function problemWith(urn: string, { id, identity, type }: EngineState): string | undefined {
  if (identity.kind !== "own" || id === undefined) return undefined;
  const problem = idProblem(identity.declaration, id);
  return problem && `${identity.declaration.type} ${quote(nameIn(urn, type))}: ${problem}`;
}

/** The create that the engine has begun; undefined for a resource of another package. */
function pendingCreate({ urn, state, inputs }: ExportedState): PendingCreate | undefined {
  const mismatch = mismatchIn(urn, state);
  if (mismatch) throw maybeCreated(mismatch);
  const object = ownObject(urn, state);
  const args = argumentsFrom(withoutHidden(inputs()));
  return object && { ...object, id: undefined, args, values: args };
}

/** The error for an open create of a resource that only looks like one of this package. */
export function maybeCreated({ name, problem }: Mismatch): GatewayError {
  return new GatewayError(`${quote(name)} is not what it seems: ${problem}`);
}
