/** Facts about the steps of a plan as a whole. */
import { isDrop } from "../stack/preview";
import type { PlannedStep, StepPlan } from "../stack/preview";

/**
 * The deletions at the end of the deployment. The engine then skips what is deleted with another one of them. What it deletes before it
 * creates the replacement is not among them.
 */
export function lastDeletions({ steps }: StepPlan): ReadonlySet<PlannedStep> {
  const made = new Map(steps.flatMap((step, i) => (isDeletion(step) ? [] : [[step.urn, i] as const])));
  return new Set(steps.filter((step, i) => isDeletion(step) && (made.get(step.urn) ?? -1) < i));
}

/** The URN that a resource has before the deployment: other states before it name it so. */
export function urnBefore({ urn, before }: PlannedStep): string {
  return before?.urn ?? urn;
}

/** Whether a resource leaves the stack, also one that the engine only drops, because the program only read it. */
export function isDeletion(step: PlannedStep): boolean {
  return step.op === "delete" || step.op === "delete-replaced" || isDrop(step);
}

/** A reason why a rehearsal does not show all that the deployment does. */
export interface Gap {
  /** The resource of which it leaves something out, if it is one. */
  readonly urn?: string;
  readonly message: string;
}

export function gapText({ urn, message }: Gap): string {
  return urn === undefined ? message : `${urn}: ${message}`;
}

/** Why the plan does not show all that the deployment does. */
export function missingIn({ steps, errors }: StepPlan): Gap[] {
  const made = new Set(steps.filter(({ op }) => op.endsWith("-replacement")).map(({ urn }) => urn));
  const hidden = steps.filter(({ op, urn }) => op === "replace" && !made.has(urn));
  const advice = "make the preview with --show-sames --show-replacement-steps";
  return [
    ...errors.map((message) => ({ message })),
    ...hidden.map(({ urn }) => ({ urn, message: `the preview does not show how it is replaced: ${advice}` })),
  ];
}
