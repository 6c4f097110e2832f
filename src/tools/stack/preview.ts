/**
 * The text of a preview: the change of each resource, as `pulumi preview --json` and the stream of its events print its steps.
 */
import { jsonIn } from "../../schema/json";
import type { Json } from "../../schema/json";
import { oncePer } from "../../schema/once-per";
import { isRecord, membersOf, textsIn } from "../../schema/unknown";
import { maskedText } from "./mask";
import { engineState, stateOfImport, shownName } from "./state";
import type { EngineState } from "./state";
import { stackIn } from "../../provider/urn";
import type { StackName } from "../../provider/urn";

export type Action = "create" | "update" | "replace" | "delete" | "same";

export const pastTense: Readonly<Record<Action, string>> = {
  ...{ create: "created", update: "updated", replace: "replaced", delete: "deleted", same: "unchanged" },
};

/** A resource and its change. `T` is the type of the known values before and after. */
export interface Change<T> {
  readonly urn: string;
  readonly name: string;
  readonly action: Action;
  /** Undefined if it does not exist now. */
  readonly before: T | undefined;
  /** The state that the program declares; undefined if it is deleted. */
  readonly after: T | undefined;
  /** The state before the refresh, if the preview began with a refresh. */
  readonly recorded: T | undefined;
  /** The arguments that the engine names as reasons for a replacement. */
  readonly replaceReasons: readonly string[];
  /** The arguments that change according to the engine, including secret ones. */
  readonly changed: readonly string[];
  /** The paths in them that change according to the engine, such as `target.stream.auth`; empty if it names only arguments. */
  readonly changedPaths: readonly string[];
  /** Whether the engine deletes the old object before it creates the new one. */
  readonly deletedFirst: boolean;
}

/** The change of a resource of any package. */
export interface EngineChange extends Change<EngineState> {
  readonly type: string;
  /** Whether the engine counts it as unchanged. It does not count what the program imports or only reads. */
  readonly isCounted: boolean;
  /** Whether the engine removes it from the stack without a request. */
  readonly isDropped: boolean;
}

/** The content of a preview's text. */
export interface EnginePreview {
  /** The stack and its project, as the URNs name them; undefined for a preview without a resource. */
  readonly stackName: StackName | undefined;
  /** The resources of all packages that it lists. */
  readonly changes: readonly EngineChange[];
  /** The number of unchanged resources; the engine lists them only with --show-sames. */
  readonly same: number;
  /** The configuration of the stack. */
  readonly config: Json;
  readonly errors: readonly string[];
  /** Its steps one by one. */
  readonly plan: () => StepPlan;
}

/** Undefined if the text holds no preview. It may be the output of a failed command. */
export function enginePreview(text: string): EnginePreview | undefined {
  const reader = new PreviewReader();
  for (const object of objectsIn(text)) reader.add(membersOf(object));
  return reader.end();
}

/** One step of the engine, of a resource of any package. */
export interface PlannedStep {
  readonly urn: string;
  /** The engine's name for the step: `create`, `delete-replaced`, `refresh` … */
  readonly op: string;
  readonly before: EngineState | undefined;
  readonly after: EngineState | undefined;
  /** The arguments that change according to the engine, including secret ones. */
  readonly changed: readonly string[];
}

/** The steps of a preview, in the order in which the engine prints them. */
export interface StepPlan {
  readonly steps: readonly PlannedStep[];
  readonly config: Json;
  readonly errors: readonly string[];
}

const readState = oncePer(engineState);

/** A state of a step. Steps and changes share states. */
function stateOf(state: unknown): EngineState | undefined {
  return isRecord(state) ? readState(state) : undefined;
}

function plannedStep({ urn, op, oldState, newState, diffReasons }: Json): PlannedStep {
  return {
    ...{ urn: String(urn), op: String(op), before: stateOf(oldState), after: stateOf(newState) },
    changed: textsIn(diffReasons),
  };
}

/**
 * The JSON objects of a text: the preview, or the events of a stream, one in each line. Where other lines stand around
 * it, a preview begins with the line `{` and ends with the next line that begins with `}`, as the CLI indents it.
 */
function* objectsIn(text: string): Generator<unknown> {
  const whole = jsonIn(text);
  if (whole !== undefined) {
    yield whole;
    return;
  }
  for (let start = 0, end; start < text.length; start = end + 1) {
    end = indexOrEnd(text, "\n", start);
    const line = text.slice(start, end).trim();
    if (line === "{") end = indexOrEnd(text, "\n", indexOrEnd(text, "\n}", end) + 1);
    if (line.startsWith("{")) yield jsonIn(text.slice(start, end));
  }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}

/** Collects the steps, the errors and the configuration from the JSON objects that the CLI prints. */
class PreviewReader {
  /** In the form of `pulumi preview --json`. */
  private readonly steps: Json[] = [];
  private readonly errors: string[] = [];
  private summary: Json = {};
  private config: Json = {};
  private isPreview = false;
  /** Whether a stream of events has not shown its summary, the event after the last step. */
  private lacksSummary = false;

  /** The preview; undefined if the text holds none. */
  end(): EnginePreview | undefined {
    if (!this.isPreview) return undefined;
    const { summary, config } = this;
    const steps = withNewUrns(this.steps.map(withImportedState));
    // The provider repeats an account's problem for each of its resources.
    const found = [...new Set(this.errors)];
    // After an error, the engine may print no summary.
    const errors = this.lacksSummary && found.length === 0 ? [cutStream] : found;
    const byUrn = Map.groupBy(steps, ({ urn }) => String(urn));
    const stackName = [...byUrn.keys()].flatMap((urn) => stackIn(urn) ?? []).at(0);
    const same = typeof summary.same === "number" ? summary.same : 0;
    const plan = (): StepPlan => ({ steps: steps.map(plannedStep), config, errors });
    return { stackName, changes: changesIn(byUrn, errors), same, config, errors, plan };
  }

  add(object: Json): void {
    if (Array.isArray(object.steps) || isRecord(object.changeSummary)) {
      this.isPreview = true;
      if (Array.isArray(object.steps)) for (const step of object.steps) this.steps.push(membersOf(step));
      this.summary = membersOf(object.changeSummary);
      this.config = membersOf(object.config);
      if (Array.isArray(object.diagnostics)) object.diagnostics.forEach((each) => this.addDiagnostic(each));
    } else if ("sequence" in object) this.addEvent(object);
  }

  /** With PULUMI_ENABLE_STREAMING_JSON_PREVIEW the engine prints one event per line. */
  private addEvent({ preludeEvent, resourcePreEvent, summaryEvent, diagnosticEvent }: Json): void {
    if (!this.isPreview) this.lacksSummary = true;
    this.isPreview = true;
    if (isRecord(preludeEvent)) this.config = membersOf(preludeEvent.config);
    const { metadata } = membersOf(resourcePreEvent);
    if (isRecord(metadata)) {
      const { op, urn, old, new: next, keys, diffs, detailedDiff } = metadata;
      const reasons = { replaceReasons: keys, diffReasons: diffs, detailedDiff };
      this.steps.push({ op, urn, oldState: old, newState: next, ...reasons });
    }
    if (isRecord(summaryEvent)) {
      this.lacksSummary = false;
      this.summary = membersOf(summaryEvent.resourceChanges);
    }
    this.addDiagnostic(diagnosticEvent);
  }

  private addDiagnostic(diagnostic: unknown): void {
    for (const error of errorIn(diagnostic)) this.errors.push(error);
  }
}

const cutStream =
  "the stream of events ends before its summary, so steps may be missing: run the preview again, and keep all of its output";

function errorIn(diagnostic: unknown): string[] {
  const { severity, message } = membersOf(diagnostic);
  return severity === "error" && typeof message === "string" ? [maskedText(message.trim())] : [];
}

/** Whether the engine removes a resource from the stack without a request: what was only read, or is deleted already. */
export function isDrop(op: unknown): boolean {
  return op === "discard" || op === "discard-replaced" || op === "remove-pending-replace";
}

export function isImport(op: unknown): boolean {
  return op === "import" || op === "import-replacement";
}

function withImportedState(step: Json): Json {
  const { op, newState } = step;
  return isImport(op) && isRecord(newState) ? { ...step, newState: stateOfImport(newState) } : step;
}

type StepsByUrn = ReadonlyMap<string, readonly Json[]>;

function changesIn(steps: StepsByUrn, errors: readonly string[]): EngineChange[] {
  const all = [...steps];
  // Whether the engine has planned a step for every resource that exists.
  const isPlanned = errors.length === 0 && all.some(([, own]) => own.some(({ op }) => op !== "refresh"));
  return all.map(([urn, own]) => changeOf(urn, own, isPlanned));
}

/**
 * The steps under the URNs that their resource and its provider have in the program. The engine refreshes and deletes the object of a
 * resource that is renamed by `aliases` under its old URN.
 */
function withNewUrns(steps: readonly Json[]): readonly Json[] {
  const underOldUrn = ({ op }: Json): boolean => op === "refresh" || op === "delete-replaced";
  const keyOf = (urn: unknown, id: unknown): string => [urn, ...(id === undefined ? [] : [id])].join(" ");
  const renamed = new Map<string, string>();
  for (const step of steps) {
    const { urn: old, id = membersOf(step.newState).id } = membersOf(step.oldState);
    const isRenamed = typeof old === "string" && old !== step.urn && !underOldUrn(step);
    if (isRenamed) renamed.set(keyOf(old, id), String(step.urn));
  }
  if (renamed.size === 0) return steps;
  const newUrnOf = (urn: unknown, id: unknown): string | undefined =>
    renamed.get(keyOf(urn, id)) ?? renamed.get(keyOf(urn, undefined));
  // The settings of a provider are found under the URN of its step.
  const underProvider = (state: unknown): unknown => {
    const { provider } = membersOf(state);
    if (typeof provider !== "string") return state;
    const end = provider.lastIndexOf("::");
    const urn = newUrnOf(provider.slice(0, end), provider.slice(end + 2));
    return urn === undefined ? state : { ...membersOf(state), provider: urn + provider.slice(end) };
  };
  return steps.map((step) => {
    const oldState = underProvider(step.oldState);
    const urn = underOldUrn(step) ? newUrnOf(step.urn, membersOf(oldState).id) : undefined;
    return { ...step, oldState, ...(urn !== undefined && { urn }) };
  });
}

/** A resource that was only refreshed exists in neither the account nor the program, provided that all others are planned. */
function changeOf(urn: string, all: readonly Json[], isPlanned: boolean): EngineChange {
  const action = actionOf(all);
  const planned = all.filter(({ op }) => op !== "refresh");
  const isGone = isPlanned && planned.length === 0;
  const olds = (isGone ? [] : planned.length > 0 ? planned : all).filter(({ oldState }) =>
    isRecord(oldState),
  );
  // The remains of an interrupted replacement are ignored if the resource itself exists.
  const old = (olds.find(({ op }) => op !== "delete-replaced") ?? olds[0])?.oldState;
  // After an import, the next step shows what the object is.
  const next = planned.findLast(({ op, newState }) => !String(op).startsWith("delete") && isRecord(newState));
  const before = action === "create" ? undefined : stateOf(old);
  const after = action === "delete" ? undefined : (stateOf(next?.newState) ?? before);
  const type = (after ?? before)?.type ?? "";
  const distinct = (lists: readonly unknown[]): string[] => [...new Set(lists.flatMap(textsIn))].sort();
  return {
    ...{ urn, type, name: shownName(urn, type), action, before, after },
    recorded: stateOf(all.find(({ op }) => op === "refresh")?.oldState),
    replaceReasons: distinct(all.map((each) => each.replaceReasons)),
    changed: distinct(planned.map(({ diffReasons }) => diffReasons)),
    changedPaths: distinct(planned.map(({ detailedDiff }) => Object.keys(membersOf(detailedDiff)))),
    deletedFirst:
      action === "replace" && olds.some(({ oldState }) => membersOf(oldState).pendingReplacement === true),
    isCounted: all.some(({ op }) => op === "same"),
    isDropped: all.some(({ op }) => isDrop(op)),
  };
}

function actionOf(steps: readonly Json[]): Action {
  const ops = new Set(steps.map(({ op }) => op));
  if (["replace", "create-replacement", "import-replacement"].some((op) => ops.has(op))) return "replace";
  // An interrupted replacement has left an old object, and the program no longer has the resource.
  if (steps.every(({ op }) => op === "delete-replaced")) return "delete";
  return (["create", "update", "delete"] as const).find((op) => ops.has(op)) ?? "same";
}
