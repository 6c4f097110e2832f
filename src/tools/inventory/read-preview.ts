/**
 * The objects before and after a deployment, and what happens to each resource, from the preview. The review, the map and
 * other tools are functions of it.
 */
import { GatewayError } from "../../provider/errors";
import { idProblem, valuesIn } from "../../provider/http/path";
import type { Declaration } from "../../schema/declaration";
import { sortedBy } from "../../schema/text/compare-texts";
import { quote } from "../../schema/text/phrase";
import { enginePreview } from "../stack/preview";
import type { Change, StepPlan, Action } from "../stack/preview";
import { mismatch, mismatchIn, urlIn } from "../stack/state";
import type { EngineState, Mismatch } from "../stack/state";
import type { StackName } from "../../provider/urn";
import { Inventory, orderKeyOf } from "./inventory";
import type { InventoryObject } from "./inventory";
import { retainedObjects } from "./retained";
import type { Retained } from "./retained";
import { ProviderAccounts } from "./provider-accounts";
import { defaultOf } from "../../schema/field";
import type { Json } from "../../schema/json";
import { haveLocal, localPart, withLocal } from "../../schema/local";
import { managedArguments, recordedState } from "../../schema/recorded-state";
import { mapValues, unknown } from "../../schema/unknown";
import { hiddenAsUnknown } from "../stack/engine-secrets";

/** One resource of this package, and what happens to it. */
export interface ResourceChange extends Change<EngineObject> {
  readonly declaration: Declaration;
}

export interface Preview {
  readonly stackName: StackName | undefined;
  readonly before: Inventory;
  /** The inventory after the deployment. New objects have no id yet. */
  readonly after: Inventory;
  /** The objects that leave the stack and stay in the account. */
  readonly retained: readonly Retained[];
  /** The resources of this package, by their URNs, in the order of their classes and names. */
  readonly resources: ReadonlyMap<string, ResourceChange>;
  /** What happens to the resources of all packages that the preview lists, unchanged resources and providers included. */
  readonly changes: readonly Change[];
  /**
   * The explicit providers of dynamic resources, of this package and others, with their base URLs; undefined if the environment gives
   * it. A preview does not show the default one.
   */
  readonly providers: readonly Pick<Change<string>, "urn" | "name" | "action" | "before" | "after">[];
  /** The base URL in the stack's configuration; undefined if the environment gives it, the mask for a secret. */
  readonly stackUrl: string | undefined;
  /** The number of unchanged resources, of any package, that the preview leaves out. */
  readonly unseen: number;
  /** The number of resources of other packages that change. */
  readonly others: number;
  /** Why the preview is not complete: errors of the engine, and resources that cannot be reviewed. */
  readonly errors: readonly string[];
  /** The steps one by one, as a rehearsal runs them. */
  readonly plan: StepPlan;
}

/** Reads the output of `pulumi preview --json`. Throws a GatewayError if the text is something else. */
export function readPreview(text: string): Preview {
  const preview = previewIn(text);
  if (!preview) throw new GatewayError("the input is not the output of `pulumi preview --json`");
  return preview;
}

/** The preview in the output of a command; undefined if there is none. */
export function previewIn(text: string): Preview | undefined {
  const preview = enginePreview(text);
  return preview && withObjects(preview);
}

/** A preview that failed, without resources. */
export function failedPreview(error: string): Preview {
  const plan = { steps: [], config: {}, errors: [error] };
  return withObjects({ stackName: undefined, changes: [], same: 0, plan });
}

function withObjects({
  stackName,
  same,
  plan,
  ...engine
}: NonNullable<ReturnType<typeof enginePreview>>): Preview {
  // The engine's order varies from run to run, and a report must not.
  const sorted = sortedBy(engine.changes, orderKeyIn);
  const skipped = sorted.filter(isSkipped);
  const listed = sorted.filter((each) => !isSkipped(each));
  // A review without the resource would pass a change that it has not checked, so the preview counts as failed.
  const errors = [...plan.errors, ...listed.flatMap((each) => problemWith(each) ?? [])];
  const changes = listed.filter((each) => problemWith(each) === undefined);
  const resources = new Map(
    changes.flatMap((each) => resourceOf(each) ?? []).map((each) => [each.urn, each]),
  );
  const mismatches = changes.map(mismatchesOf);
  const providers = changes.flatMap(({ urn, name, action, before, after }) =>
    kindOf({ before, after }) === "provider"
      ? [{ urn, name, action, before: urlOf(before), after: urlOf(after) }]
      : [],
  );
  const isOther = (change: Change): boolean => ["code", "other"].includes(kindOf(change));
  const stackUrl = urlIn(plan.config);
  const accountsAt = (time: "before" | "after"): ProviderAccounts =>
    new ProviderAccounts(
      new Map([[undefined, stackUrl], ...providers.map((each) => [each.urn, each[time]] as const)]),
    );
  const before = new Inventory<InventoryObject>(
    [...resources.values()].flatMap((each) => each.before ?? []),
    undefined,
    mismatches.flatMap((each) => each.before ?? []),
    accountsAt("before"),
  );
  const retained = retainedObjects(before, changes);
  const planned = [...resources.values()].flatMap((each) => each.after ?? []);
  const urns = new Set(planned.map(({ urn }) => urn));
  const after = new Inventory<InventoryObject>(
    // If a new object has its URN, the old one is known by its id.
    [...planned, ...retained.map(({ old }) => (urns.has(old.urn!) ? { ...old, urn: undefined } : old))],
    // An object is gone if it is deleted, or replaced by one with another id.
    (id, provider) => before.byId(id, provider) !== undefined,
    [...skipped.flatMap(notCreated), ...mismatches.flatMap((each) => each.after ?? [])],
    accountsAt("after"),
    new Set(changes.flatMap((each) => (kindOf(each) === "component" ? each.urn : []))),
  );
  return {
    ...{ stackName, before, after, retained, resources, changes, providers, stackUrl, errors, plan },
    unseen: Math.max(0, same - skipped.length - changes.filter(({ isCounted }) => isCounted).length),
    others: changes.filter((each) => each.action !== "same" && isOther(each)).length,
  };
}

function kindOf({ before, after }: Pick<Change, "before" | "after">): EngineState["identity"]["kind"] {
  return (after ?? before)?.identity.kind ?? "other";
}

/**
 * The change of a resource that belongs to this package before or after the deployment. If it does so on one side only, it
 * is deleted or created, whatever the step is called, because the other side is not an object.
 */
function resourceOf(change: Change): ResourceChange | undefined {
  const declaration = declarationIn(change);
  if (!declaration) return undefined;
  const own = (state: EngineState | undefined): EngineState | undefined =>
    declarationOf(state) === declaration ? state : undefined;
  const [before, after, recorded] = [own(change.before), own(change.after), own(change.recorded)];
  const isDeleted = !after && change.after !== undefined;
  const isCreated = !before && change.before !== undefined;
  const action = isDeleted ? "delete" : isCreated ? "create" : change.action;
  const identity = { declaration, urn: change.urn, name: change.name };
  return {
    ...{ ...change, ...identity, action },
    before: before && asRecorded(objectOf(identity, before), before),
    after: after && objectAfter(identity, after, action, before),
    recorded: recorded && objectOf(identity, recorded),
  };
}

/** The key of the order. It is the same at both doors, whose type tokens differ. */
function orderKeyIn(change: Change): string {
  return orderKeyOf({ ...change, type: declarationIn(change)?.type ?? change.type });
}

function declarationIn({ before, after, recorded }: Change): Declaration | undefined {
  return declarationOf(before) ?? declarationOf(after) ?? declarationOf(recorded);
}

function declarationOf(state: EngineState | undefined): Declaration | undefined {
  return state?.identity.kind === "own" ? state.identity.declaration : undefined;
}

/** Why a resource of a preview cannot be reviewed: its id cannot be used. */
function problemWith(change: Change): string | undefined {
  const declaration = declarationIn(change);
  if (!declaration) return undefined;
  const states = [change.before, change.after, change.recorded];
  const ids = states.flatMap((state) => (declarationOf(state) === declaration ? (state!.id ?? []) : []));
  const [problem] = ids.flatMap((id) => idProblem(declaration, id) ?? []);
  return problem && `${declaration.type} ${quote(change.name)} is left out: ${problem}`;
}

/** The mismatches before and after the deployment. A resource of one class never becomes one of another class. */
function mismatchesOf({ urn, before, after }: Change): { before?: Mismatch; after?: Mismatch } {
  const [old, next] = [declarationOf(before), declarationOf(after)];
  const found = mismatchIn(urn, after);
  if (found || !after || !old || !next || old === next)
    return { before: mismatchIn(urn, before), after: found };
  return { after: mismatch(urn, after, `its object is a ${old.type}, and its type that of ${next.type}`) };
}

/** Whether --target or --exclude keeps the engine from creating a resource. The preview shows such a resource as unchanged. */
function isSkipped({ action, before }: Change): boolean {
  return action === "same" && before?.custom === true && before.id === undefined;
}

/** The mismatch of such a resource of this package: it has no object, before or after the deployment. */
function notCreated({ urn, after }: Change): Mismatch[] {
  if (after?.identity.kind !== "own" && after?.identity.kind !== "mismatch") return [];
  const problem =
    "the preview does not create it, because it was made with --target or --exclude: it shows only a part of what the program leads to";
  return [mismatch(urn, after, problem)];
}

function urlOf(provider: EngineState | undefined): string | undefined {
  return provider && urlIn(provider.inputs);
}

/** An object that a stack manages or reads. */
export interface EngineObject extends InventoryObject {
  readonly urn: string;
  readonly record: EngineState;
}

type ResourceIdentity = Pick<EngineObject, "urn" | "name" | "declaration">;

/** The object that a state of a stack describes. */
export function objectOf(identity: ResourceIdentity, state: EngineState): EngineObject {
  return objectWith(identity, state, state.id, recordedValues(identity.declaration, state));
}

/** The object that a deployment leads to. */
function objectAfter(
  identity: ResourceIdentity,
  after: EngineState,
  action: Action,
  before: EngineState | undefined,
): EngineObject {
  const id = action === "create" || action === "replace" ? undefined : (before?.id ?? after.id);
  const stays = action === "update" || action === "same" ? before : undefined;
  // The deployment does not change an object that the program only reads.
  const values =
    before && after.external && before.id === after.id
      ? recordedValues(identity.declaration, before)
      : plannedValues(identity.declaration, after.inputs, stays);
  return asRecorded(objectWith(identity, after, id, values), before);
}

/**
 * The program does not manage the gates of an object that it only reads, and a preview does not show them. So the values
 * that the stack has not recorded are unknown.
 */
function asRecorded(object: EngineObject, recorded: EngineState | undefined): EngineObject {
  const { declaration } = object;
  const { external, id } = object.record;
  if (!external || !declaration.gates) return object;
  const known: Json = {
    ...(recorded && recorded.id === id ? recorded.outputs : {}),
    ...valuesIn(declaration.path, id ?? ""),
  };
  const values = mapValues(declaration.fields, (_, name) => known[name] ?? unknown);
  return { ...object, values: hiddenAsUnknown(declaration, values) };
}

/** The object with these values. */
export function objectWith(
  { urn, name, declaration }: ResourceIdentity,
  state: EngineState,
  id: string | undefined,
  values: Json,
): EngineObject {
  const { provider, inputs: args } = state;
  return {
    ...{ declaration, id, urn, provider, name, args, record: state },
    values: hiddenAsUnknown(declaration, values),
  };
}

/** The outputs, with the arguments that the service does not return and the values that it never gets. */
function recordedValues({ fields }: Declaration, { inputs, outputs }: EngineState): Json {
  const isReturned = Object.keys(inputs).every((name) => name in outputs);
  const values = isReturned ? outputs : { ...inputs, ...outputs };
  return haveLocal(fields) ? withLocal(fields, values, localPart(fields, inputs)) : values;
}

/** The arguments, with the values that the service keeps for arguments that the program does not give. */
function plannedValues(declaration: Declaration, args: Json, stays: EngineState | undefined): Json {
  const managed = new Set(stays ? managedArguments(recordedState(stays.outputs)) : []);
  const values = Object.entries(declaration.fields).map(([name, field]): [string, unknown] => {
    const given = args[name];
    if (given !== undefined) return [name, given];
    // The value of an argument without a known default stays when the program no longer gives it.
    const isKept = !managed.has(name) || (!declaration.whole && field.traits.serverDefault?.known === false);
    return [name, stays && isKept ? stays.outputs[name] : defaultOf(field)];
  });
  return Object.fromEntries(values);
}
