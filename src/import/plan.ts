/** The plan of an import: which objects become which resources, in which order. */
import type { AccountObject } from "../inventory/account";
import { importedFrom } from "./arguments";
import type { Conditions, Imported } from "./arguments";
import { withNames } from "./assigned-names";
import type { AssignedName, TakenNames } from "./assigned-names";
import { statementOrder } from "./order";

/** An object with its name and variable in the program. */
export type PlannedResource = Imported & AssignedName;

/** An object that is not imported, and the reason. */
export interface Note {
  readonly type: string;
  readonly id: string;
  readonly reason: string;
}

export interface Plan {
  /** In the order of their statements. */
  readonly resources: readonly PlannedResource[];
  readonly notes: readonly Note[];
}

export interface PlanOptions extends Omit<Conditions, "without"> {
  readonly taken?: TakenNames;
  /** Whether the user's filters choose the object. */
  readonly isSelected?: (id: string, outputs: Imported["outputs"]) => boolean;
  /** The arguments of an object that its resource leaves out. */
  readonly without?: (object: AccountObject) => readonly string[];
}

export function planFor(objects: readonly AccountObject[], options: PlanOptions): Plan {
  const { isSelected = () => true, without, taken, ...conditions } = options;
  const notes: Note[] = [];
  const imported: Imported[] = [];
  for (const object of objects) {
    const { declaration, id, problem } = object;
    const result =
      problem === undefined
        ? importedFrom(object, { ...conditions, without: without?.(object) })
        : { reason: `the answer of the service is not as specified: ${problem}` };
    if (!isSelected(id, "outputs" in result ? result.outputs : {})) continue;
    if ("outputs" in result) imported.push(result);
    else notes.push({ type: declaration.type, id, reason: result.reason });
  }
  return { resources: withNames(statementOrder(imported), taken), notes };
}
