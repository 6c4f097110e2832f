/** Reads the output of `pulumi preview --json`: what happens to each resource of this package. */
import { GatewayError } from "../provider/errors";
import type { Declaration } from "../schema/declaration";
import type { Fields } from "../schema/field";
import { isRecord, membersOf } from "../schema/unknown";
import { shortened } from "../text/phrase";
import { declarations } from "../resources/registry";
import { tokenPrefix } from "../runtime/shim";
import { idProblem } from "../provider/path";
import { quote } from "../schema/formats/quote";
import { configKey } from "../settings";
import { maskedText, secretMask } from "./mask";
import { masked } from "./secrets";
import { PreviewSplitter } from "./preview-splitter";
import { jsonIn } from "../schema/json";
import type { Json } from "../schema/json";

export type Action = "create" | "update" | "replace" | "delete" | "same";

export const past: Readonly<Record<Action, string>> = {
  ...{ create: "created", update: "updated", replace: "replaced", delete: "deleted", same: "unchanged" },
};

/** A resource's state in the preview. Secrets are masked: none of their text is in here. */
export interface State {
  readonly id: string | undefined;
  /** The URN of its explicit provider. */
  readonly provider: string | undefined;
  readonly inputs: Json;
  readonly outputs: Json;
  /** The URNs that the resource depends on. */
  readonly dependencies: readonly string[];
  /** The URNs that each of its arguments comes from. */
  readonly propertyDependencies: Readonly<Record<string, readonly string[]>>;
  /** The place in the program that declares the resource. */
  readonly place: Place | undefined;
}

/** A line of the program; the file is relative to the project. */
interface Place {
  readonly file: string;
  readonly line: number;
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
  readonly place: Place | undefined;
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
interface Step {
  readonly op: string;
  readonly urn: string;
  readonly old: StepState | undefined;
  readonly next: StepState | undefined;
  readonly replaceReasons: readonly string[];
}

interface StepState extends State {
  readonly pendingReplacement: boolean;
}

export function readPreview(text: string): Preview {
  const reader = new PreviewReader();
  reader.push(Buffer.from(text));
  return reader.end();
}

/** Reads a preview while it arrives, without keeping its text. */
export class PreviewReader {
  private readonly groups = new Map<string, Step[]>();
  private readonly errors: string[] = [];
  private place: Preview["place"];
  private summary: Json = {};
  private config: Json = {};
  private isPreview = false;
  private readonly splitter = new PreviewSplitter({
    step: (text) => this.step(jsonIn(text)),
    object: (text) => this.object(jsonIn(text)),
  });

  push(chunk: Buffer): void {
    this.splitter.push(chunk);
  }

  get hasPreview(): boolean {
    return this.isPreview;
  }

  /** Throws if what was read is no preview. */
  end(): Preview {
    if (!this.isPreview) throw new GatewayError("the input is not the output of `pulumi preview --json`");
    const subjects: Subject[] = [];
    const providers: ProviderChange[] = [];
    let others = 0;
    let seen = 0;
    const isPlanned =
      this.errors.length === 0 &&
      [...this.groups.values()].some((group) => group.some(({ op }) => op !== "refresh"));
    for (const [urn, group] of this.groups) {
      const declaration = declarationIn(urn);
      const change = changeOf(urn, group, isPlanned);
      // A review without the resource would pass what nobody has read, so the preview counts as failed.
      const problem = declaration && problemWith(declaration, change);
      if (problem !== undefined) this.errors.push(problem);
      if (problem !== undefined) continue;
      const { name, action, before, after } = change;
      if (action === "same") seen += 1;
      if (declaration) subjects.push({ ...change, declaration });
      else if (isProvider(urn))
        providers.push({ urn, name, action, before: urlOf(before), after: urlOf(after) });
      else if (action !== "same" && !urn.includes("::pulumi:")) others += 1;
    }
    // Without --show-sames the engine only counts unchanged resources.
    const same = typeof this.summary.same === "number" ? this.summary.same : 0;
    const stackUrl = urlIn(this.config);
    const unseen = Math.max(0, same - seen);
    return { place: this.place, subjects, providers, stackUrl, others, errors: this.errors, unseen };
  }

  private step(value: unknown): void {
    const step = stepOf(value);
    this.place ??= stackIn(step.urn);
    const group = this.groups.get(step.urn);
    if (group) group.push(step);
    else this.groups.set(step.urn, [step]);
  }

  private object(value: unknown): void {
    const object = membersOf(value);
    if (Array.isArray(object.steps) || isRecord(object.changeSummary)) {
      this.isPreview = true;
      this.summary = membersOf(object.changeSummary);
      this.config = membersOf(object.config);
      this.errors.push(...errorsIn(object));
    } else if ("sequence" in object) this.event(object);
  }

  /** With PULUMI_ENABLE_STREAMING_JSON_PREVIEW the engine prints one event per line. */
  private event({ preludeEvent, resourcePreEvent, summaryEvent, diagnosticEvent }: Json): void {
    this.isPreview = true;
    if (isRecord(preludeEvent)) this.config = membersOf(preludeEvent.config);
    const { metadata } = membersOf(resourcePreEvent);
    if (isRecord(metadata)) {
      const { op, urn, old, new: next, keys } = metadata;
      this.step({ op, urn, oldState: old, newState: next, replaceReasons: keys });
    }
    if (isRecord(summaryEvent)) this.summary = membersOf(summaryEvent.resourceChanges);
    this.errors.push(...errorIn(diagnosticEvent));
  }
}

/** Why a resource of a preview cannot be reviewed: its id cannot be used. */
function problemWith(
  declaration: Declaration,
  { name, before, after, recorded }: Omit<Subject, "declaration">,
): string | undefined {
  const ids = [before, after, recorded].flatMap((state) => state?.id ?? []);
  const [problem] = ids.flatMap((id) => idProblem(declaration, id) ?? []);
  return problem && `${declaration.type} ${quote(name)} is left out: ${problem}`;
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

const noFields: Fields = {};

function stepOf(step: unknown): Step {
  const { op, urn: name, oldState, newState, replaceReasons } = membersOf(step);
  const urn = String(name);
  const fields = isProvider(urn) ? noFields : declarationIn(urn)?.fields;
  const [old, next] = [oldState, newState].map((state) => fields && stateOf(fields, state));
  return { op: String(op), urn, old, next, replaceReasons: texts(replaceReasons) };
}

const byType = new Map(declarations.map((declaration) => [declaration.type, declaration]));

/** The declaration of a resource of this package; undefined for others, and for types that this version does not know. */
export function declarationIn(urn: string): Declaration | undefined {
  const [, , types = ""] = urn.split("::");
  const token = types.split("$").at(-1) ?? "";
  return token.startsWith(tokenPrefix) ? byType.get(token.slice(tokenPrefix.length)) : undefined;
}

function stackIn(urn: string): Preview["place"] {
  const [, stack, project] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(urn) ?? [];
  return stack === undefined || project === undefined ? undefined : { stack, project };
}

export function nameIn(urn: string): string {
  return urn.split("::").slice(3).join("::");
}

/** The URN of the provider that a state refers to; undefined for the default provider. */
export function explicitProvider(reference: unknown): string | undefined {
  const urn = typeof reference === "string" ? reference.replace(/::[^:]*$/, "") : "";
  return urn === "" || /::default(_[^:]*)?$/.test(urn) ? undefined : urn;
}

/** The most characters of a name: the URN has all of them. */
const mostCharacters = 100;

const providerToken = "pulumi:providers:pulumi-nodejs";

function isProvider(urn: string): boolean {
  return urn.split("::")[2]?.split("$").at(-1) === providerToken;
}

function urlOf(provider: State | undefined): string | undefined {
  return provider && urlIn(provider.inputs);
}

/** The base URL in the inputs of a provider or in a configuration; the mask for one that is a secret. */
export function urlIn(values: Json): string | undefined {
  const url = values[configKey("baseUrl")];
  if (typeof url === "string") return url;
  return url === undefined || url === null ? undefined : secretMask;
}

/**
 * `isPlanned` is whether the engine has planned a step for every resource that exists. Then a resource that was only
 * refreshed exists neither in the account nor in the program.
 */
function changeOf(urn: string, group: readonly Step[], isPlanned: boolean): Omit<Subject, "declaration"> {
  const name = shortened(nameIn(urn), mostCharacters);
  const action = actionOf(group);
  const planned = group.filter(({ op }) => op !== "refresh");
  const recorded = group.find(({ op }) => op === "refresh")?.old;
  const isGone = isPlanned && planned.length === 0;
  const olds = isGone ? [] : (planned.length > 0 ? planned : group).map((step) => step.old);
  const old = olds.find((state) => state !== undefined);
  const next = planned.find((step) => !step.op.startsWith("delete") && step.next !== undefined)?.next;
  const before = action === "create" ? undefined : old;
  const after = action === "delete" ? undefined : (next ?? before);
  const place = next?.place ?? old?.place;
  const replaceReasons = [...new Set(group.flatMap((step) => step.replaceReasons))].sort();
  const deletedFirst = action === "replace" && olds.some((state) => state?.pendingReplacement);
  return { urn, name, action, before, after, recorded, place, replaceReasons, deletedFirst };
}

function actionOf(group: readonly Step[]): Action {
  const ops = new Set(group.map(({ op }) => op));
  if (["replace", "create-replacement", "import-replacement"].some((op) => ops.has(op))) return "replace";
  return (["create", "update", "delete"] as const).find((op) => ops.has(op)) ?? "same";
}

/** A state as the engine prints it; undefined for anything else. */
export function stateOf(fields: Fields, state: unknown): StepState | undefined {
  if (!isRecord(state)) return undefined;
  const hidden = texts(state.additionalSecretOutputs);
  const dependencies = Object.entries(membersOf(state.propertyDependencies));
  return {
    id: typeof state.id === "string" && state.id !== "" ? state.id : undefined,
    provider: explicitProvider(state.provider),
    inputs: masked(fields, membersOf(state.inputs), hidden),
    outputs: masked(fields, membersOf(state.outputs), hidden),
    dependencies: texts(state.dependencies),
    propertyDependencies: Object.fromEntries(dependencies.map(([name, urns]) => [name, texts(urns)])),
    place: placeOf(state),
    pendingReplacement: state.pendingReplacement === true,
  };
}

/** The innermost frame in the program itself; frames in node_modules belong to libraries. */
function placeOf({ sourcePosition, stackTrace }: Json): Place | undefined {
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
