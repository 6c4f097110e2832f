/** Reads the output of `pulumi preview --json`: what happens to each resource of this package. */
import type { Declaration } from "../schema/declaration";
import { isRecord, membersOf } from "../schema/unknown";
import { declarations } from "../resources/registry";
import { tokenPrefix } from "../runtime/type-token";
import { masked } from "./mask";
import type { Json } from "../schema/json";

export type Action = "create" | "update" | "replace" | "delete" | "same";

/** A resource's state in the preview. Secrets are masked: none of their text is in here. */
export interface State {
  readonly id: string | undefined;
  readonly inputs: Json;
  readonly outputs: Json;
  /** The URNs that the resource depends on. */
  readonly dependencies: readonly string[];
  /** The URNs that each of its arguments comes from. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
}

/** One resource of this package, and what happens to it. */
export interface Subject {
  readonly urn: string;
  readonly name: string;
  readonly declaration: Declaration;
  readonly action: Action;
  /** Its state in the service now; undefined if it does not exist. */
  readonly before: State | undefined;
  /** The state that the program asks for; undefined if it is deleted. */
  readonly after: State | undefined;
  /** Its state in the stack before the refresh, if the preview began with a refresh. */
  readonly recorded: State | undefined;
  /** The arguments that the engine names as reasons for a replacement. */
  readonly replaceReasons: readonly string[];
  /** Whether the engine deletes the old object before it creates the new one. */
  readonly deletedFirst: boolean;
  /** The place in the program that declares it. */
  readonly place: { readonly file: string; readonly line: number } | undefined;
}

export interface Preview {
  readonly subjects: readonly Subject[];
  /** The number of unchanged resources, of any package, that the preview leaves out. */
  readonly unseen: number;
  /** The number of resources of other packages that change. */
  readonly others: number;
  /** The errors that the engine reports. */
  readonly errors: readonly string[];
}

/** The text is not a preview. */
class PreviewError extends Error {}

interface Step {
  readonly op: string;
  readonly urn: string;
  readonly oldState: unknown;
  readonly newState: unknown;
  readonly replaceReasons: readonly string[];
}

export function readPreview(text: string): Preview {
  const { steps, summary, errors } = stepsOf(text);
  const groups = new Map<string, Step[]>();
  for (const step of steps) groups.set(step.urn, [...(groups.get(step.urn) ?? []), step]);
  const subjects: Subject[] = [];
  let others = 0;
  for (const [urn, group] of groups) {
    const subject = subjectOf(urn, group);
    if (subject) subjects.push(subject);
    else if (!urn.includes("::pulumi:") && actionOf(group) !== "same") others += 1;
  }
  return { subjects, others, errors, unseen: unseen(summary, groups) };
}

/** Without --show-sames the engine only counts unchanged resources. */
function unseen(summary: Json, groups: ReadonlyMap<string, readonly Step[]>): number {
  const same = typeof summary.same === "number" ? summary.same : 0;
  const seen = [...groups.values()].filter((group) => actionOf(group) === "same").length;
  return Math.max(0, same - seen);
}

function stepsOf(text: string): { steps: Step[]; summary: Json; errors: string[] } {
  const document = parsed(text);
  if (document !== undefined && Array.isArray(document.steps)) {
    const diagnostics = Array.isArray(document.diagnostics) ? document.diagnostics : [];
    return {
      steps: document.steps.map(stepOf),
      summary: membersOf(document.changeSummary),
      errors: diagnostics.flatMap(errorIn),
    };
  }
  if (document !== undefined && isRecord(document.changeSummary)) {
    return { steps: [], summary: document.changeSummary, errors: [] };
  }
  return streamed(text);
}

function parsed(text: string): Record<string, unknown> | undefined {
  const start = text.search(/^\s*\{/m);
  if (start < 0) return undefined;
  try {
    const document: unknown = JSON.parse(text.slice(start));
    return isRecord(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** With PULUMI_ENABLE_STREAMING_JSON_PREVIEW the engine prints one event per line. */
function streamed(text: string): { steps: Step[]; summary: Json; errors: string[] } {
  const events = text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map(parsed)
    .filter((event) => event !== undefined);
  if (!events.some((event) => "sequence" in event)) {
    throw new PreviewError("the input is not the output of `pulumi preview --json`");
  }
  const steps = events.flatMap((event): Step[] => {
    const metadata = membersOf(event.resourcePreEvent).metadata;
    if (!isRecord(metadata)) return [];
    const { op, urn, old, new: next, keys } = metadata;
    return [stepOf({ op, urn, oldState: old, newState: next, replaceReasons: keys })];
  });
  const last = events.flatMap((event) => event.summaryEvent ?? []).at(-1);
  const errors = events.flatMap((event) => errorIn(event.diagnosticEvent));
  return { steps, summary: membersOf(membersOf(last).resourceChanges), errors };
}

function errorIn(diagnostic: unknown): string[] {
  const { severity, message } = membersOf(diagnostic);
  return severity === "error" && typeof message === "string" ? [message.trim()] : [];
}

function stepOf(step: unknown): Step {
  const { op, urn, oldState, newState, replaceReasons } = membersOf(step);
  return { op: String(op), urn: String(urn), oldState, newState, replaceReasons: texts(replaceReasons) };
}

const byType = new Map(declarations.map((declaration) => [declaration.type, declaration]));

function subjectOf(urn: string, group: readonly Step[]): Subject | undefined {
  const [, , types = "", ...name] = urn.split("::");
  const token = types.split("$").at(-1) ?? "";
  const declaration = token.startsWith(tokenPrefix) ? byType.get(token.slice(tokenPrefix.length)) : undefined;
  if (!declaration) return undefined;
  const action = actionOf(group);
  const read = (state: unknown): State | undefined => stateOf(declaration, state);
  const planned = group.filter(({ op }) => op !== "refresh");
  const refreshed = group.find(({ op }) => op === "refresh");
  const olds = [...planned, ...(planned.length === 0 ? [refreshed] : [])].map((step) => step?.oldState);
  const news = planned.filter(({ op }) => !op.startsWith("delete")).map(({ newState }) => newState);
  const old = olds.find(isRecord);
  const before = action === "create" ? undefined : read(old);
  const after = action === "delete" ? undefined : (read(news.find(isRecord)) ?? before);
  const place = placeOf(news.find(isRecord)) ?? placeOf(old);
  const replaceReasons = [...new Set(group.flatMap((step) => step.replaceReasons))].sort();
  const deletedFirst =
    action === "replace" && olds.some((state) => membersOf(state).pendingReplacement === true);
  const recorded = read(refreshed?.oldState);
  return {
    ...{ urn, name: name.join("::"), declaration, action, before, after, recorded, place },
    ...{ replaceReasons, deletedFirst },
  };
}

function actionOf(group: readonly Step[]): Action {
  const ops = new Set(group.map(({ op }) => op));
  if (["replace", "create-replacement", "import-replacement"].some((op) => ops.has(op))) return "replace";
  if (ops.has("create")) return "create";
  if (ops.has("update")) return "update";
  if (ops.has("delete")) return "delete";
  return "same";
}

function stateOf(declaration: Declaration, state: unknown): State | undefined {
  if (!isRecord(state)) return undefined;
  const hidden = texts(state.additionalSecretOutputs);
  const dependencies = Object.entries(membersOf(state.propertyDependencies));
  return {
    id: typeof state.id === "string" && state.id !== "" ? state.id : undefined,
    inputs: masked(declaration, membersOf(state.inputs), hidden),
    outputs: masked(declaration, membersOf(state.outputs), hidden),
    dependencies: texts(state.dependencies),
    propertyDependencies: Object.fromEntries(dependencies.map(([name, urns]) => [name, texts(urns)])),
  };
}

/** The innermost frame in the program itself; frames in node_modules belong to libraries. */
function placeOf(state: unknown): Subject["place"] {
  const { sourcePosition, stackTrace } = membersOf(state);
  const frames = Array.isArray(stackTrace) ? stackTrace.map((frame) => membersOf(frame).sourcePosition) : [];
  for (const position of [sourcePosition, ...frames]) {
    const match = typeof position === "string" ? /^project:\/\/\/([^#]+)#(\d+)/.exec(position) : null;
    if (match && !match[1]!.includes("node_modules/")) return { file: match[1]!, line: Number(match[2]) };
  }
  return undefined;
}

const none: readonly string[] = [];

/** The strings of a list. A list of strings is returned as it is: a preview may have tens of thousands of them. */
function texts(value: unknown): readonly string[] {
  const isText = (item: unknown): item is string => typeof item === "string";
  if (!Array.isArray(value)) return none;
  return value.every(isText) ? value : value.filter(isText);
}
