/** What `pulumi preview --json --show-sames --show-replacement-steps` prints of a preview of the small engine. */
import type { Operation, Step } from "../support/in-process/deployment";
import type { Stored } from "../support/in-process/snapshot";
import { shown } from "../support/in-process/values";
import type { DoorName } from "../support/engine";
import { stateShown } from "./export";

type Noted = NonNullable<Step["before"]>;

export function printedPlan({ steps, removals }: Operation, door: DoorName, config: object): string {
  const state = (noted: Noted | undefined) => noted && stateOf(noted, door);
  const step = (
    op: string,
    urn: string,
    before?: Noted,
    after?: Noted,
    diffReasons: readonly string[] = [],
  ) => ({
    ...{ op, urn, oldState: state(before), newState: state(after), diffReasons },
  });
  const gone = new Set(steps.filter(({ op }) => op === "delete").map(({ urn }) => urn));
  const printed = steps.flatMap(({ op, urn, before, after, diffReasons, removedFirst }) => {
    if (op === "delete") return [];
    if (op !== "replace") return [step(op, urn, before, after, diffReasons)];
    const first = (removedFirst ?? []).map((stored) => step("delete-replaced", stored.urn, stored));
    const made = step("create-replacement", urn, before, after);
    return [...first, made, step("replace", urn, before, after)];
  });
  const last = removals.map((stored) =>
    step(gone.has(stored.urn) ? "delete" : "delete-replaced", stored.urn, stored),
  );
  return JSON.stringify({ config, steps: [...printed, ...last], changeSummary: {} });
}

/** A registration has neither id nor outputs. */
function stateOf(noted: Noted, door: DoorName): object {
  const { id, outputs, dependencies, propertyDependencies, external } = noted as Partial<Stored>;
  return {
    ...stateShown(noted, door),
    ...{ id, external, dependencies, propertyDependencies, outputs: shown(outputs ?? {}) },
  };
}
