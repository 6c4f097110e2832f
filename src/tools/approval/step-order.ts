/** Which steps of a plan the engine takes only after others, in every deployment. */
import { isDeletion } from "../rehearsal/planned-steps";
import type { PlannedStep, StepPlan } from "../stack/preview";

export interface StepOrder {
  /** Whether it comes after everything that makes or changes something. */
  readonly isLate: boolean;
  /** The positions of other steps that come before it. */
  readonly after: readonly number[];
}

/** The order of each step. */
export function stepOrder({ steps }: StepPlan): StepOrder[] {
  const indexed = steps.map((step, i) => ({ step, i }));
  const makes = Map.groupBy(
    indexed.filter(({ step }) => !isDeletion(step)),
    ({ step }) => step.urn,
  );
  const last = (urn: string): number => makes.get(urn)?.at(-1)?.i ?? -1;
  const [deletions, first] = [new Map<string, number[]>(), new Map<string, number[]>()];
  const add = (to: Map<string, number[]>, urn: string, i: number): void => {
    const known = to.get(urn);
    if (known) known.push(i);
    else to.set(urn, [i]);
  };
  for (const { step, i } of indexed) {
    if (!isDeletion(step)) continue;
    for (const urn of new Set(step.before?.dependencies)) add(deletions, urn, i);
    if (i < last(step.urn)) add(first, step.urn, i);
  }
  return indexed.map(({ step, i }) => {
    if (first.get(step.urn)?.includes(i)) return { isLate: false, after: [] };
    // What is no longer wanted is deleted after all that is.
    if (isDeletion(step)) return { isLate: true, after: deletions.get(step.urn) ?? [] };
    const before = neededBy(step).flatMap((urn) => makes.get(urn)?.map((each) => each.i) ?? []);
    return {
      isLate: false,
      after: [...(first.get(step.urn) ?? []), ...before].filter((other) => other !== i),
    };
  });
}

/** What the engine waits for before it makes or changes a resource. */
function neededBy({ before, after }: PlannedStep): string[] {
  const state = after ?? before;
  return [
    ...new Set([...(state?.dependencies ?? []), ...(state?.parent === undefined ? [] : [state.parent])]),
  ];
}
