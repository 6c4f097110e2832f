/** Reads the output of `pulumi preview --json`: what happens to each resource of this package. */
import { GatewayError } from "../provider/errors";
import type { Declaration } from "../schema/declaration";
import { jsonIn } from "../schema/json";
import { isRecord, membersOf } from "../schema/unknown";
import { shortened } from "../text/phrase";
import { idProblem } from "../provider/path";
import { quote } from "../schema/formats/quote";
import { maskedText } from "./mask";
import type { Json } from "../schema/json";
import { engineState, texts, urlIn } from "./state";
import type { EngineState, Place, Registered, State } from "./state";
import { nameIn, stackIn } from "./urn";

export type Action = "create" | "update" | "replace" | "delete" | "same";

export const past: Readonly<Record<Action, string>> = {
  ...{ create: "created", update: "updated", replace: "replaced", delete: "deleted", same: "unchanged" },
};

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
  /** The arguments that the engine says change, secret ones too. */
  readonly changed: readonly string[];
  /** Whether the engine deletes the old object before it creates the new one. */
  readonly deletedFirst: boolean;
  readonly place: Place | undefined;
}

/** What happens to a resource of any package. */
export interface Step {
  readonly urn: string;
  readonly action: Action;
  readonly before: Registered | undefined;
  readonly after: Registered | undefined;
}

/**
 * A resource whose type or code is of this package and does not fit the other, or that a partial preview leaves out: what
 * it leads to is not known.
 */
export interface Mismatch {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  /** False for a component, which no code works on. */
  readonly custom: boolean;
  /** What does not fit: a sentence without a full stop. */
  readonly problem: string;
}

/** A resource of another dynamic provider, whose code runs in the deployment. */
interface CodeChange {
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  readonly action: Action;
}

/** An explicit provider, and its base URL; undefined where the environment gives it. */
interface ProviderChange {
  readonly urn: string;
  readonly name: string;
  readonly action: Action;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface Preview {
  /** The stack and its project, as the URNs name them; undefined for a preview without a resource. */
  readonly place: { readonly stack: string; readonly project: string } | undefined;
  readonly subjects: readonly Subject[];
  /** The steps of all packages that the preview lists, unchanged resources and providers included. */
  readonly steps: readonly Step[];
  /** What only looks like a resource of this package, before and after the deployment. */
  readonly mismatches: { readonly before: Mismatch[]; readonly after: Mismatch[] };
  /** The dynamic resources of others that change. */
  readonly code: readonly CodeChange[];
  /** The explicit providers of dynamic resources, of this package and others. A preview does not show the default one. */
  readonly providers: readonly ProviderChange[];
  /** The base URL in the stack's configuration; undefined where the environment gives it, the mask for a secret. */
  readonly stackUrl: string | undefined;
  /** The number of unchanged resources, of any package, that the preview leaves out. */
  readonly unseen: number;
  /** The number of resources of other packages that change. */
  readonly others: number;
  /** The errors that the engine reports; with one the preview is not complete. */
  readonly errors: readonly string[];
}

/** What the review needs of one step; a preview has thousands, so nothing else is kept. */
interface EngineStep {
  readonly op: string;
  readonly urn: string;
  readonly old: EngineState | undefined;
  readonly next: EngineState | undefined;
  readonly replaceReasons: readonly string[];
  readonly changed: readonly string[];
}

/** Reads the output of `pulumi preview --json`. Throws a GatewayError if the text is something else. */
export function readPreview(text: string): Preview {
  const preview = previewIn(text);
  if (!preview) throw new GatewayError("the input is not the output of `pulumi preview --json`");
  return preview;
}

/** The preview in the output of a command; undefined if there is none. */
export function previewIn(text: string): Preview | undefined {
  const reader = new PreviewReader();
  for (const object of objectsIn(text)) reader.object(object);
  return reader.end();
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

/** Collects what a preview shows of each resource. */
class PreviewReader {
  private readonly groups = new Map<string, EngineStep[]>();
  private readonly errors: string[] = [];
  private place: Preview["place"];
  private summary: Json = {};
  private config: Json = {};
  private isPreview = false;
  /** Whether a stream of events has not shown its summary, the event after the last step. */
  private lacksSummary = false;

  /** The preview; undefined if what was read is none. */
  end(): Preview | undefined {
    if (!this.isPreview) return undefined;
    // With an error the engine may print no summary.
    if (this.lacksSummary && this.errors.length === 0) this.errors.push(cutStream);
    this.joinRenamed();
    const subjects: Subject[] = [];
    const steps: Step[] = [];
    const mismatches: Preview["mismatches"] = { before: [], after: [] };
    const code: CodeChange[] = [];
    const providers: ProviderChange[] = [];
    let others = 0;
    let seen = 0;
    const isPlanned =
      this.errors.length === 0 &&
      [...this.groups.values()].some((group) => group.some(({ op }) => op !== "refresh"));
    for (const [urn, group] of this.groups) {
      const change = changeOf(urn, group, isPlanned);
      const { type, name, action, before, after } = change;
      if (isSkipped(change)) {
        seen += 1;
        mismatches.after.push(...notCreated(change));
        continue;
      }
      const subject = subjectOf(change);
      // A review without the resource would pass what nobody has read, so the preview counts as failed.
      const problem = subject && problemWith(subject);
      if (problem !== undefined) {
        this.errors.push(problem);
        continue;
      }
      steps.push({ urn, action, before: before?.registered, after: after?.registered });
      // The engine counts apart what a program only reads.
      if (action === "same" && !group.every(({ op }) => op.startsWith("read"))) seen += 1;
      if (subject) subjects.push(subject);
      const { before: old, after: next } = mismatchesOf(change);
      if (old) mismatches.before.push(old);
      if (next) mismatches.after.push(next);
      const { kind } = (after ?? before)?.identity ?? { kind: "other" };
      if (kind === "provider")
        providers.push({ urn, name, action, before: urlOf(before), after: urlOf(after) });
      if (action === "same") continue;
      if (kind === "code") code.push({ urn, name, type, action });
      if (kind === "code" || kind === "other") others += 1;
    }
    // Without --show-sames the engine only counts unchanged resources.
    const same = typeof this.summary.same === "number" ? this.summary.same : 0;
    const stackUrl = urlIn(this.config);
    const unseen = Math.max(0, same - seen);
    return {
      ...{ place: this.place, subjects, steps, mismatches, code, providers, stackUrl, others },
      ...{ errors: this.errors, unseen },
    };
  }

  /** A resource that is renamed by `aliases` is refreshed under its old URN, and planned under its new one. */
  private joinRenamed(): void {
    for (const [urn, group] of this.groups) {
      for (const old of new Set(group.map((step) => step.old?.urn))) {
        const refreshed = old === undefined || old === urn ? undefined : this.groups.get(old);
        if (refreshed?.every(({ op }) => op === "refresh") !== true) continue;
        group.push(...refreshed);
        this.groups.delete(old!);
      }
    }
  }

  private step(value: unknown): void {
    const step = stepOf(value);
    this.place ??= stackIn(step.urn);
    const group = this.groups.get(step.urn);
    if (group) group.push(step);
    else this.groups.set(step.urn, [step]);
  }

  object(value: unknown): void {
    const object = membersOf(value);
    if (Array.isArray(object.steps) || isRecord(object.changeSummary)) {
      this.isPreview = true;
      if (Array.isArray(object.steps)) for (const step of object.steps) this.step(step);
      this.summary = membersOf(object.changeSummary);
      this.config = membersOf(object.config);
      this.errors.push(...errorsIn(object));
    } else if ("sequence" in object) this.event(object);
  }

  /** With PULUMI_ENABLE_STREAMING_JSON_PREVIEW the engine prints one event per line. */
  private event({ preludeEvent, resourcePreEvent, summaryEvent, diagnosticEvent }: Json): void {
    if (!this.isPreview) this.lacksSummary = true;
    this.isPreview = true;
    if (isRecord(preludeEvent)) this.config = membersOf(preludeEvent.config);
    const { metadata } = membersOf(resourcePreEvent);
    if (isRecord(metadata)) {
      const { op, urn, old, new: next, keys, diffs } = metadata;
      this.step({ op, urn, oldState: old, newState: next, replaceReasons: keys, diffReasons: diffs });
    }
    if (isRecord(summaryEvent)) {
      this.lacksSummary = false;
      this.summary = membersOf(summaryEvent.resourceChanges);
    }
    this.errors.push(...errorIn(diagnosticEvent));
  }
}

const cutStream =
  "the stream of events ends before its summary, so steps may be missing: run the preview again, and keep all of its output";

/** Why a resource of a preview cannot be reviewed: its id cannot be used. */
function problemWith({ declaration, name, before, after, recorded }: Subject): string | undefined {
  const ids = [before, after, recorded].flatMap((state) => state?.id ?? []);
  const [problem] = ids.flatMap((id) => idProblem(declaration, id) ?? []);
  return problem && `${declaration.type} ${quote(name)} is left out: ${problem}`;
}

function stepOf(step: unknown): EngineStep {
  const { op, urn, oldState, newState, replaceReasons, diffReasons } = membersOf(step);
  const [old, next] = [oldState, newState].map(engineState);
  const reasons = { replaceReasons: texts(replaceReasons), changed: texts(diffReasons) };
  return { op: String(op), urn: String(urn), old, next, ...reasons };
}

function urlOf(provider: State | undefined): string | undefined {
  return provider && urlIn(provider.inputs);
}

/** The errors among the diagnostics of a preview. */
export function errorsIn(preview: unknown): string[] {
  const { diagnostics } = membersOf(preview);
  return Array.isArray(diagnostics) ? diagnostics.flatMap(errorIn) : [];
}

function errorIn(diagnostic: unknown): string[] {
  const { severity, message } = membersOf(diagnostic);
  return severity === "error" && typeof message === "string" ? [maskedText(message.trim())] : [];
}

/** The most characters of a name: the URN has all of them. */
const mostCharacters = 100;

interface ResourceChange extends Omit<Subject, "declaration"> {
  readonly type: string;
  readonly before: EngineState | undefined;
  readonly after: EngineState | undefined;
  readonly recorded: EngineState | undefined;
}

/**
 * The change of what is a resource of this package before or after the deployment. What is one on one side only is deleted
 * or created, whatever the step is called: the other side is no object.
 */
function subjectOf(change: ResourceChange): Subject | undefined {
  const { before, after, recorded, action } = change;
  const [old, next] = [declarationOf(before), declarationOf(after)];
  const declaration = old ?? next ?? declarationOf(recorded);
  if (!declaration) return undefined;
  const own = <T extends EngineState>(state: T | undefined): T | undefined =>
    declarationOf(state) === declaration ? state : undefined;
  const isDeleted = own(after) === undefined && after !== undefined;
  const isCreated = own(before) === undefined && before !== undefined;
  return {
    ...{ ...change, declaration, before: own(before), after: own(after), recorded: own(recorded) },
    action: isDeleted ? "delete" : isCreated ? "create" : action,
  };
}

function declarationOf(state: EngineState | undefined): Declaration | undefined {
  return state?.identity.kind === "own" ? state.identity.declaration : undefined;
}

/** What does not fit before and after the deployment. A resource of one class never becomes one of another class. */
function mismatchesOf({ urn, before, after }: ResourceChange): { before?: Mismatch; after?: Mismatch } {
  const [old, next] = [declarationOf(before), declarationOf(after)];
  const found = mismatchIn(urn, after);
  if (found || !after || !old || !next || old === next)
    return { before: mismatchIn(urn, before), after: found };
  const problem = `its object is a ${old.type}, and its type that of ${next.type}`;
  return { after: { ...naming(urn, after), problem } };
}

/** Whether --target or --exclude keeps the engine from creating a resource: it shows it as one without a change. */
function isSkipped({ action, before }: ResourceChange): boolean {
  return action === "same" && before?.custom === true && before.id === undefined;
}

/** What the review says of such a resource of this package: it is no object, before and after the deployment. */
function notCreated({ urn, after }: ResourceChange): Mismatch[] {
  if (after?.identity.kind !== "own" && after?.identity.kind !== "mismatch") return [];
  const problem =
    "the preview does not create it, because it was made with --target or --exclude: it shows only a part of what the program leads to";
  return [{ ...naming(urn, after), problem }];
}

/** What does not fit in a state of a preview or of a stack. */
export function mismatchIn(urn: string, state: EngineState | undefined): Mismatch | undefined {
  if (state?.identity.kind !== "mismatch") return undefined;
  return { ...naming(urn, state), problem: state.identity.problem };
}

function naming(urn: string, { type, custom }: EngineState): Omit<Mismatch, "problem"> {
  return { urn, type, custom, name: shortened(nameIn(urn, type), mostCharacters) };
}

/**
 * `isPlanned` is whether the engine has planned a step for every resource that exists. Then a resource that was only
 * refreshed exists neither in the account nor in the program.
 */
function changeOf(urn: string, group: readonly EngineStep[], isPlanned: boolean): ResourceChange {
  const action = actionOf(group);
  const planned = group.filter(({ op }) => op !== "refresh");
  const recorded = group.find(({ op }) => op === "refresh")?.old;
  const isGone = isPlanned && planned.length === 0;
  const steps = isGone ? [] : planned.length > 0 ? planned : group;
  const olds = steps.flatMap((step) => step.old ?? []);
  // Beside a resource, what an interrupted replacement has left of it counts for nothing.
  const old = steps.find((step) => step.old && step.op !== "delete-replaced")?.old ?? olds[0];
  const next = planned.find((step) => !step.op.startsWith("delete") && step.next !== undefined)?.next;
  const before = action === "create" ? undefined : old;
  const after = action === "delete" ? undefined : (next ?? before);
  const place = next?.place ?? old?.place;
  const replaceReasons = [...new Set(group.flatMap((step) => step.replaceReasons))].sort();
  const changed = [...new Set(planned.flatMap((step) => step.changed))].sort();
  const deletedFirst = action === "replace" && olds.some((state) => state.pendingReplacement);
  const type = (after ?? before)?.type ?? "";
  const name = shortened(nameIn(urn, type), mostCharacters);
  return { urn, type, name, action, before, after, recorded, place, replaceReasons, changed, deletedFirst };
}

function actionOf(group: readonly EngineStep[]): Action {
  const ops = new Set(group.map(({ op }) => op));
  if (["replace", "create-replacement", "import-replacement"].some((op) => ops.has(op))) return "replace";
  // An interrupted replacement has left an old object, and the program no longer has the resource.
  if (group.every(({ op }) => op === "delete-replaced")) return "delete";
  return (["create", "update", "delete"] as const).find((op) => ops.has(op)) ?? "same";
}
