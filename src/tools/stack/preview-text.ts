/** The text of a preview, as `pulumi preview --json` and the stream of its events print it. */
import { jsonIn } from "../../schema/json";
import type { Json } from "../../schema/json";
import { isRecord, membersOf } from "../../schema/unknown";
import { maskedText } from "./mask";
import { stateOfImport } from "./state";

/**
 * The steps, the number of resources by what happens to them, the configuration and the errors of a preview; undefined if the
 * text holds none.
 */
export function printedPreview(text: string) {
  const reader = new PreviewReader();
  for (const object of objectsIn(text)) reader.add(membersOf(object));
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

  end() {
    if (!this.isPreview) return undefined;
    const { steps, summary, config } = this;
    // The provider repeats an account's problem for each of its resources.
    const found = [...new Set(this.errors)];
    // After an error, the engine may print no summary.
    const errors = this.lacksSummary && found.length === 0 ? [cutStream] : found;
    return { steps: withNewUrns(steps.map(withImportedState)), summary, config, errors };
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
    const { severity, message } = membersOf(diagnostic);
    if (severity === "error" && typeof message === "string") this.errors.push(maskedText(message.trim()));
  }
}

const cutStream =
  "the stream of events ends before its summary, so steps may be missing: run the preview again, and keep all of its output";

export function isImport(op: unknown): boolean {
  return op === "import" || op === "import-replacement";
}

function withImportedState(step: Json): Json {
  const { op, newState } = step;
  return isImport(op) && isRecord(newState) ? { ...step, newState: stateOfImport(newState) } : step;
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
