/** The text of a preview: the steps of each resource, as `pulumi preview --json` and the stream of its events print them. */
import { jsonIn } from "../schema/json";
import type { Json } from "../schema/json";
import { isRecord, membersOf } from "../schema/unknown";
import { maskedText } from "./mask";

export type Action = "create" | "update" | "replace" | "delete" | "same";

export const past: Readonly<Record<Action, string>> = {
  ...{ create: "created", update: "updated", replace: "replaced", delete: "deleted", same: "unchanged" },
};

/** What a text holds of a preview, as it was printed. */
export interface PrintedPreview {
  /** The steps by the URN of their resource, in the form of `pulumi preview --json`. */
  readonly steps: ReadonlyMap<string, readonly Json[]>;
  /** The number of resources by their operation. */
  readonly summary: Json;
  /** The configuration of the stack. */
  readonly config: Json;
  readonly errors: readonly string[];
}

/** Undefined if the text holds no preview. It may be the output of a command that failed. */
export function printedPreview(text: string): PrintedPreview | undefined {
  const reader = new PreviewReader();
  for (const object of objectsIn(text)) reader.object(membersOf(object));
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

/** Collects what is printed. */
class PreviewReader {
  private readonly steps = new Map<string, Json[]>();
  private readonly errors: string[] = [];
  private summary: Json = {};
  private config: Json = {};
  private isPreview = false;
  /** Whether a stream of events has not shown its summary, the event after the last step. */
  private lacksSummary = false;

  /** The preview; undefined if what was read is none. */
  end(): PrintedPreview | undefined {
    if (!this.isPreview) return undefined;
    const { steps, summary, config } = this;
    // With an error the engine may print no summary.
    const isCut = this.lacksSummary && this.errors.length === 0;
    return { steps, summary, config, errors: isCut ? [cutStream] : this.errors };
  }

  object(object: Json): void {
    if (Array.isArray(object.steps) || isRecord(object.changeSummary)) {
      this.isPreview = true;
      if (Array.isArray(object.steps)) for (const step of object.steps) this.step(membersOf(step));
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

  private step(step: Json): void {
    const urn = String(step.urn);
    const known = this.steps.get(urn);
    if (known) known.push(step);
    else this.steps.set(urn, [step]);
  }
}

const cutStream =
  "the stream of events ends before its summary, so steps may be missing: run the preview again, and keep all of its output";

/** The errors among the diagnostics of a preview. */
export function errorsIn(preview: unknown): string[] {
  const { diagnostics } = membersOf(preview);
  return Array.isArray(diagnostics) ? diagnostics.flatMap(errorIn) : [];
}

function errorIn(diagnostic: unknown): string[] {
  const { severity, message } = membersOf(diagnostic);
  return severity === "error" && typeof message === "string" ? [maskedText(message.trim())] : [];
}
