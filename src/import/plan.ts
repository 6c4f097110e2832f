/** The plan of an import: which objects become which resources, in which order. */
import type { AccountObject } from "../account/contents";
import { importedFrom, isLeftOut } from "./arguments";
import type { Conditions, Imported } from "./arguments";
import { withNames } from "./assigned-names";
import type { AssignedName, TakenNames } from "./assigned-names";
import { inOrder } from "./order";

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
  /** Arguments to leave out, by `<class> <id>`. */
  readonly without?: ReadonlyMap<string, readonly string[]>;
}

export function planFor(objects: readonly AccountObject[], options: PlanOptions): Plan {
  const isSelected = options.isSelected ?? (() => true);
  const notes: Note[] = [];
  const imported: Imported[] = [];
  for (const object of objects) {
    const { declaration, id } = object;
    const result = resultFor(object, options);
    if (!isLeftOut(result)) {
      if (isSelected(id, result.outputs)) imported.push(result);
    } else if (isSelected(id, {})) notes.push({ type: declaration.type, id, reason: result.reason });
  }
  return { resources: withNames(inOrder(imported), options.taken), notes };
}

function resultFor(object: AccountObject, options: PlanOptions) {
  const { declaration, id, problem } = object;
  if (problem !== undefined) return { reason: `the answer of the service is not as specified: ${problem}` };
  return importedFrom(object, { ...options, without: options.without?.get(`${declaration.type} ${id}`) });
}
