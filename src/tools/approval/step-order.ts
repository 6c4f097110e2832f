/** The order of a plan's steps that the engine follows in every deployment. */
import { isDeletion, lastDeletions, urnBefore } from "../rehearsal/planned-steps";
import type { PlannedStep, StepPlan } from "../stack/preview";

/** For each step, whether it comes after all steps that create or change resources, and the positions of those before it. */
export function stepOrder(plan: StepPlan) {
  const last = lastDeletions(plan);
  const indexed = plan.steps.map((step, i) => ({ step, i }));
  const [gone, kept] = [true, false].map((isGone) =>
    indexed.filter(({ step }) => isDeletion(step) === isGone),
  );
  const makes = positionsBy(kept!, ({ urn }) => [urn]);
  // Resources that the engine deletes before it creates their replacements.
  const first = positionsBy(
    gone!.filter(({ step }) => !last.has(step)),
    ({ urn }) => [urn],
  );
  const users = positionsBy(gone!, ({ before }) => before?.dependencies ?? []);
  return indexed.map(({ step, i }) => {
    // Resources that are no longer wanted are deleted after all other steps.
    if (last.has(step)) return { isLate: true, after: users.get(urnBefore(step)) ?? [] };
    if (isDeletion(step)) return { isLate: false, after: [] };
    const earlier = first.get(step.urn) ?? [];
    const needed = neededBy(step).flatMap((urn) => makes.get(urn) ?? []);
    return { isLate: false, after: [...earlier, ...needed].filter((other) => other !== i) };
  });
}

/** The positions of the steps for each URN. */
function positionsBy(
  steps: readonly { readonly step: PlannedStep; readonly i: number }[],
  urnsOf: (step: PlannedStep) => readonly string[],
): ReadonlyMap<string, readonly number[]> {
  const said = steps.flatMap(({ step, i }) => [...new Set(urnsOf(step))].map((urn) => ({ urn, i })));
  const groups = Map.groupBy(said, ({ urn }) => urn);
  return new Map([...groups].map(([urn, all]) => [urn, all.map(({ i }) => i)]));
}

/** The steps that the engine waits for before it creates or changes a resource. */
function neededBy({ before, after }: PlannedStep): string[] {
  const state = after ?? before;
  return [
    ...new Set([...(state?.dependencies ?? []), ...(state?.parent === undefined ? [] : [state.parent])]),
  ];
}
