import type { Result } from "./pulumi-command";

/** One step of a preview or an update. */
interface Step {
  /** same, create, update, replace, create-replacement, delete-replaced, delete, refresh, read … */
  op: string;
  urn: string;
  type: string;
  name: string;
  /** The properties that force a replacement. */
  replaceReasons: string[];
  /** The properties that differ. */
  diffReasons: string[];
  oldState: StepState | undefined;
  newState: StepState | undefined;
}

interface StepState {
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/** What a preview plans or an update did, without the stack itself and the engine's default providers. */
export interface Plan {
  steps: Step[];
  /** Each step as `op name`, in order: what most tests compare. */
  ops: string[];
  /** The steps other than `same`. */
  changes: Step[];
  diagnostics: { severity: string; message: string; urn?: string }[];
  result: Result;
}

/** Reads `preview --json`: one object. */
export function parsePreview(result: Result): Plan {
  const answer = parse(result.stdout, result) as {
    steps?: RawStep[];
    diagnostics?: Plan["diagnostics"];
  };
  return plan(result, answer.steps ?? [], answer.diagnostics ?? []);
}

/** Reads `up --json`: an engine event in every line. */
export function parseUpdate(result: Result): Plan {
  const events = result.stdout
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => parse(line, result) as EngineEvent);
  const steps = events.flatMap(({ resourcePreEvent }): RawStep[] => {
    if (!resourcePreEvent) return [];
    const { old, new: next, keys, diffs, ...rest } = resourcePreEvent.metadata;
    return [{ ...rest, oldState: old, newState: next, replaceReasons: keys, diffReasons: diffs }];
  });
  const diagnostics = events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent && diagnosticEvent.severity !== "debug" ? [diagnosticEvent] : [],
  );
  return plan(result, steps, diagnostics);
}

interface RawStep {
  op: string;
  urn: string;
  oldState?: StepState | null | undefined;
  newState?: StepState | null | undefined;
  replaceReasons?: string[] | null | undefined;
  diffReasons?: string[] | null | undefined;
}

interface EngineEvent {
  resourcePreEvent?: {
    metadata: {
      op: string;
      urn: string;
      old?: StepState | null;
      new?: StepState | null;
      keys?: string[] | null;
      diffs?: string[] | null;
    };
  };
  diagnosticEvent?: { severity: string; message: string; urn?: string };
}

function plan(result: Result, raw: RawStep[], diagnostics: Plan["diagnostics"]): Plan {
  const steps = raw.map(toStep).filter((step) => !step.type.startsWith("pulumi:"));
  return {
    steps,
    ops: steps.map((step) => `${step.op} ${step.name}`),
    changes: steps.filter((step) => step.op !== "same"),
    diagnostics,
    result,
  };
}

function toStep(raw: RawStep): Step {
  const [, , types = "", ...name] = raw.urn.split("::"); // urn:pulumi:<stack>, project, types, name
  return {
    op: raw.op,
    urn: raw.urn,
    type: types.split("$").at(-1) ?? "", // before it the parents' types
    name: name.join("::"),
    replaceReasons: raw.replaceReasons ?? [],
    diffReasons: raw.diffReasons ?? [],
    oldState: raw.oldState ?? undefined,
    newState: raw.newState ?? undefined,
  };
}

function parse(text: string, result: Result): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`\`${result.command}\` printed no JSON:\n${result.output}`);
  }
}
