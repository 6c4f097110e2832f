/** A preview of the engine: its steps, and the change of each resource that they make. */
import type { Json } from "../../schema/json";
import { isRecord, membersOf, textsIn } from "../../schema/unknown";
import { stackIn } from "../../provider/urn";
import { printedPreview } from "./preview-text";
import { engineState, shownName } from "./state";
import type { EngineState } from "./state";

/** The preview in a text; undefined if there is none. The text may be the output of a failed command. */
export function enginePreview(text: string) {
  const read = printedPreview(text);
  if (!read) return undefined;
  const { summary, config, errors } = read;
  const steps = read.steps.map(plannedStep);
  return {
    /** The stack and its project, as the URNs name them; undefined for a preview without a resource. */
    stackName: steps.flatMap(({ urn }) => stackIn(urn) ?? []).at(0),
    /** The resources of all packages that it lists. */
    changes: changesIn(steps, errors),
    /** The number of unchanged resources; the engine lists them only with --show-sames. */
    same: typeof summary.same === "number" ? summary.same : 0,
    plan: { steps, config, errors },
  };
}

/** The steps of a preview, in the order in which the engine prints them. */
export interface StepPlan {
  readonly steps: readonly PlannedStep[];
  /** The configuration of the stack. */
  readonly config: Json;
  readonly errors: readonly string[];
}

/** One step of the engine, of a resource of any package. */
export type PlannedStep = ReturnType<typeof plannedStep>;

function plannedStep({ urn, op, oldState, newState, ...reasons }: Json) {
  return {
    urn: String(urn),
    /** The engine's name for the step: `create`, `delete-replaced`, `refresh` … */
    op: String(op),
    before: stateOf(oldState),
    after: stateOf(newState),
    /** The arguments that change according to the engine, including secret ones. */
    changed: textsIn(reasons.diffReasons),
    /** The paths in them, such as `target.stream.auth`; empty if it names only arguments. */
    changedPaths: Object.keys(membersOf(reasons.detailedDiff)),
    /** The arguments that the engine names as reasons for a replacement. */
    replaceReasons: textsIn(reasons.replaceReasons),
  };
}

function stateOf(state: unknown): EngineState | undefined {
  return isRecord(state) ? engineState(state) : undefined;
}

export type Action = "create" | "update" | "replace" | "delete" | "same";

export const pastTense: Readonly<Record<Action, string>> = {
  ...{ create: "created", update: "updated", replace: "replaced", delete: "deleted", same: "unchanged" },
};

/** A resource of any package and its change. `T` is what is known of it before and after. */
export interface Change<T = EngineState> extends Readonly<
  Pick<PlannedStep, "urn" | "changed" | "changedPaths" | "replaceReasons">
> {
  /** The token of its type. */
  readonly type: string;
  readonly name: string;
  readonly action: Action;
  /** Undefined if it does not exist now. */
  readonly before: T | undefined;
  /** The state that the program declares; undefined if it is deleted. */
  readonly after: T | undefined;
  /** The state before the refresh, if the preview began with a refresh. */
  readonly recorded: T | undefined;
  /** Whether the engine deletes the old object before it creates the new one. */
  readonly deletedFirst: boolean;
  /** Whether the engine counts it as unchanged. It does not count what the program imports or only reads. */
  readonly isCounted: boolean;
  /** Whether the engine removes it from the stack without a request. */
  readonly isDropped: boolean;
}

function changesIn(steps: readonly PlannedStep[], errors: readonly string[]): Change[] {
  // Whether the engine has planned a step for every resource that exists.
  const isPlanned = errors.length === 0 && steps.some(({ op }) => op !== "refresh");
  return [...Map.groupBy(steps, ({ urn }) => urn)].map(([urn, own]) => changeOf(urn, own, isPlanned));
}

/** A resource that was only refreshed exists in neither the account nor the program, provided that all others are planned. */
function changeOf(urn: string, all: readonly PlannedStep[], isPlanned: boolean): Change {
  const action = actionOf(all);
  const planned = all.filter(({ op }) => op !== "refresh");
  const isGone = isPlanned && planned.length === 0;
  const olds = (isGone ? [] : planned.length > 0 ? planned : all).filter((step) => step.before);
  // The remains of an interrupted replacement are ignored if the resource itself exists.
  const old = olds.find(({ op }) => op !== "delete-replaced") ?? olds[0];
  // After an import, the next step shows what the object is.
  const next = planned.findLast((step) => !step.op.startsWith("delete") && step.after);
  const before = action === "create" ? undefined : old?.before;
  const after = action === "delete" ? undefined : (next?.after ?? before);
  const type = (after ?? before)?.type ?? "";
  return {
    ...{ urn, type, name: shownName(urn, type), action, before, after },
    recorded: all.find(({ op }) => op === "refresh")?.before,
    replaceReasons: distinct(all.flatMap((step) => step.replaceReasons)),
    changed: distinct(planned.flatMap((step) => step.changed)),
    changedPaths: distinct(planned.flatMap((step) => step.changedPaths)),
    deletedFirst: action === "replace" && olds.some((step) => step.before!.pendingReplacement),
    isCounted: all.some(({ op }) => op === "same"),
    isDropped: all.some(isDrop),
  };
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}

function actionOf(steps: readonly PlannedStep[]): Action {
  const ops = new Set(steps.map(({ op }) => op));
  if (["replace", "create-replacement", "import-replacement"].some((op) => ops.has(op))) return "replace";
  // An interrupted replacement has left an old object, and the program no longer has the resource.
  if (steps.every(({ op }) => op === "delete-replaced")) return "delete";
  return (["create", "update", "delete"] as const).find((op) => ops.has(op)) ?? "same";
}

/** Whether the engine removes a resource from the stack without a request: what was only read, or is deleted already. */
export function isDrop({ op }: Pick<PlannedStep, "op">): boolean {
  return op === "discard" || op === "discard-replaced" || op === "remove-pending-replace";
}
